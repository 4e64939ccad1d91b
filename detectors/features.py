"""A step's features: stateless, so it may run at the edge or in the worker."""

import msgspec
import xxhash

from detectors.events import Step
from detectors.feature_types import Features
from detectors.rules import Rules


def features(step: Step, rules: Rules) -> Features:
    """Digests and labels of one step; the step's own `features` where it carries them. O(size of the result)."""
    if step.features is not None:
        return step.features
    call = xxhash.xxh3_64_hexdigest(msgspec.json.encode([step.tool, step.args], order="sorted"))
    answer = xxhash.xxh3_64_hexdigest(msgspec.json.encode(step.result, order="sorted"))
    return Features(call=call, answer=answer)
