"""One cause behind many failures."""

from typing import Any

import pytest
from looks import WORLD, again, fault, look

from detectors.look import Mark
from detectors.parameters import SameError
from detectors.signals.same_error import weigh

RULES = SameError()
DENIED = {"failed": True, "cause": "denied"}
OTHER = {"failed": True, "cause": "error:00000007"}


def mark(features: dict[str, Any], **facts: Any) -> Mark | None:
    return weigh(look(features=features, **facts), RULES, 6.0)


def weight(features: dict[str, Any], **facts: Any) -> float | None:
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
    assert (found.weight, found.families) == (0.5, ("errors",))
    assert weight(DENIED, fault=fault(4), worklist=True) == 0.3


def test_a_fault_of_the_environment_weighs_nearly_in_full_at_one_thing_after_the_other() -> None:
    found = mark(DENIED, fault=fault(4), new_ids=1)
    assert found is not None
    assert found.weight == pytest.approx(0.8)
    assert found.families == ("errors",)
    assert weight(DENIED, fault=fault(4), new_ids=0) == 1.0
    assert weight(DENIED, fault=fault(4), new_ids=1, worklist=True) == 0.3


@pytest.mark.parametrize("name", ["uncallable", "malformed"])
def test_what_cannot_be_called_fails_whatever_it_is_given(name: str) -> None:
    wrong = {"failed": True, "cause": f"{name}:00000007"}
    found = mark(wrong, fault=fault(4), new_ids=1)
    assert found is not None
    assert (found.weight, found.families) == (1.0, ("errors",))
    assert weight(wrong, fault=fault(4, world=1), new_ids=1, new_target=True) == 1.5
    assert weight(OTHER, fault=fault(4, world=1), new_ids=1, new_target=True) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"new_numbers": 1}, 0.5),
        ({"new_numbers": 1, "features": {"ids": [5]}}, 1.0),
        ({"new_ids": 1, "features": {"body": 7, "target": 9}}, 1.0),
        ({"new_ids": 1, "new_target": True, "features": {"body": 7, "target": 9}}, 0.5),
    ],
)
def test_settings_and_contents_make_no_other_thing(facts: dict[str, Any], expected: float) -> None:
    given = dict(facts)
    assert weight(OTHER | given.pop("features", {}), fault=fault(4), **given) == expected


def test_a_cause_met_again_long_after_and_with_news_between_costs_half() -> None:
    assert weight(DENIED, fault=fault(4), news_since=True, fault_age=16) == 0.5
    assert weight(DENIED, fault=fault(4), news_since=True, fault_age=15) == 1.0
    assert weight(DENIED, fault=fault(4), news_since=False, fault_age=16) == 1.0


def test_the_same_call_failing_again_is_two_families() -> None:
    found = mark(OTHER, fault=fault(4), before=again())
    assert found is not None
    assert found.families == ("errors", "calls")


def test_new_lines_beside_the_failure_relieve_a_little() -> None:
    assert weight(DENIED, fault=fault(4), unseen=2) == 0.6


def test_a_success_is_none() -> None:
    assert weight({}, fault=fault(4)) is None


@pytest.mark.parametrize(
    ("features", "facts", "expected"),
    [
        ({"total": 3}, {}, 0.45),
        ({"total": 4}, {}, 1.5),
        ({"total": 4}, {"unseen_forms": 1}, 0.45),
        ({"total": 4}, {"unseen_forms": 1, "serial": True}, 1.5),
        ({"total": 4}, {"unseen_forms": 1, "numeric": "counter"}, 1.5),
        ({"total": 4, "vocab": list(range(20))}, {"unworded": 1}, 0.45),
        ({"total": 4, "vocab": list(range(20))}, {"unseen": 1}, 0.6),
    ],
)
def test_an_outcome_that_moves_with_the_change_before_it_weighs_little(
    features: dict[str, Any], facts: dict[str, Any], expected: float
) -> None:
    before = again(world=1)
    before.total = 4
    found = weight(OTHER | features, fault=fault(4, world=1), before=before, answer=5, **facts)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("cause", "unworded", "unseen", "expected"),
    [
        ("error:7", 2, 0, 1.0),
        ("error:7", 3, 0, 0.3),
        ("denied", 3, 0, 1.0),
        ("denied", 3, 1, 0.6),
        ("denied", 2, 1, 1.0),
    ],
)
def test_new_words_beside_a_known_cause_relieve_it(
    cause: str, unworded: int, unseen: int, expected: float
) -> None:
    told = {"failed": True, "cause": cause, "vocab": list(range(20))}
    assert weight(told, fault=fault(4), unworded=unworded, unseen=unseen) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [({}, 0.3), ({"world": WORLD + 1}, 1.5), ({"before": None}, 1.0), ({"new_window": True}, 0.15)],
)
def test_a_call_that_goes_well_and_wrong_in_turn_is_being_counted(
    facts: dict[str, Any], expected: float
) -> None:
    given = {"before": again(), "answer": 5} | facts
    assert weight(OTHER, fault=fault(4, returns=1), **given) == pytest.approx(expected)
