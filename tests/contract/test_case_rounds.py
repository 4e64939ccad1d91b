"""Cases of later rounds, written by people who had not read the rules: what was learnt from them is kept."""

from pathlib import Path
from typing import Any

import pytest

from bench.convert import case_events, cases
from bench.verdict import Verdict, judge_case
from detectors.rules import RuleBook, Rules

ROUNDS = sorted((Path(__file__).parents[1] / "cases" / "rounds").iterdir())
ALL = [case for folder in ROUNDS for case in cases(folder)]
HEALTHY = [case for case in ALL if case["kind"] == "B"]

NOT_YET_RIGHT: frozenset[str] = frozenset(("r3-ci-missing-secret-rerun",))
"""Cases that are not right yet, by id. It may only get shorter: a case that became right has to leave it."""
PAST_A_NOTICE: frozenset[str] = frozenset()
"""Healthy cases that get a replan or more. It may only get shorter."""


def _verdict(case: dict[str, Any]) -> Verdict:
    return judge_case(case, case_events(case), RuleBook(Rules()))


def test_every_round_is_here() -> None:
    kinds = {folder.name: [case["kind"] for case in cases(folder)] for folder in ROUNDS}
    assert {name: (k.count("A"), k.count("B")) for name, k in kinds.items()} == {
        "1": (6, 14),
        "2": (7, 13),
        "3": (7, 13),
    }
    assert len({case["id"] for case in ALL}) == len(ALL)


@pytest.mark.parametrize("case", ALL, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    verdict = _verdict(case)
    assert verdict.right == (case["id"] not in NOT_YET_RIGHT), verdict


@pytest.mark.parametrize("case", HEALTHY, ids=lambda case: case["id"])
def test_no_healthy_run_gets_past_a_notice(case: dict[str, Any]) -> None:
    verdict = _verdict(case)
    assert (verdict.highest > 1) == (case["id"] in PAST_A_NOTICE), verdict
    assert verdict.halted is None
