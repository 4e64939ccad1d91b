"""The verdict on a case does not hang on names, wrappers, volatile parts or what is interleaved."""

import pytest
from case_changes import CHANGES, LEGITIMATE, Change, changed

from bench.convert import case_events, cases
from bench.verdict import judge_case
from detectors.rules import RuleBook, Rules

BOOK = RuleBook(Rules())
ALL = cases()


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_harmless_change_leaves_every_verdict(change: Change) -> None:
    wrong = set()
    for case in ALL:
        other = changed(case, change)
        if not judge_case(other, case_events(other), BOOK).right:
            wrong.add(case["id"])
    assert wrong == {case for name, case in LEGITIMATE if name == change.__name__}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_harmless_change_halts_no_healthy_run(change: Change) -> None:
    for case in ALL:
        if case["kind"] == "B":
            other = changed(case, change)
            assert judge_case(other, case_events(other), BOOK).halted is None, case["id"]


def test_changes_do_change_something() -> None:
    """A change that changes nothing would test nothing."""
    for change in CHANGES:
        assert any(changed(case, change) != case for case in ALL), change.__name__
