"""One plain sentence each, fitting the kind."""

import pytest

from detectors.catalog import CODES
from detectors.error_classes import CLASSES
from detectors.events import Evidence
from detectors.wording import sentences

EVIDENCE = Evidence(
    seq_from=15,
    seq_to=33,
    steps=31,
    repeats=4,
    period=3,
    tools=["look", "ask"],
    calls=["a", "b", "c"],
    cause="denied:0a",
    errors=6,
    waited_s=41.6,
    best_score=0.82,
    rounds_since_best=9,
    steps_since_news=12,
    steps_since_milestone=70,
    rounds=90,
)


@pytest.mark.parametrize("reason", CODES)
def test_every_reason_has_words(reason: str) -> None:
    people, model = sentences(reason, EVIDENCE, "unclear", since=14)
    assert people.endswith("(steps 14–31)")
    assert "\n" not in people + model
    assert 20 < len(people) < 250
    assert 20 < len(model) < 400


@pytest.mark.parametrize(
    ("reason", "part"),
    [
        ("exact_repeat", "the same answer 4 times"),
        ("oscillation", "a cycle of 3 calls (look and ask)"),
        ("no_news", "varied calls of look and ask bring nothing new, the last news is 12 steps old"),
        ("same_error", "6 failures of look and ask have one cause: access is denied"),
        ("idle_wait", "for 42 s"),
        ("no_progress", "0.82"),
        ("milestone_gap", "70 steps"),
    ],
)
def test_people_read_what_was_seen(reason: str, part: str) -> None:
    assert part in sentences(reason, EVIDENCE, "unclear", since=14)[0]


def test_a_waiter_is_not_told_to_vary_its_arguments() -> None:
    model = sentences("idle_wait", EVIDENCE, "unclear", since=14)[1]
    assert "longer intervals" in model
    assert "different question" not in model


def test_after_a_compaction_the_advice_is_to_write_not_to_search() -> None:
    assert "write down" in sentences("rereading", EVIDENCE, "amnesia", since=14)[1]


def test_an_unknown_reason_still_has_words() -> None:
    assert all(sentences("something_else", Evidence(), "unclear", since=14))


def test_one_call_that_fails_is_called_one() -> None:
    people, model = sentences("same_error", EVIDENCE, "unclear", since=14, one_call=True)
    assert people == "the same call of look failed 6 times in the same way: access is denied (steps 14–31)"
    assert "again as it is" in model


def test_every_class_of_causes_has_plain_words() -> None:
    for name, *_ in CLASSES:
        evidence = Evidence(cause=f"{name}:0a", errors=3, steps=9, tools=["look"])
        assert sentences("same_error", evidence, "unclear", since=1)[0].count("the same error") == 0


def test_steps_are_counted_as_the_run_counts_them() -> None:
    assert sentences("no_news", EVIDENCE, "unclear", since=31)[0].endswith("(step 31)")
