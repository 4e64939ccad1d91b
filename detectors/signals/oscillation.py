"""`oscillation`: a cycle of calls with the same answers each lap.

Sees: the fingerprints of the last rounds (tool, resource and answer, so that reworded calls count as equal)
repeating with a period of two to six, at least two laps, at least two different rounds in a lap.
Ignores on purpose: everything about how dry the rounds are. It is a label: what the laps brought has been weighed
already, and a cycle that walks through items has new answers and never repeats.
"""

from detectors.parameters import Oscillation


def period(ring: list[int], rules: Oscillation) -> int:
    """The smallest period of the last rounds, 0 without one. O(max_period · laps)."""
    laps, size = rules.laps, len(ring)
    for p in range(2, min(rules.max_period, size // laps) + 1):
        if ring[-1] != ring[-1 - p]:
            continue
        lap = ring[-p:]
        if ring[-p * laps :] == lap * laps and len(set(lap)) >= 2:
            return p
    return 0
