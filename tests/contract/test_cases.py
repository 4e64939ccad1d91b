"""Every reported case: a stall is warned of in time and not halted too soon, healthy work is left alone."""

from typing import Any

import pytest

from bench.convert import case_events, cases
from bench.verdict import Verdict, judge_case
from detectors.rules import RuleBook, Rules

NOT_YET_RIGHT: frozenset[str] = frozenset()
"""Cases that are not right yet, by id. It may only get shorter: a case that became right has to leave it."""

ALL = cases()


def _verdict(case: dict[str, Any]) -> Verdict:
    return judge_case(case, case_events(case), RuleBook(Rules()))


def test_all_open_cases_are_here() -> None:
    kinds = [case["kind"] for case in ALL]
    assert (kinds.count("A"), kinds.count("B")) == (25, 22)


@pytest.mark.parametrize("case", ALL, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    verdict = _verdict(case)
    assert verdict.right == (case["id"] not in NOT_YET_RIGHT), verdict


@pytest.mark.parametrize("case", [c for c in ALL if c["kind"] == "B"], ids=lambda case: case["id"])
def test_no_healthy_run_gets_past_a_notice(case: dict[str, Any]) -> None:
    verdict = _verdict(case)
    assert verdict.highest <= 1, verdict


def test_saying_nothing_would_fail() -> None:
    """The check can fail: a judgement that never says anything gets exactly the healthy cases."""
    silent = [Verdict(case=c, first=None, halted=None, highest=0, reasons=[]) for c in ALL]
    assert sum(verdict.right for verdict in silent) == 22


def test_halting_at_once_would_fail() -> None:
    hasty = [Verdict(case=c, first=1, halted=1, highest=4, reasons=["no_news"]) for c in ALL]
    assert not any(verdict.right for verdict in hasty)
