"""Numbers that JSON can say."""

import math

import pytest

from detectors.occasion import finite


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (1, 1.0),
        (1.5, 1.5),
        (-0.5, -0.5),
        (None, None),
        (True, None),
        ("2026-01-01T00:00:00Z", None),
        (math.nan, None),
        (math.inf, None),
        (-math.inf, None),
        (10**400, None),
    ],
)
def test_a_number_is_finite_or_no_data(value: object, kept: float | None) -> None:
    assert finite(value) == kept
