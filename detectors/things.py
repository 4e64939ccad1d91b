"""What a call is about: things that are new to the run, handles that an answer has just given, points of a grid.

An id that an answer issued a moment ago for what was just made or opened is a handle, not another thing; what has
waited for longer is one of several things to be done.
"""

from detectors.feature_types import Features
from detectors.memory import ISSUED, RECENT, THINGS, Memory, put

_MASK = 0xFFFFFFFF
_USES = 8
_WORKED = 3
"""Calls that may name a thing before it is no new one for another tool."""
_HANDED, _NEVER_ISSUED = 4, -(2**31)
"""Steps within which an issued serial number is used as a handle."""
_ITEM = 6
"""Steps within which calls with a new id are taken as work on one item."""


def names_only(f: Features) -> bool:
    """The arguments are names of things, two or more: a point of a grid. O(1)."""
    return f.leaves >= 2 and len(f.ids) >= f.leaves and not f.command


def pair(f: Features, tool: int) -> int:
    """What the names are together, for this tool. O(ids)."""
    return (sum(f.ids) ^ tool) & _MASK


def just_issued(memory: Memory, token: int) -> bool:
    """An answer of the last few steps gave it; what has waited for longer is one of several things to be done."""
    return memory.steps - memory.issued.get(token, _NEVER_ISSUED) <= _HANDED


def handles_and_things(memory: Memory, new_ids: set[int], tool: int) -> tuple[int, set[int]]:
    """Of the ids that are new to the tool, how many an answer had issued; and those that name a new thing."""
    if not new_ids:
        return 0, new_ids
    issued = {token for token in new_ids if just_issued(memory, token ^ tool)}
    things = memory.things
    return len(issued), {
        token for token in new_ids if token not in issued and things.get(token ^ tool, 0) < _WORKED
    }


def any_recent(memory: Memory, ids: list[int]) -> bool:
    """One of the ids came up a few steps ago and was asked about once or twice."""
    recent = memory.recent
    for token in ids:
        if token in recent:
            step, uses = divmod(recent[token], _USES)
            if memory.steps - step < _ITEM and uses <= 2:
                return True
    return False


def remember_items(memory: Memory, f: Features, tool: int, new: set[int]) -> None:
    """The ids of the call are known as things, and as items in work. O(ids)."""
    recent = memory.recent
    for token in f.ids:
        put(memory.things, token, min(memory.things.get(token, 0) + 1, 255), THINGS)
        if token in recent:
            recent[token] = min(recent[token] + 1, recent[token] // _USES * _USES + _USES - 1)
        elif token ^ tool in new and token not in f.words:
            put(recent, token, memory.steps * _USES + 1, RECENT)


def remember_issued(memory: Memory, f: Features) -> None:
    """The serial numbers of the answer may be handles from now on, but for those of a list. O(numbers)."""
    for token in f.issued:
        if token not in memory.heads and token not in memory.issued:
            put(memory.issued, token, memory.steps, ISSUED)
