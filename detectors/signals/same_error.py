"""`same_error`: one cause behind many calls.

Sees: a failure whose cause the run has met, whatever tool, flag, path or wording was tried. The first failure of a
cause is news, the second costs half, then each costs in full; across edits it grows, since an outcome that does
not depend on the edits says more than one.
Ignores on purpose: different causes one after the other (debugging), growing pauses through a fault that may pass
by itself, failures of one parallel batch (a round has one weight). Where every failure is about another thing (new
ids in the arguments, and a cause that names no fault of the environment) it weighs less; new calls never halt.
"""

from detectors.feature_types import Features
from detectors.look import Look, Mark
from detectors.parameters import SameError

_MOVED = 0.3
"""Share of the weight where the outcome of a check moved with the change before it."""
_ENVIRONMENT = 0.8
"""Share of the weight where a fault of the environment is met at one thing after the other."""
_LONG_AGO = 15
"""Steps after which, with news in between, a cause is met as for the second time."""


def weigh(seen: Look, rules: SameError, pace_s: float) -> Mark | None:
    """The mark of a failure with a known cause, None otherwise. O(1)."""
    f = seen.features
    if not f.failed or seen.fault is None or seen.excused:
        return None
    count = seen.fault.count + seen.fault.returns
    if count == 0:
        return None
    changed = seen.fault.world != seen.world
    if (seen.news_since and seen.fault_age > _LONG_AGO) or (
        changed and seen.new_target and not _whatever_given(f)
    ):
        count = 1  # long ago, or elsewhere after a change
    weight = rules.weight if count > rules.free else rules.weight / 2
    if changed:
        weight = min(rules.weight if seen.unseen else 1.5, rules.weight * count / 2)
    again = seen.fault.call == seen.call or seen.news_since
    if f.transient and again and seen.gap_s is not None and seen.gap_s > pace_s:
        weight *= pace_s / seen.gap_s
    walking = _walking(seen)
    if seen.worklist:
        weight *= rules.worklist_share
    elif walking:
        weight *= rules.other_thing_share if ":" in f.cause else _ENVIRONMENT
    if seen.new_window:
        weight /= 2  # a part is looked for
    if seen.fault.returns and seen.before is not None and not seen.changed_world:
        weight *= (
            _MOVED  # it goes well and wrong in turn, and nothing was changed: how often is being counted
        )
    weight *= _moved_on(seen, rules)
    other = seen.before is None and ":" in f.cause
    families = ("errors",) if walking or other or seen.fresh else ("errors", "calls")
    return Mark(weight, "same_error", families, over_news=True)


def _walking(seen: Look) -> bool:
    """The failure is about another thing than the one before, as far as the call and the answer name things."""
    f = seen.features
    if not (
        seen.new_ids or (seen.new_numbers and not f.ids)
    ):  # of a thing that is named, numbers are settings
        return False
    if f.body and f.target and not seen.new_target:
        return False  # new contents make no other thing of a known resource
    return not _whatever_given(f)


def _whatever_given(f: Features) -> bool:
    """What cannot be called, or is called in the wrong form, fails whatever it is given."""
    return f.cause.startswith(("uncallable:", "malformed:"))


def _moved_on(seen: Look, rules: SameError) -> float:
    """The share that is left where the failure says something else than before: after a change more than else."""
    f = seen.features
    words = len(f.vocab)
    if seen.changed_world and seen.before is not None and f.total < seen.before.total:
        return _MOVED  # the report got shorter
    if seen.changed_world and seen.unseen_forms and not seen.serial and not seen.counter:
        return _MOVED  # its figures moved
    if ":" in f.cause and words and (seen.unworded * 10 > words or (seen.changed_world and seen.unworded)):
        return _MOVED
    if seen.unseen and (seen.changed_world or not words or seen.unworded * 10 > words):
        return rules.with_news_share
    return 1.0
