"""What follows from the facts of a call."""

from typing import Any

import pytest
from looks import WORLD, again, look

from detectors.look import Look
from detectors.memory import Call

WORDS = {"vocab": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]}
LONG = {"total": 16}


def verdict(seen: Look) -> str:
    """News, figures that moved, or nothing that is new: one of them holds of each call."""
    said = [name for name in ("fresh", "moved", "known") if getattr(seen, name)]
    assert len(said) == 1
    return said[0]


@pytest.mark.parametrize(
    ("facts", "asks"),
    [
        ({}, False),
        ({"unmet": {5}}, True),
        ({"named": True}, True),
        ({"new_target": True}, True),
        ({"new_window": True}, True),
        ({"new_pair": True}, True),
        ({"new_numbers": 1}, True),
        ({"new_numbers": 1, "features": {"prose": True}}, False),
        ({"novelty": 1.0}, False),
        ({"new_ids": 1}, False),
        ({"worklist": True}, False),
    ],
)
def test_it_asks_where_it_is_about_a_thing_not_met_so_far(facts: dict[str, Any], *, asks: bool) -> None:
    assert look(**facts).asks == asks


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, "known"),
        ({"unseen": 1}, "fresh"),
        ({"unseen_forms": 1, "numeric": "moved"}, "moved"),
        ({"unseen_forms": 1, "numeric": "counter"}, "known"),
        ({"unseen": 1, "numeric": "moved"}, "fresh"),
        ({"unseen_forms": 1, "numeric": "moved", "features": {"tone": "negative"}}, "known"),
        ({"unseen": 1, "features": {"tone": "negative"}}, "fresh"),
        ({"unseen_forms": 1, "numeric": "moved", "before": again(), "answer": 5}, "moved"),
    ],
)
def test_lines_are_news_figures_move_and_the_rest_is_known(facts: dict[str, Any], expected: str) -> None:
    assert verdict(look(**facts)) == expected


def test_an_answer_like_the_last_one_is_known_whatever_the_index_has_forgotten() -> None:
    seen = look(before=again(), unseen=3, unseen_forms=2, numeric="moved")
    assert (seen.same, seen.unseen, seen.unseen_forms, seen.numeric) == (True, 0, 0, "")
    assert verdict(seen) == "known"


@pytest.mark.parametrize(
    ("answer", "numeric", "same"), [(2, "", True), (5, "", False), (5, "counter", True), (5, "moved", False)]
)
def test_a_counter_of_calls_makes_no_other_answer(answer: int, numeric: str, *, same: bool) -> None:
    assert look(before=again(), answer=answer, numeric=numeric).same == same
    assert not look(answer=answer, numeric=numeric).same


def test_a_write_since_the_same_call_changed_the_world() -> None:
    assert look(before=again(world=WORLD - 1)).changed_world
    assert not look(before=again()).changed_world
    assert not look().changed_world


@pytest.mark.parametrize(
    ("unseen", "features", "thin"),
    [
        (1, LONG, True),
        (2, LONG, False),
        (2, {"total": 32}, True),
        (1, {"total": 8}, True),
        (1, {"total": 7}, False),
        (0, LONG, False),
    ],
)
def test_one_new_line_in_a_long_answer_is_thin(unseen: int, features: dict[str, Any], *, thin: bool) -> None:
    seen = look(unseen=unseen, features=features)
    assert seen.thin == thin
    assert verdict(seen) == ("known" if thin or not unseen else "fresh")


@pytest.mark.parametrize("facts", [{"unmet": {5}}, {"before": again(), "answer": 5}])
def test_to_a_new_question_or_an_equal_one_a_single_line_is_an_answer(facts: dict[str, Any]) -> None:
    seen = look(unseen=1, features=LONG, **facts)
    assert not seen.thin
    assert seen.fresh


