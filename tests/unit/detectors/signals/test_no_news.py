"""Known answers to varied calls."""

import pytest
from looks import again, look

from detectors.parameters import NoNews
from detectors.signals.no_news import weigh

RULES = NoNews()
SHORT = {"total": 1, "lines": [1], "shapes": [1]}


def weight(**facts: object) -> float | None:
    mark = weigh(look(**facts), RULES)  # type: ignore[arg-type]
    return None if mark is None else mark.weight


def test_a_readers_known_answer_weighs_in_full() -> None:
    assert weight() == 1.0
    assert weight(novelty=1.0) == 1.0


def test_a_worklist_and_new_ground_weigh_little() -> None:
    assert weight(worklist=True) == 0.1
    assert weight(new_target=True) == 0.1
    assert weight(new_window=True) == 0.1


def test_a_long_copy_from_elsewhere_weighs_more_than_a_short_one() -> None:
    assert weight(new_target=True, features={"total": 12}) == 0.7


def test_after_a_write_a_long_known_answer_is_a_check() -> None:
    assert weight(stale=True) == 0.3


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"new_ids": 1}, 0.1),
        ({"new_numbers": 1}, 0.3),
        ({"novelty": 0.0}, 1.0),
        ({"novelty": 0.4}, 0.6),
        ({"novelty": 1.0}, 0.3),
    ],
)
def test_a_short_answer_weighs_by_how_much_of_the_question_is_new(
    facts: dict[str, object], expected: float
) -> None:
    assert weight(features=SHORT, **facts) == pytest.approx(expected)


def test_nothing_there_weighs_whatever_the_words() -> None:
    negative = SHORT | {"tone": "negative"}
    assert weight(features=negative, novelty=1.0) == 0.8
    assert weight(features=negative | {"leaves": 2}, new_ids=1) == 0.3
    assert weight(features=negative | {"leaves": 1}, new_ids=1, novelty=1.0) == 0.8
    assert weight(features=negative | {"leaves": 1}, new_ids=1) == pytest.approx(0.55)
    assert weight(features=negative | {"leaves": 1, "steps": [5]}, new_numbers=1) == 0.3
    assert weight(features=negative | {"leaves": 2, "target": 9}, new_ids=1) == pytest.approx(0.55)
    assert weight(features=negative | {"leaves": 2, "target": 9}, new_ids=1, new_target=True) == 0.3
    assert weight(features=negative, stale=True) == 0.3


def test_acts_weigh_by_their_new_words() -> None:
    ack = SHORT | {"tone": "ack"}
    assert weight(features=ack, act=True, novelty=0.5) == pytest.approx(0.1)
    assert weight(features=ack | {"prose": True}, act=True, novelty=0.1) == pytest.approx(0.8)
    assert weight(features=ack | {"body": 7}, act=True) == 0.1
    assert weight(features=ack | {"prose": True}, act=True, since_news=0) == 0.3


def test_an_echo_is_nothing() -> None:
    assert weight(features=SHORT | {"echo": True, "own": 1, "leaves": 1}, new_ids=1) == 1.0


def test_jitter_of_an_equal_call_weighs_a_little() -> None:
    mark = weigh(look(before=again(), numeric="moved", unseen_forms=1, answer=5), RULES)
    assert mark is not None
    assert (mark.weight, mark.over_news) == (0.2, True)
    assert weight(numeric="moved", unseen_forms=1) is None


def test_weak_answers_are_no_output_side_evidence() -> None:
    for shape in (
        {"tone": "negative"},
        {"tone": "ack"},
        {"echo": True, "own": SHORT["total"]},
        {"total": 0, "lines": [], "shapes": []},
    ):
        mark = weigh(look(features=SHORT | shape), RULES)
        assert mark is not None
        assert "answers" not in mark.families
    telling = weigh(look(features=SHORT), RULES)
    assert telling is not None
    assert telling.families == ("answers", "calls")


def test_what_it_ignores() -> None:
    assert weight(before=again()) is None
    assert weight(covered=True) is None
    assert weight(excused=True) is None
    assert weight(write="new") is None
    assert weight(features={"failed": True}) is None
    assert weight(features={"missing": True}) is None
    assert weight(features={"effect": "plan"}) is None
    assert weight(features={"effect": "plan"}, planned=6) == 0.8
