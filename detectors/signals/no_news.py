"""`no_news`: varied calls whose answers the run has seen before.

Sees: a call never made before (or made with another answer) that brings no line, no window and no state that is
new, and answers that say what is known in another arrangement of the same words, with other serial numbers, or with
one new line among many. A reader's long answer weighs in full; a short one weighs by what the arguments bring.
Ignores on purpose: a worklist being walked (values that an earlier answer had), new ids and new targets (a batch
writer's constant "ok", a check of the next service), and the first sight of silence.
"""

from detectors.look import Look, Mark
from detectors.parameters import NoNews
from detectors.signals import short_answers

_JITTERS = 3
"""Times that figures moved within the same words, from which tight looking brings nothing."""
_FEW = 4
"""Words from which an answer tells of a place in words that are all known."""
_LONG = 3
_VERY_LONG = 8
_PAGE, _PAGE_BYTES = 5, 300
"""Lines and bytes from which a known answer is a page, as very many lines are: a copy, not a statement of fact."""


def weigh(seen: Look, rules: NoNews, pace_s: float) -> Mark | None:
    """The mark of a call without news, None where it had some. O(1)."""
    f = seen.features
    if seen.before is None and (f.effect == "plan" or (seen.musing and seen.pondering)):
        return Mark(rules.negative, "no_news", ("calls",), over_news=seen.musing) if seen.pondering else None
    told = seen.fresh and (seen.unworded > 0 or len(f.vocab) < _FEW)
    if seen.known_place and seen.act and not (seen.write or told or f.failed or seen.same):
        return Mark(rules.known_place, "no_news", ("effects",), over_news=True)
    if f.failed or f.missing or seen.write or seen.same or seen.excused or seen.covered:
        return None
    return _of_varied(seen, rules) if seen.before is None else _of_equal(seen, rules, pace_s)


def _of_equal(seen: Look, rules: NoNews, pace_s: float) -> Mark | None:
    """An equal call with another answer: a re-check, or one that moves among known answers, is another's to judge."""
    if seen.restated:
        return None if seen.serial else Mark(rules.walk, "no_news", ("calls",))
    if seen.known:
        return _of_varied(seen, rules) if seen.features.prose and not seen.changed_world else None
    if not seen.moved or seen.changed_world:
        return None
    if seen.textual and seen.before is not None and seen.before.moves >= _JITTERS:
        pace = 1.0 if seen.gap_s is None or seen.gap_s <= pace_s else pace_s / seen.gap_s
        return Mark(max(rules.jitter, rules.copy * pace), "no_news", ("answers", "calls"))
    return Mark(rules.jitter, "no_news", ("calls",), over_news=True)  # the figures may be the news


def _of_varied(seen: Look, rules: NoNews) -> Mark | None:
    if not seen.known:
        return None
    families = ("answers",) if _tells(seen) else ()
    if seen.novelty < 0.5 and not seen.new_ids:
        families = (*families, "calls")
    weight = _weight(seen, rules)
    if seen.serial and seen.asks and not seen.act and seen.unseen_forms > 1:
        weight = min(weight, rules.walk)  # other items of the same kind may be the answer
    elif seen.restated and not (seen.serial and seen.act):
        weight *= rules.serial if seen.serial else rules.restated if seen.wordy else rules.rearranged
    return Mark(weight, "no_news", families)


def _tells(seen: Look) -> bool:
    """The answer says something of its own: "nothing there", "ok" and silence are weak evidence, never a halt's."""
    f = seen.features
    return f.total > 0 and f.tone not in {"negative", "ack"} and not f.mere_echo and not seen.silent


def _weight(seen: Look, rules: NoNews) -> float:
    f = seen.features
    long = f.total >= _VERY_LONG
    if f.mere_echo and f.leaves <= 2 and not seen.act:
        changes = f.total >= _LONG and f.body and (seen.new_ids or seen.novelty)
        weight = rules.new_target if changes else rules.weight  # a change that shows itself is no empty echo
    elif seen.worklist and not (f.body and f.telling >= _LONG):  # words of a text that is written are no list
        again = long and not seen.act and not seen.restated  # parts of what was read, by their names
        weight = rules.copy if again else rules.worklist
    elif seen.new_window and f.tone != "negative" and f.total:
        weight = rules.new_target
    elif f.telling < _LONG or seen.act or f.tone in {"ack", "negative"}:
        weight = short_answers.weight(seen, rules)
    elif not seen.new_target and (f.prose or f.command or not seen.unmet):
        weight = rules.weight
        if seen.stale:
            weight = rules.after_write
        elif f.command and seen.new_ids:
            weight = rules.weight / 2
    elif f.effect == "write" and seen.before is None and seen.new_numbers + seen.new_ids:
        weight = rules.new_target  # the record it shows may be known, what it did to it is not
    else:
        page = long or (f.telling >= _PAGE and f.size >= _PAGE_BYTES)
        weight = rules.copy if page else rules.new_target if seen.new_target else rules.walk
    return weight