@pytest.mark.parametrize(
    ("facts", "restated"),
    [
        ({"unseen": 2}, True),
        ({"unseen": 3}, False),
        ({"unseen": 1, "unworded": 1}, True),
        ({"unseen": 1, "unworded": 2}, False),
        ({"unseen": 2, "unmet": {5}}, False),
        ({"unseen": 2, "features": {"vocab": [1, 2, 3]}}, False),
        ({"unseen": 2, "features": {"vocab": [1, 2, 3, 4]}}, True),
        ({"unseen": 1, "unworded": 1, "features": {"vocab": list(range(10))}}, True),
        ({"unseen": 1, "unworded": 1, "features": {"vocab": list(range(9))}}, False),
        ({"unseen": 2, "features": WORDS | {"total": 2}}, True),
        ({"unseen": 2, "unworded": 1, "features": WORDS | {"total": 2}}, False),
        ({"numeric": "moved", "unseen_forms": 1}, True),
        ({"numeric": "moved", "unseen_forms": 1, "features": WORDS | {"figures": 7}}, False),
        ({"unseen": 1, "before": again(), "answer": 5}, True),
        ({"unseen": 1, "before": again(), "answer": 5, "features": WORDS | {"total": 2}}, False),
        ({"numeric": "moved", "unseen_forms": 1, "before": again(), "answer": 5}, False),
        ({}, False),
    ],
)
def test_known_words_in_another_arrangement_are_restated(facts: dict[str, Any], *, restated: bool) -> None:
    seen = look(**({"features": WORDS} | facts))
    assert seen.restated == restated
    assert verdict(seen) == "known" or not restated


@pytest.mark.parametrize(
    ("facts", "restated"),
    [
        ({}, True),
        ({"unmet": {5}}, True),
        ({"before": again(world=1), "answer": 5}, True),
        ({"before": again(), "answer": 5}, False),
        ({"before": again(world=1), "answer": 5, "features": {}}, False),
    ],
)
def test_new_serial_numbers_alone_restate_where_they_name_another_instance(
    facts: dict[str, Any], *, restated: bool
) -> None:
    instance: dict[str, Any] = {"features": WORDS, "serial": True, "unseen_forms": 1}
    seen = look(**(instance | facts))
    assert seen.restated == restated
    assert verdict(seen) == "known"


def _failed(*, world: int = WORLD - 1, flips: int = 0, failed: bool = True) -> Call:
    return Call(9, world, failed=failed, flips=flips)


@pytest.mark.parametrize(
    ("facts", "mended"),
    [
        ({"before": _failed()}, True),
        ({"before": _failed(world=WORLD)}, False),
        ({"before": _failed(flips=1)}, False),
        ({"before": _failed(failed=False)}, False),
        ({"before": _failed(), "features": {"failed": True}}, False),
        ({}, False),
    ],
)
def test_a_call_that_has_failed_so_far_and_is_mended_by_a_change_is_news_in_known_words(
    facts: dict[str, Any], *, mended: bool
) -> None:
    assert verdict(look(**facts)) == ("fresh" if mended else "known")


def test_what_is_mended_is_news_though_it_is_told_in_words_that_are_all_known() -> None:
    seen = look(before=_failed(), unseen=1, features=WORDS)
    assert seen.restated
    assert verdict(seen) == "fresh"


@pytest.mark.parametrize(
    ("words", "figures", "total", "forms", "wordy", "textual"),
    [
        (12, 6, 4, 4, True, False),
        (12, 7, 4, 4, False, False),
        (11, 0, 4, 0, False, False),
        (20, 6, 4, 4, True, True),
        (20, 7, 4, 4, True, False),
        (20, 40, 5, 2, False, True),
        (20, 40, 5, 3, False, False),
        (19, 0, 5, 0, True, False),
    ],
)
def test_a_text_has_more_words_than_figures(
    words: int, figures: int, total: int, forms: int, *, wordy: bool, textual: bool
) -> None:
    text: dict[str, Any] = {"vocab": list(range(words)), "figures": figures, "total": total}
    seen = look(unseen_forms=forms, features=text)
    assert (seen.wordy, seen.textual) == (wordy, textual)


@pytest.mark.parametrize(
    ("features", "facts", "musing"),
    [
        ({}, {}, True),
        ({}, {"planned": 0}, False),
        ({"prose": False}, {}, False),
        ({"leaves": 2}, {}, False),
        ({"command": True}, {}, False),
        ({"failed": True}, {}, False),
        ({"target": 9}, {}, False),
        ({"total": 2}, {}, False),
        ({"tone": ""}, {}, False),
        ({"tone": "", "total": 0}, {"silent": True}, True),
    ],
)
def test_prose_addressed_to_nothing_among_thoughts_is_one(
    features: dict[str, Any], facts: dict[str, Any], *, musing: bool
) -> None:
    thought: dict[str, Any] = {"prose": True, "leaves": 1, "total": 1, "tone": "ack"}
    assert look(features=thought | features, **({"planned": 1} | facts)).musing == musing


def test_four_thoughts_in_a_row_are_pondering_and_news_is_after_the_step_before() -> None:
    assert [look(planned=n).pondering for n in (0, 3, 4, 90)] == [False, False, True, True]
    assert [look(since_news=n).after_news for n in (0, 1)] == [True, False]
