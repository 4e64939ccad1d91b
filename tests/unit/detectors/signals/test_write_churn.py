"""Writes that leave or restore the world."""

from typing import Any

import pytest
from looks import again, look

from detectors.parameters import WriteChurn
from detectors.signals.write_churn import weigh

RULES = WriteChurn()


def weight(returns: int = 0, **facts: Any) -> float | None:
    mark = weigh(look(**facts), RULES, returns)
    return None if mark is None else mark.weight


def test_weights_by_kind() -> None:
    assert weight(write="same") == 1.5
    assert weight(write="rewritten") == 1.0
    assert weight(write="returned") == 0.5
    assert weight(write="returned", returns=1) == 1.0
    assert weight(write="cosmetic") == 0.7


def test_a_call_without_effect_that_tells_something_new_is_a_look() -> None:
    assert weight(write="same", unseen=2) is None
    assert weight(write="same", unseen=2, features={"failed": True}) == 1.5


@pytest.mark.parametrize(
    ("since_news", "expected"), [(0, 0.3), (1, 0.33), (5, 0.45), (9, 0.57), (10, 0.57), (500, 0.57)]
)
def test_one_target_of_many_weighs_little_and_a_little_more_while_nothing_is_found(
    since_news: int, expected: float
) -> None:
    found = weigh(look(write="same", new_target=True, since_news=since_news), RULES, 0)
    assert found is not None
    assert found.weight == pytest.approx(expected)
    assert (found.families, found.over_news) == (("effects",), False)


def test_it_never_grows_beyond_a_write_without_effect() -> None:
    gentle = WriteChurn(no_effect=0.5, one_of_many=0.3)
    found = weigh(look(write="same", new_target=True, since_news=9), gentle, 0)
    assert found is not None
    assert found.weight == 0.5


@pytest.mark.parametrize(
    ("facts", "many"),
    [
        ({"unmet": {5}}, True),
        ({"unmet": {5}, "features": {"command": True}}, False),
        ({"new_target": True, "features": {"body": 7}}, False),
        ({"new_target": True, "before": again()}, False),
        ({"new_target": True, "unmoved_state": True}, False),
        ({}, False),
    ],
)
def test_one_of_many_is_another_thing_given_no_content_and_not_changed_by_others(
    facts: dict[str, Any], *, many: bool
) -> None:
    assert weight(write="same", since_news=0, **facts) == (0.3 if many else 1.5)


def test_new_states_and_other_calls_are_none() -> None:
    assert weight(write="new") is None
    assert weight(write="") is None
