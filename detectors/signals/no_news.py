"""`no_news`: varied calls whose answers the run has seen before.

Sees: a call never made before (or made with another answer) that brings no line, no window and no state that is
new. A reader's long answer weighs in full; a short one weighs by what the arguments bring.
Ignores on purpose: a worklist being walked (values that an earlier answer had), new ids and new targets (a batch
writer's constant "ok", a check of the next service), thin news is half a piece of news, and the first sight of
silence.
"""

from detectors.look import Look, Mark
from detectors.parameters import NoNews

_LONG = 3
_VERY_LONG = 8
_PAGE, _PAGE_BYTES = 5, 300
"""Lines and bytes from which a known answer is a page, as very many lines are: a copy, not a statement of fact."""


def weigh(seen: Look, rules: NoNews) -> Mark | None:
    """The mark of a call without news, None where it had some. O(1)."""
    f = seen.features
    if seen.before is None and (f.effect == "plan" or (seen.musing and seen.pondering)):
        return Mark(rules.negative, "no_news", ("calls",), over_news=seen.musing) if seen.pondering else None
    if seen.known_place and not (seen.write or seen.fresh or f.failed or seen.same):
        return Mark(rules.known_place, "no_news", ("effects",), over_news=True)
    if f.failed or f.missing or seen.write or seen.same or seen.excused or seen.covered:
        return None
    if seen.before is not None and seen.known and (not f.prose or seen.changed_world):
        return None  # an equal call: a re-check, or one that moves among known answers
    if not seen.known:
        return _moved(seen, rules)
    families = ("answers",) if _tells(seen) else ()
    if seen.novelty < 0.5 and not seen.new_ids:
        families = (*families, "calls")
    return Mark(_weight(seen, rules), "no_news", families)


def _tells(seen: Look) -> bool:
    """The answer says something of its own: "nothing there", "ok" and silence are weak evidence, never a halt's."""
    f = seen.features
    return f.total > 0 and f.tone not in {"negative", "ack"} and not f.mere_echo and not seen.silent


def _weight(seen: Look, rules: NoNews) -> float:
    f = seen.features
    if f.mere_echo and f.leaves <= 2 and not seen.act:
        weight = rules.weight
    elif seen.worklist and not (f.body and f.telling >= _LONG):  # words of a text that is written are no list
        weight = rules.worklist
    elif seen.new_window and f.tone != "negative" and f.total:
        weight = rules.new_target
    elif f.telling < _LONG or seen.act or f.tone == "ack":
        weight = _short_answer(seen, rules)
    elif not seen.new_target:
        weight = rules.weight
        if seen.stale:
            weight = rules.after_write
        elif f.command and seen.new_ids:
            weight = rules.weight / 2
    else:
        page = f.total >= _VERY_LONG or (f.telling >= _PAGE and f.size >= _PAGE_BYTES)
        weight = rules.copy if page else rules.new_target
    return weight


def _moved(seen: Look, rules: NoNews) -> Mark | None:
    """Only numbers moved, and the call is the same: the figures may be the news, or jitter."""
    if seen.moved and seen.before is not None and not seen.changed_world:
        return Mark(rules.jitter, "no_news", ("calls",), over_news=True)
    return None


def _short_answer(seen: Look, rules: NoNews) -> float:
    """A known short answer weighs by how much of the question is new."""
    f = seen.features
    if f.tone == "negative":
        return _nothing_there(seen, rules)
    if seen.new_ids or seen.new_target or (seen.act and f.body and seen.before is None):
        return rules.new_target
    if seen.new_numbers or seen.new_pair:
        return rules.walk
    if seen.act and seen.after_news:
        return rules.walk
    ceiling = rules.weight if f.prose or not seen.silent else rules.negative
    if seen.act or seen.silent:
        return max(rules.new_target, ceiling * (1 - 2 * seen.novelty))
    return max(rules.walk, ceiling * (1 - seen.novelty))


def _nothing_there(seen: Look, rules: NoNews) -> float:
    """A walk over things asks about another each time; another word for a known place, or alone, is a rewording."""
    f = seen.features
    if seen.stale:
        return rules.after_write
    if seen.new_pair or (f.steps and (seen.new_numbers or seen.new_ids)):
        return rules.walk
    reworded = f.leaves <= 1 and seen.novelty > 0
    if reworded or not seen.new_ids:
        return rules.negative
    known_place = f.leaves <= 1 or (f.target != 0 and not seen.new_target)
    return (rules.walk + rules.negative) / 2 if known_place else rules.walk
