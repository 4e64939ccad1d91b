"""Polls, in time."""

import pytest
from looks import again, look

from detectors.parameters import IdleWait
from detectors.signals.idle_wait import weigh

RULES = IdleWait()


def weight(**facts: object) -> float | None:
    mark = weigh(look(before=again(), **facts), RULES)  # type: ignore[arg-type]
    return None if mark is None else mark.weight


@pytest.mark.parametrize(("gap", "expected"), [(0.0, 1.0), (6.0, 1.0), (12.0, 0.5), (60.0, 0.1)])
def test_the_weight_falls_with_the_gap(gap: float, expected: float) -> None:
    assert weight(patience="strong", gap_s=gap) == pytest.approx(expected)


def test_with_weak_patience_it_has_to_be_slower() -> None:
    assert weight(patience="weak", gap_s=12.0) == 1.0
    assert weight(patience="weak", gap_s=80.0) == 0.25


def test_nothing_speaks_for_waiting() -> None:
    assert weight(patience="", gap_s=30.0) is None
    assert weight(patience="", gap_s=240.0) == pytest.approx(0.025)


def test_without_a_clock_a_wait_is_never_dry_enough_by_itself() -> None:
    assert weight(patience="strong", gap_s=None) == 0.35
    assert weight(patience="weak", gap_s=None) == 0.5
    assert weight(patience="", gap_s=None) is None


def test_slow_polls_are_evidence_of_time_only() -> None:
    fast = weigh(look(before=again(), patience="strong", gap_s=5.0), RULES)
    slow = weigh(look(before=again(), patience="strong", gap_s=50.0), RULES)
    assert fast is not None
    assert slow is not None
    assert (fast.families, slow.families) == (("time", "answers"), ("time",))


def test_what_it_ignores() -> None:
    for facts in ({"bare": True}, {"excused": True}, {"write": "same"}, {"features": {"failed": True}}):
        assert weight(patience="strong", gap_s=5.0, **facts) is None
    assert weigh(look(before=again(world=1), patience="strong", gap_s=5.0), RULES) is None
