"""What a known short answer weighs: by how much of the question is new. A part of `no_news`.

"ok", "no matches" and "open" are the same whatever was asked; so the question decides whether it was another thing,
another point of a grid, the next one of a row, or the same thing in other words.
"""

from detectors.look import Look
from detectors.parameters import NoNews

_FEW_NAMES = 2
"""Names in one value that may stand for one thing; more of them, or words beside, are a command or a query."""
_LONG_WALK, _SPELLED = 8, 0.3
"""Calls without news from which a name in a known place, most of whose words were given, is rather another spelling."""
_NOTES = 2
"""Calls without news from which notes and messages are no work, whatever they mention."""


def weight(seen: Look, rules: NoNews) -> float:
    """0 … 1. O(1)."""
    if seen.features.tone == "negative":
        return _nothing_there(seen, rules)
    return _of_act(seen, rules) if seen.act or seen.silent else _of_reader(seen, rules)


def _of_act(seen: Look, rules: NoNews) -> float:
    """Something was done, and the answer says no more than that."""
    f = seen.features
    worded = 1 - 2 * seen.novelty
    if seen.act and f.prose and f.leaves <= 1 and seen.since_news >= _NOTES:
        return max(rules.known_place, rules.weight * worded)
    if seen.new_ids or seen.new_target:
        return rules.new_target
    if seen.act and seen.before is None and (f.body or f.prose):
        told = f.prose and not seen.after_news
        return max(rules.known_place, rules.weight * worded) if told else rules.new_target
    if _another_one(seen) or (seen.act and (seen.after_news or (seen.before is None and f.ids))):
        return rules.walk
    return max(rules.new_target, (rules.negative if seen.silent and not f.prose else rules.weight) * worded)


def _of_reader(seen: Look, rules: NoNews) -> float:
    f = seen.features
    if seen.new_ids or seen.new_target:
        return rules.new_target
    if _another_one(seen):
        return rules.walk
    least = rules.copy if seen.wordy and not seen.asks else rules.walk  # the same text for another wording
    recombined = seen.before is None and f.ids and not f.prose and not seen.novelty
    return max(least, rules.weight * (rules.recombined if recombined else 1 - seen.novelty))


def _another_one(seen: Look) -> bool:
    """The next number, another point of a grid, a thing never asked about in this way, or what was just made."""
    f = seen.features
    alone = f.leaves == 1 and 0 < len(f.ids) <= _FEW_NAMES and not f.words and not f.prose
    return bool(seen.handle or seen.new_numbers or seen.new_pair or f.grid or alone)


def _nothing_there(seen: Look, rules: NoNews) -> float:
    """A walk over things asks about another each time; another word for a known place, or alone, is a rewording."""
    f = seen.features
    if seen.stale:
        return rules.after_write
    if seen.unmet and (f.words or f.steps) and not (seen.novelty or seen.new_numbers or seen.worklist):
        return rules.negative  # a name made of words, or a number of digits, that were all tried
    if seen.new_pair or f.grid or (f.steps and (seen.new_numbers or seen.new_ids)):
        spelled = seen.unmet and f.words and seen.novelty <= _SPELLED and not seen.new_numbers
        long = seen.since_news > _LONG_WALK and spelled and not seen.new_pair
        return (rules.walk + rules.negative) / 2 if long else rules.walk
    reworded = f.leaves <= 1 and seen.novelty > 0 and not (f.command and seen.unmet)
    if reworded or not seen.new_ids:
        return rules.negative
    known_place = f.leaves <= 1 or (f.target != 0 and not seen.new_target)
    return (rules.walk + rules.negative) / 2 if known_place else rules.walk
