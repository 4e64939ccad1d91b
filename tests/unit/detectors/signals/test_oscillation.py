"""Cycles of the last rounds."""

import pytest

from detectors.parameters import Oscillation
from detectors.signals.oscillation import period

RULES = Oscillation()


@pytest.mark.parametrize(
    ("ring", "expected"),
    [
        ([1, 2, 1, 2], 2),
        ([9, 1, 2, 3, 1, 2, 3], 3),
        ([1, 2, 3, 4, 5, 6] * 2, 6),
        ([1, 1, 1, 1, 1, 1], 0),
        ([1, 2, 1, 3], 0),
        ([1, 2, 3, 4, 5, 6, 7] * 3, 0),
        ([1, 2], 0),
        ([], 0),
    ],
)
def test_the_smallest_period(ring: list[int], expected: int) -> None:
    assert period(ring, RULES) == expected


def test_more_laps_can_be_asked_for() -> None:
    assert period([1, 2, 1, 2], Oscillation(laps=3)) == 0
    assert period([1, 2, 1, 2, 1, 2], Oscillation(laps=3)) == 2
