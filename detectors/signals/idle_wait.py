"""`idle_wait`: polls that cannot bring news, judged in time.

Sees: an equal call with an equal answer where something speaks for waiting. Its weight falls with the gap since
the last poll, so tight polling is as dry as any repeat and a spaced wait is nearly free; and a wait that lasts
beyond the limit is told to people whatever its pace.
Ignores on purpose: how many polls there were. Without a clock a poll weighs half and never leads to a halt.
"""

from detectors.look import Look, Mark
from detectors.parameters import IdleWait

_NO_CLOCK, _NO_CLOCK_WEAK = 0.35, 0.5
_WORDS = 4
"""Words from which an answer among known ones is a place that was there before, not a reading."""
_GOING_ROUND, _PASSING = 4, 0.4
_ROUNDING = 0.01
"""Without a clock a wait that something speaks for is never dry enough by itself."""


def weigh(seen: Look, rules: IdleWait) -> Mark | None:
    """The mark of a poll, None for anything else. O(1)."""
    f = seen.features
    among_known = seen.before is not None and seen.known and not seen.restated and not f.prose
    if not (seen.same or among_known) or seen.changed_world:
        return None
    if f.failed or seen.write or seen.excused or f.missing:
        return None
    if seen.bare or f.effect == "plan":
        return None
    gap = seen.gap_s
    if seen.patience == "" and (gap is None or gap < rules.fade_after_s - _ROUNDING):
        return None
    if gap is None:
        return Mark(_NO_CLOCK if seen.patience == "strong" else _NO_CLOCK_WEAK, "idle_wait", ("calls",))
    pace = (
        rules.pace_s
        if (seen.patience != "weak" and (seen.same or len(f.vocab) < _WORDS))
        or gap >= rules.fade_after_s - _ROUNDING
        else rules.weak_pace_s
    )
    if seen.patience == "weak" and not seen.in_row and seen.pause_s is not None and not seen.after_news:
        gap = min(gap, seen.pause_s)  # other calls that brought nothing are no pause
    weight = 1.0 if gap <= pace else pace / gap
    if not seen.same and seen.since_news <= _GOING_ROUND:
        weight *= _PASSING  # it passes known places on a way that brings something now and then
    return Mark(weight, "idle_wait", ("time", "answers") if weight >= 0.5 else ("time",))
