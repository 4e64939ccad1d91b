"""What numbers did where only they are new: count the calls, or move.

A number that goes up by one with every call of its kind counts the calls; one that goes up by one with every call of
any kind counts the calls of the run (a revision, a view). Numbers that jump, stand still or fall are measured.
"""

from detectors.feature_types import Features
from detectors.look import Numeric
from detectors.memory import Memory, put

_MASK = 0xFFFFFFFF
_NO_COUNTER = 255
_SERIAL = 2
"""Answers in a row with a number one above the last, from which it counts the calls of the run."""
_LONGISH = 8
"""Lines from which that holds where the call was never made before."""
_LONG = 12
"""Lines; of a longer answer a single changed number is no news."""


def numeric(memory: Memory, f: Features, forms: int, *, varied: bool) -> Numeric:
    """A number that only goes up by one each time counts the calls; one number in a long answer is no news."""
    if f.total >= _LONG or (varied and f.total >= _LONGISH and forms <= 1):
        return "counter" if forms <= max(1, f.total // 20) else "moved"
    before = memory.numbers.get(sum(f.shapes) & _MASK)
    if (
        before is not None
        and memory.serial >= _SERIAL
        and _follows(memory.last_numbers, before[1:], f.numbers)
    ):
        return "counter"
    if before is None or before[0] == _NO_COUNTER:
        return "moved"
    return "counter" if before[0] >= 1 and _went_up_by_one(before[1:], f.numbers) else "moved"


def _went_up_by_one(old: list[int], new: list[int]) -> bool:
    """Every number that changed is one more than it was. Each number is two hashes: its own, and of the one below."""
    if len(old) != len(new):
        return False
    changed = [
        below == was for now, below, was in zip(new[::2], new[1::2], old[::2], strict=False) if now != was
    ]
    return bool(changed) and all(changed)


def _follows(last: list[int], old: list[int], new: list[int]) -> bool:
    """The one number that changed since these words came is one above a number of the answer before."""
    if len(old) != len(new):
        return False
    changed = -1
    for at in range(0, len(new) - 1, 2):
        if new[at] != old[at]:
            if changed >= 0:
                return False
            changed = at
    return changed >= 0 and new[changed + 1] in last


def remember_numbers(memory: Memory, f: Features) -> None:
    """How often in a row the numbers of an answer that has some went up by one; others count no calls."""
    key = sum(f.shapes) & _MASK
    before = memory.numbers.get(key)
    numbers = f.numbers[:16]
    old = before[1:] if before is not None else []
    if before is not None and old != numbers:
        if f.total < 2 or not _follows(memory.last_numbers, old, numbers):
            memory.serial = 0
        elif memory.last_numbered != key:  # the same words again: how far a work has come, as likely
            memory.serial = min(memory.serial + 1, 255)
    memory.last_numbers, memory.last_numbered = numbers[::2], key
    run = 0
    if before is not None:
        steady = before[0] != _NO_COUNTER and _went_up_by_one(old, f.numbers)
        run = min(before[0] + 1, _NO_COUNTER - 1) if steady else _NO_COUNTER
    put(memory.numbers, key, [run, *numbers], 16)
