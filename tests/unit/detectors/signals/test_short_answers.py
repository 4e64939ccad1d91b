"""What a known short answer weighs: by how much of the question is new."""

from typing import Any

import pytest
from looks import again, look

from detectors.parameters import NoNews
from detectors.signals.short_answers import weight

RULES = NoNews()
ONE = {"total": 1, "lines": [1], "shapes": [1]}
WORDY = {"vocab": list(range(12))}


def of(features: dict[str, Any], **facts: Any) -> float:
    return weight(look(features=ONE | features, **facts), RULES)


@pytest.mark.parametrize(
    ("features", "facts", "expected"),
    [
        ({}, {}, 1.0),
        ({}, {"novelty": 0.4}, 0.6),
        ({}, {"novelty": 1.0}, 0.3),
        ({}, {"new_ids": 1}, 0.1),
        ({}, {"new_target": True}, 0.1),
        ({}, {"new_numbers": 1}, 0.3),
        ({}, {"new_pair": True}, 0.3),
        ({}, {"handle": True}, 0.3),
        ({"grid": True}, {}, 0.3),
        ({"ids": [5]}, {}, 0.6),
        ({"ids": [5]}, {"before": again(), "answer": 5}, 1.0),
        ({"ids": [5], "prose": True}, {}, 1.0),
        ({"ids": [5]}, {"novelty": 0.2}, 0.8),
        (WORDY, {"novelty": 1.0}, 0.7),
        (WORDY, {"novelty": 1.0, "unmet": {5}}, 0.3),
    ],
)
def test_a_readers_answer(features: dict[str, Any], facts: dict[str, Any], expected: float) -> None:
    assert of(features, **facts) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("features", "expected"),
    [
        ({"ids": [5], "leaves": 1}, 0.3),
        ({"ids": [5, 6], "leaves": 1}, 0.3),
        ({"ids": [5, 6, 7], "leaves": 1}, 0.6),
        ({"ids": [5], "leaves": 1, "words": [8]}, 0.6),
        ({"ids": [5], "leaves": 2}, 0.6),
        ({"leaves": 1}, 1.0),
    ],
)
def test_a_name_that_stands_alone_is_another_thing(features: dict[str, Any], expected: float) -> None:
    assert of(features) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("features", "facts", "expected"),
    [
        ({}, {}, 1.0),
        ({}, {"novelty": 0.1}, 0.8),
        ({}, {"novelty": 0.5}, 0.1),
        ({}, {"since_news": 0}, 0.3),
        ({}, {"new_ids": 1}, 0.1),
        ({}, {"new_target": True}, 0.1),
        ({}, {"new_numbers": 1}, 0.3),
        ({"ids": [5]}, {}, 0.3),
        ({"ids": [5]}, {"before": again(), "answer": 5}, 1.0),
        ({"body": 7}, {}, 0.1),
        ({"body": 7}, {"before": again(), "answer": 5}, 1.0),
    ],
)
def test_an_acts_answer(features: dict[str, Any], facts: dict[str, Any], expected: float) -> None:
    assert of({"tone": "ack"} | features, act=True, **facts) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("leaves", "facts", "expected"),
    [
        (1, {"since_news": 0}, 0.1),
        (1, {"since_news": 1}, 1.0),
        (1, {"since_news": 1, "new_ids": 1}, 0.1),
        (1, {"since_news": 2, "new_ids": 1}, 1.0),
        (1, {"since_news": 2, "new_ids": 1, "novelty": 0.5}, 0.5),
        (2, {"since_news": 2, "new_ids": 1}, 0.1),
        (2, {"since_news": 2, "novelty": 0.5}, 0.5),
    ],
)
def test_notes_are_work_only_near_to_news(leaves: int, facts: dict[str, Any], expected: float) -> None:
    note = {"tone": "ack", "prose": True, "leaves": leaves}
    assert of(note, act=True, **facts) == pytest.approx(expected)


@pytest.mark.parametrize(("prose", "expected"), [(False, 0.8), (True, 1.0)])
def test_silence_is_weaker_than_a_word_unless_prose_was_said_into_it(*, prose: bool, expected: float) -> None:
    silence = {"total": 0, "lines": [], "shapes": [], "prose": prose}
    assert weight(look(features=silence, silent=True), RULES) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("features", "facts", "expected"),
    [
        ({}, {}, 0.8),
        ({}, {"novelty": 1.0}, 0.8),
        ({}, {"stale": True}, 0.3),
        ({}, {"new_pair": True}, 0.3),
        ({"grid": True}, {}, 0.3),
        ({"leaves": 2}, {"new_ids": 1}, 0.3),
        ({"leaves": 1}, {"new_ids": 1}, 0.55),
        ({"leaves": 1}, {"new_ids": 1, "novelty": 1.0}, 0.8),
        ({"leaves": 1, "command": True}, {"new_ids": 1, "novelty": 1.0, "unmet": {5}}, 0.55),
        ({"leaves": 2, "target": 9}, {"new_ids": 1}, 0.55),
        ({"leaves": 2, "target": 9}, {"new_ids": 1, "new_target": True}, 0.3),
        ({"leaves": 1, "steps": [5]}, {"new_numbers": 1}, 0.3),
        ({"leaves": 1}, {"new_numbers": 1}, 0.8),
    ],
)
def test_nothing_there(features: dict[str, Any], facts: dict[str, Any], expected: float) -> None:
    assert of({"tone": "negative"} | features, **facts) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("features", "facts", "expected"),
    [
        ({"words": [8]}, {}, 0.8),
        ({"steps": [8]}, {}, 0.8),
        ({}, {}, 0.3),
        ({"words": [8]}, {"novelty": 0.5}, 0.3),
        ({"words": [8]}, {"worklist": True}, 0.3),
        ({"steps": [8]}, {"new_numbers": 1}, 0.3),
    ],
)
def test_a_name_made_of_words_that_were_all_tried_is_a_rewording(
    features: dict[str, Any], facts: dict[str, Any], expected: float
) -> None:
    made = {"tone": "negative", "leaves": 2} | features
    assert of(made, unmet={5}, new_ids=1, **facts) == pytest.approx(expected)


def test_a_rule_set_decides_the_weights() -> None:
    rules = NoNews(weight=0.9, walk=0.2, negative=0.7, new_target=0.05)
    assert weight(look(features=ONE), rules) == 0.9
    assert weight(look(features=ONE, new_numbers=1), rules) == 0.2
    assert weight(look(features=ONE, new_ids=1), rules) == 0.05
    assert weight(look(features=ONE | {"tone": "negative"}), rules) == 0.7
