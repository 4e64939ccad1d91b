"""What the rounds of unseen cases taught holds in other words too."""

import pytest
from kinds import Kind, steps
from kinds_rounds import HEALTHY_AFTER, STALLS_AFTER

from bench.verdict import Verdict, judge_case
from detectors.events import Event
from detectors.rules import RuleBook, Rules


def _judge(kind: Kind) -> Verdict:
    return judge_case({"id": kind.__name__}, list[Event](steps(kind)), RuleBook(Rules()))


@pytest.mark.parametrize("kind", HEALTHY_AFTER, ids=lambda kind: kind.__name__)
def test_healthy_work_is_left_alone(kind: Kind) -> None:
    verdict = _judge(kind)
    assert verdict.highest == 0, (verdict.first, verdict.texts)


@pytest.mark.parametrize(("kind", "by"), STALLS_AFTER, ids=lambda value: getattr(value, "__name__", ""))
def test_a_stall_is_warned_of_in_time(kind: Kind, by: int) -> None:
    verdict = _judge(kind)
    assert verdict.first is not None
    assert verdict.first <= by, verdict.texts
