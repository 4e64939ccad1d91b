"""One cause behind many failures."""

import pytest
from looks import again, fault, look

from detectors.look import Mark
from detectors.parameters import SameError
from detectors.signals.same_error import weigh

RULES = SameError()
DENIED = {"failed": True, "cause": "denied"}
OTHER = {"failed": True, "cause": "error:00000007"}


def mark(features: dict[str, object], **facts: object) -> Mark | None:
    return weigh(look(features=features, **facts), RULES, 6.0)  # type: ignore[arg-type]


def weight(features: dict[str, object], **facts: object) -> float | None:
    found = mark(features, **facts)
    return None if found is None else found.weight


def test_a_new_cause_is_news_the_second_costs_half_then_each_in_full() -> None:
    assert weight(DENIED) is None
    assert weight(DENIED, fault=fault(0)) is None
    assert weight(DENIED, fault=fault(1)) == 0.5
    assert weight(DENIED, fault=fault(2)) == 1.0


def test_across_edits_it_grows() -> None:
    assert [weight(OTHER, fault=fault(n, world=1)) for n in (1, 2, 3, 9)] == [0.5, 1.0, 1.5, 1.5]


def test_a_cause_that_comes_back_after_relief_is_remembered() -> None:
    assert weight(OTHER, fault=fault(0, returns=2)) == 1.0


def test_growing_pauses_through_a_passing_fault_are_patience() -> None:
    passing = {"failed": True, "cause": "unavailable", "transient": True}
    assert weight(passing, fault=fault(4, call=1), gap_s=60.0) == pytest.approx(0.1)
    assert weight(passing, fault=fault(4, call=9), gap_s=60.0) == 1.0
    assert weight(DENIED, fault=fault(4, call=1), gap_s=60.0) == 1.0


def test_failures_about_other_things_weigh_less_and_are_one_family() -> None:
    found = mark(OTHER, fault=fault(4), new_ids=1)
    assert found is not None
    assert (found.weight, found.families) == (0.6, ("errors",))
    assert weight(DENIED, fault=fault(4), new_ids=1) == 1.0
    assert weight(DENIED, fault=fault(4), worklist=True) == 0.3


def test_the_same_call_failing_again_is_two_families() -> None:
    found = mark(OTHER, fault=fault(4), before=again())
    assert found is not None
    assert found.families == ("errors", "calls")


def test_new_lines_beside_the_failure_relieve_a_little() -> None:
    assert weight(DENIED, fault=fault(4), unseen=2) == 0.6


def test_a_success_is_none() -> None:
    assert weight({}, fault=fault(4)) is None
