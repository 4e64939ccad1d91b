"""What happens to a step before it leaves the agent's machine: sizes are bounded, content may stay behind."""

import logging
from dataclasses import dataclass

import msgspec

from detectors.events import Step
from detectors.feature_types import Features
from detectors.features import features
from detectors.rules import Rules
from stallwatch.clients import wire_values
from stallwatch.clients.cut import fit
from streams.codec import MAX_VALUE_BYTES

log = logging.getLogger(__name__)

SMALLEST = 256
OTHER_BYTES = 64 * 1024
"""Room for a step's other fields: ids and names of the longest kind, and features."""


@dataclass(frozen=True, slots=True)
class EdgeLimits:
    """The largest a field may be on the wire, in bytes of JSON.

    Each at least 256, together at most 960 KiB, so that a step stays under what the worker reads (1 MiB).
    Raises `ValueError`.
    """

    args_bytes: int = 16 * 1024
    result_bytes: int = 64 * 1024
    text_bytes: int = 8 * 1024
    """For an error's text, a claim, a person's text, a note."""

    def __post_init__(self) -> None:
        for field in ("args_bytes", "result_bytes", "text_bytes"):
            if getattr(self, field) < SMALLEST:
                raise ValueError(
                    f"EdgeLimits.{field} is {getattr(self, field)}: it must be at least {SMALLEST} bytes"
                )
        together = self.args_bytes + self.result_bytes + self.text_bytes
        if together > MAX_VALUE_BYTES - OTHER_BYTES:
            raise ValueError(
                f"EdgeLimits allow {together} bytes together: "
                f"it must be at most {MAX_VALUE_BYTES - OTHER_BYTES}, or the worker will not read the step"
            )


class Edge:
    """Turns the agent's values into a step for the wire.

    With `content`, arguments, answer and error text travel; where one of them is over its limit it is cut,
    and the step carries the features of the *whole*, so that nothing is lost for the detection. Without
    `content`, only the features travel: digests and labels. `rules` are those the features are computed
    under; they must have the fingerprint settings of the worker's.
    """

    def __init__(self, *, content: bool, limits: EdgeLimits, rules: Rules | None = None) -> None:
        self.content = content
        self._limits = limits
        self._rules = rules if rules is not None else Rules()
        self._complained = False

    def finish(self, step: Step) -> None:
        """`step`, with any Python value in `args` and `result`, is ready to be encoded. Never raises.

        O(size of the values).
        """
        limits = self._limits
        args, result = wire_values.as_json(step.args), wire_values.as_json(step.result)
        error = wire_values.as_json(step.error) if isinstance(step.error, str) else b""
        whole = (
            len(args) <= limits.args_bytes
            and len(result) <= limits.result_bytes
            and len(error) <= limits.text_bytes
        )
        if step.features is None and not (self.content and whole):
            step.features = self._features(step, args, result)
        if not self.content:
            step.args = step.result = step.target = None  # the features have the target's hash
            step.error = True if step.error else None
            return
        step.args = _raw(fit(args, limits.args_bytes))
        step.result = _raw(fit(result, limits.result_bytes))
        if error:
            step.error = msgspec.json.decode(fit(error, limits.text_bytes))

    def free_text(self, value: object) -> str | None:
        """A text beside the steps, cut; None where content stays behind."""
        if value is None or not self.content:
            return None
        shown: object = msgspec.json.decode(fit(wire_values.as_json(value), self._limits.text_bytes))
        return shown if isinstance(shown, str) else str(shown)

    def _features(self, step: Step, args: bytes, result: bytes) -> Features | None:
        step.args, step.result = msgspec.json.decode(args), msgspec.json.decode(result)
        try:
            return features(step, self._rules)
        except Exception:
            # The step goes without them, the agent goes on; a defect is to be seen, once.
            if not self._complained:
                self._complained = True
                log.exception("features of a step of tool %r could not be computed", step.tool)
            return None


def _raw(data: bytes) -> msgspec.Raw | None:
    """JSON that the encoder copies as it is; null is the absent field."""
    return None if data == b"null" else msgspec.Raw(data)
