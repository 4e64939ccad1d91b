"""Known answers to varied calls."""

import pytest
from looks import again, look

from detectors.parameters import NoNews
from detectors.signals.no_news import weigh

RULES = NoNews()
PACE_S = 6.0
SHORT = {"total": 1, "lines": [1], "shapes": [1]}


def weight(**facts: object) -> float | None:
    mark = weigh(look(**facts), RULES, PACE_S)  # type: ignore[arg-type]
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
    assert weight(features=ack, act=True, novelty=0.1, since_news=0) == 0.3


@pytest.mark.parametrize(
    ("since_news", "leaves", "expected"), [(0, 1, 0.1), (1, 1, 0.8), (1, 2, 0.8), (2, 1, 0.8), (9, 2, 0.8)]
)
def test_prose_is_work_where_it_comes_right_after_news(since_news: int, leaves: int, expected: float) -> None:
    note = SHORT | {"tone": "ack", "prose": True, "leaves": leaves}
    assert weight(features=note, act=True, novelty=0.1, since_news=since_news) == pytest.approx(expected)


def test_an_echo_is_nothing() -> None:
    assert weight(features=SHORT | {"echo": True, "own": 1, "leaves": 1}, new_ids=1) == 1.0


def test_jitter_of_an_equal_call_weighs_a_little() -> None:
    mark = weigh(look(before=again(), numeric="moved", unseen_forms=1, answer=5), RULES, PACE_S)
    assert mark is not None
    assert (mark.weight, mark.over_news) == (0.2, True)
    assert weight(numeric="moved", unseen_forms=1) is None


@pytest.mark.parametrize(
    ("moves", "gap_s", "expected"),
    [(2, 1.0, 0.2), (3, None, 0.7), (3, 6.0, 0.7), (3, 12.0, 0.35), (3, 600.0, 0.2)],
)
def test_figures_in_a_known_text_are_jitter_until_it_is_looked_at_tightly(
    moves: int, gap_s: float | None, expected: float
) -> None:
    text = {"vocab": list(range(20)), "figures": 6}
    found = weight(
        before=again(moves=moves), numeric="moved", unseen_forms=1, answer=5, gap_s=gap_s, features=text
    )
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("facts", "vocab", "expected"),
    [
        ({"unseen": 2}, 12, 0.7),
        ({"unseen": 2}, 5, 0.4),
        ({"serial": True, "unseen_forms": 1}, 5, 0.8),
        ({"serial": True, "unseen_forms": 2, "new_ids": 1, "named": True}, 5, 0.3),
    ],
)
def test_known_words_in_another_arrangement_weigh_a_share(
    facts: dict[str, object], vocab: int, expected: float
) -> None:
    assert weight(features={"vocab": list(range(vocab))}, **facts) == pytest.approx(expected)


def test_words_that_are_not_all_known_are_news() -> None:
    assert weight(features={"vocab": list(range(12))}, unseen=2, unworded=1) is not None
    assert weight(features={"vocab": list(range(12))}, unseen=2, unworded=2) is None


def test_weak_answers_are_no_output_side_evidence() -> None:
    for shape in (
        {"tone": "negative"},
        {"tone": "ack"},
        {"echo": True, "own": SHORT["total"]},
        {"total": 0, "lines": [], "shapes": []},
    ):
        mark = weigh(look(features=SHORT | shape), RULES, PACE_S)
        assert mark is not None
        assert "answers" not in mark.families
    telling = weigh(look(features=SHORT), RULES, PACE_S)
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


@pytest.mark.parametrize(
    ("features", "facts", "expected"),
    [
        ({"total": 3}, {"unmet": {5}}, 0.3),
        ({"total": 7}, {"unmet": {5}}, 0.3),
        ({"total": 8}, {"unmet": {5}}, 0.7),
        ({"total": 5, "size": 300}, {"unmet": {5}}, 0.7),
        ({"total": 5, "size": 299}, {"unmet": {5}}, 0.3),
        ({"total": 4, "size": 300}, {"unmet": {5}}, 0.3),
        ({"total": 4, "prose": True}, {"unmet": {5}}, 1.0),
        ({"total": 4, "command": True}, {"unmet": {5}, "new_ids": 1}, 0.5),
        ({"total": 12, "effect": "write"}, {"unmet": {5}, "new_ids": 1}, 0.1),
        ({"total": 12, "effect": "write"}, {"unmet": {5}}, 0.7),
        ({"total": 8}, {"worklist": True}, 0.7),
        ({"total": 7}, {"worklist": True}, 0.1),
        ({"total": 8}, {"worklist": True, "act": True}, 0.1),
        ({"total": 4, "body": 7}, {"worklist": True}, 1.0),
        ({"total": 0}, {"new_window": True}, 1.0),
    ],
)
def test_a_known_answer_weighs_by_what_it_is_and_what_was_asked(
    features: dict[str, object], facts: dict[str, object], expected: float
) -> None:
    assert weight(features=features, **facts) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, 0.5),
        ({"unseen": 1, "features": {"vocab": [1, 2, 3, 4]}}, 0.5),
        ({"unseen": 1, "features": {"vocab": [1, 2, 3]}}, None),
        ({"unseen": 1, "unworded": 1, "features": {"vocab": [1, 2, 3, 4]}}, None),
        ({"write": "new"}, None),
        ({"features": {"failed": True}}, None),
        ({"before": again()}, None),
    ],
)
def test_an_act_that_leads_to_a_known_place_weighs_half_unless_it_tells_something(
    facts: dict[str, object], expected: float | None
) -> None:
    assert weight(known_place=True, act=True, **facts) == expected


@pytest.mark.parametrize(
    ("facts", "calls"), [({"novelty": 0.49}, True), ({"novelty": 0.5}, False), ({"new_ids": 1}, False)]
)
def test_only_a_question_that_is_mostly_known_is_evidence_of_calls(
    facts: dict[str, object], *, calls: bool
) -> None:
    mark = weigh(look(**facts), RULES, PACE_S)  # type: ignore[arg-type]
    assert mark is not None
    assert mark.families == (("answers", "calls") if calls else ("answers",))
