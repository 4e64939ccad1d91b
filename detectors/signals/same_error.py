"""`same_error`: one cause behind many calls.

Sees: a failure whose cause the run has met, whatever tool, flag, path or wording was tried. The first failure of a
cause is news, the second costs half, then each costs in full; across edits it grows, since an outcome that does
not depend on the edits says more than one.
Ignores on purpose: different causes one after the other (debugging), growing pauses through a fault that may pass
by itself, failures of one parallel batch (a round has one weight). Where every failure is about another thing (new
ids in the arguments, and a cause that names no fault of the environment) it weighs less; new calls never halt.
"""

from detectors.look import Look, Mark
from detectors.parameters import SameError


def weigh(seen: Look, rules: SameError, pace_s: float) -> Mark | None:
    """The mark of a failure with a known cause, None otherwise. O(1)."""
    f = seen.features
    if not f.failed or seen.fault is None or seen.excused:
        return None
    count = seen.fault.count + seen.fault.returns
    if count == 0:
        return None
    weight = rules.weight if count > rules.free else rules.weight / 2
    if seen.fault.world != seen.world:
        weight = min(1.5, rules.weight * count / 2)
    if f.transient and seen.fault.call == seen.call and seen.gap_s is not None and seen.gap_s > pace_s:
        weight *= pace_s / seen.gap_s
    walking = bool(
        seen.new_ids or (seen.new_numbers and not f.ids)
    )  # of a thing that is named, numbers are settings
    if seen.worklist:
        weight *= rules.worklist_share
    elif walking and ":" in f.cause:
        weight *= rules.other_thing_share
    if seen.fresh:
        weight *= rules.with_news_share
    other = seen.before is None and ":" in f.cause
    families = ("errors",) if walking or other or seen.fresh else ("errors", "calls")
    return Mark(weight, "same_error", families, over_news=True)
