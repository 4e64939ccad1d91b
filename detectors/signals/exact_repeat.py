"""`exact_repeat`: the same call brings the same essential answer again.

Sees: equal tool and arguments, equal answer once volatile parts are gone, and nothing written in between. The
first repeats cost half: everybody looks twice. So do repeats within a lap that brings something.
Ignores on purpose: repeats after an effective write (a re-check, which costs a little for ever and never more),
polls of something that moves and checks by the clock (`idle_wait` judges them in time), failures (`same_error`),
writes with hashes (`write_churn`), plans that are looked at between other work, and calls that say nothing of
themselves: equal clicks with an equal "ok" and no hashes are no data until there are very many.
"""

from detectors.look import Look, Mark
from detectors.parameters import ExactRepeat

_LAP = 0
"""Steps since news within which a repeat is a part of a lap that brings something."""
_MANY = 25
_RARELY = 5
"""Times the pause of a timed check from which the same call comes by the clock, whatever stands between."""
_SPACED = 0.4
"""Share of the weight where the repeats follow each other at two thirds of the pause of a timed check."""
_TAKES_TIME_S, _COUNTED = 5.0, 0.5
"""Share of the weight where calls that take this long follow each other and their number is told: trials, counted."""
_NORMAL = 2
"""Re-checks in a row with an unchanged answer that good runs have; more is a sign, a weak one."""


def weigh(seen: Look, rules: ExactRepeat, paced_s: float) -> Mark | None:
    """The mark of an equal call with an equal answer, None otherwise. `paced_s`: pause of a timed check. O(1)."""
    f = seen.features
    before = seen.before
    if before is None or f.failed or seen.write or seen.excused or f.missing or not seen.known:
        return None
    if seen.changed_world:
        weight = rules.recheck if before.rechecks < _NORMAL else rules.unmoved
        by_clock = seen.gap_s is not None and seen.gap_s >= paced_s
        if before.rechecks >= 2 * _NORMAL and f.tone != "ack" and not by_clock:
            weight = rules.stuck
        return Mark(weight, "exact_repeat", ("calls",))
    if not seen.same or (f.effect == "plan" and not seen.in_row and not seen.pondering):
        return None
    if seen.bare and not seen.known_place and before.repeats < _MANY:
        return Mark(rules.no_data, "exact_repeat", ("calls",))
    if seen.patience or (seen.pause_s is not None and seen.pause_s >= paced_s):
        return None
    alive = seen.since_news <= _LAP
    weight = rules.weight if before.repeats >= rules.free and not alive else rules.weight / 2
    if seen.gap_s is not None and seen.gap_s >= _RARELY * paced_s:
        weight *= paced_s / seen.gap_s  # within the round of a timed check
    if seen.counter and seen.in_row and seen.gap_s is not None and seen.gap_s >= _TAKES_TIME_S:
        weight *= _COUNTED
    elif seen.in_row and seen.pause_s is not None and seen.pause_s >= paced_s * 2 / 3:
        weight *= _SPACED  # nothing speaks for waiting, but it is no busy loop
    return Mark(weight, "exact_repeat", ("calls", "answers"))
