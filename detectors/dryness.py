"""Rounds and dryness: one weight for each round, and their exponential mean, kept by reason and by family.

The mean is a sum of masses, one for each reason, so the shares of the reasons fall out of it. A round has one
weight however many calls it has: it is recomputed from the masses before the round as its calls come.
"""

from detectors.canonical import short, text_bytes
from detectors.catalog import CODES, FAMILIES, INDEX
from detectors.events import Step
from detectors.look import Mark
from detectors.memory import RING, Memory
from detectors.rules import Rules

PARALLEL_S = 0.1
"""Calls at most this far apart are one round, where no turn is given."""
_REASONS = len(CODES)
_WIDTH = _REASONS + len(FAMILIES)


def enter(memory: Memory, step: Step, rules: Rules) -> bool:
    """The step's round is the present one; returns whether it is a new one. O(number of reasons)."""
    turn = 0 if step.turn is None else short(text_bytes(f"{step.agent}\0{step.turn!r}")) or 1
    ts = float(step.ts) if isinstance(step.ts, (int, float)) else None
    memory.no_clock = ts is None
    if memory.rounds and memory.weight >= -1.5:
        new = turn != memory.turn if turn else not _close(memory.ts, ts)
    else:
        new = True
    if new:
        if memory.idle and memory.masses:
            _fade(memory, ts, rules)
        memory.rounds += 1
        memory.turn = turn
        memory.base = memory.masses or [0.0] * _WIDTH
        memory.weight = -1.0
        ring = memory.ring
        ring.append(0)
        if len(ring) > RING:
            del ring[:-RING]
    memory.pause = ts - memory.ts - memory.ran if ts is not None and memory.ts is not None else None
    if ts is not None:
        memory.ts = ts
    return new


def _close(before: float | None, ts: float | None) -> bool:
    return before is not None and ts is not None and 0 <= ts - before <= PARALLEL_S


def settle(memory: Memory, mark: Mark | None, fresh: bool, rate: float) -> None:
    """The round's weight includes the call: the lowest of its calls that are not neutral. O(number of reasons)."""
    if mark is None and not fresh:
        return
    weight = mark.weight if mark is not None else 0.0
    if memory.weight >= 0 and weight >= memory.weight:
        return
    memory.weight = weight
    memory.label = INDEX[mark.reason] if mark is not None else 0
    keep = 1.0 - rate
    if not weight and not any(memory.base):
        memory.masses = memory.base  # nothing was dry, and nothing is
        return
    masses = [mass * keep for mass in memory.base]
    if mark is not None and weight:
        masses[memory.label] += rate * weight
        for family in mark.families:
            masses[_REASONS + FAMILIES.index(family)] += rate * weight
    memory.masses = masses


def dryness(memory: Memory) -> float:
    """0 … 1.5. O(number of reasons)."""
    return sum(memory.masses[:_REASONS])


def shares(memory: Memory) -> dict[str, float]:
    """Reason → its share of the dryness, largest first, shares under a hundredth left out. O(number of reasons)."""
    masses = memory.masses[:_REASONS]
    total = sum(masses)
    if total <= 0:
        return {}
    least = total / 100
    found = [
        (code, round(mass / total, 3)) for code, mass in zip(CODES, masses, strict=False) if mass >= least
    ]
    if len(found) > 1:
        found.sort(key=_by_share)
    return dict(found)


def families(memory: Memory) -> dict[str, float]:
    """Family → its mass in the dryness. O(number of families)."""
    return dict(zip(FAMILIES, memory.masses[_REASONS:], strict=False))


def clear(memory: Memory) -> None:
    """Dryness 0, and the next call opens a new round."""
    memory.masses = []
    memory.base = []
    memory.weight = -2.0
    memory.ring = []
    memory.waited_from = None


def _fade(memory: Memory, ts: float | None, rules: Rules) -> None:
    """An idle gap between rounds, nothing running, lets the dryness fade: whoever paces itself is no busy loop."""
    wait = rules.signals.idle_wait
    if ts is None or memory.ts is None:
        return
    gap = ts - memory.ts - memory.ran
    if gap > wait.fade_after_s:
        factor = 0.5 ** ((gap - wait.fade_after_s) / wait.half_life_s)
        memory.masses = [mass * factor for mass in memory.masses]


def _by_share(item: tuple[str, float]) -> tuple[float, int]:
    return -item[1], INDEX[item[0]]
