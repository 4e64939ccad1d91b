"""Writes that leave or restore the world."""

from looks import look

from detectors.parameters import WriteChurn
from detectors.signals.write_churn import weigh

RULES = WriteChurn()


def weight(returns: int = 0, **facts: object) -> float | None:
    mark = weigh(look(**facts), RULES, returns)  # type: ignore[arg-type]
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


def test_new_states_and_other_calls_are_none() -> None:
    assert weight(write="new") is None
    assert weight(write="") is None
