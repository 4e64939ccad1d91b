"""The longer nothing at all was brought, the more each call says."""

import pytest

from detectors.judge import _lasting
from detectors.look import Mark
from detectors.news import NEVER
from detectors.parameters import Dryness

RULES = Dryness()
FAMILIES = ("answers", "calls")


def grown(weight: float, since_news: int, *, reason: str = "no_news", rules: Dryness = RULES) -> float:
    return _lasting(Mark(weight, reason, FAMILIES), since_news, rules).weight


@pytest.mark.parametrize(
    ("since_news", "times"), [(4, 1.0), (5, 1.05), (6, 1.1), (13, 1.45), (14, 1.5), (15, 1.5), (1000, 1.5)]
)
def test_a_weight_grows_with_each_call_beyond_the_patience_up_to_a_bound(
    since_news: int, times: float
) -> None:
    assert grown(0.8, since_news) == pytest.approx(0.8 * times)


def test_no_weight_grows_beyond_the_largest_of_all() -> None:
    assert grown(1.2, 500) == 1.5
    assert grown(1.5, 500) == 1.5


@pytest.mark.parametrize(("weight", "grows"), [(0.49, False), (0.5, True), (0.1, False)])
def test_what_weighs_little_is_slow_work_and_stays_so(weight: float, *, grows: bool) -> None:
    assert (grown(weight, 14) > weight) == grows


@pytest.mark.parametrize("reason", ["same_error", "idle_wait", "no_progress"])
def test_failures_waits_and_scores_grow_by_themselves(reason: str) -> None:
    assert grown(1.0, 500, reason=reason) == 1.0


@pytest.mark.parametrize("reason", ["exact_repeat", "no_news", "write_churn", "rereading"])
def test_all_others_grow(reason: str) -> None:
    assert grown(0.8, 500, reason=reason) == pytest.approx(1.2)


def test_a_run_that_never_had_news_has_nothing_to_count_from() -> None:
    assert grown(1.0, NEVER) == 1.0


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (Dryness(growth=0.0), 0.8),
        (Dryness(most=1.0), 0.8),
        (Dryness(patience=13), 0.84),
        (Dryness(patience=0), 0.8 * 1.5),
        (Dryness(growth=0.02), 0.96),
        (Dryness(most=1.25), 1.0),
    ],
)
def test_a_rule_set_decides_when_it_begins_how_fast_it_grows_and_how_far(
    rules: Dryness, expected: float
) -> None:
    assert grown(0.8, 14, rules=rules) == pytest.approx(expected)


def test_only_the_weight_changes() -> None:
    mark = Mark(0.8, "no_news", FAMILIES, over_news=True)
    found = _lasting(mark, 9, RULES)
    assert (found.reason, found.families, found.over_news) == (mark.reason, mark.families, True)
