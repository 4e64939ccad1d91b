"""Cases of later rounds, written by people who had not read the rules: what was learnt from them is kept."""

from pathlib import Path
from typing import Any

import pytest

from bench.convert import case_events, case_folders, cases
from bench.verdict import Verdict, judge_case
from detectors.rules import RuleBook, Rules

ROUNDS = case_folders(Path(__file__).parents[1] / "cases")[1:]
ALL = [case for folder in ROUNDS for case in cases(folder)]
HEALTHY = [case for case in ALL if case["kind"] == "B"]

NOT_YET_RIGHT: frozenset[str] = frozenset(
    (
        "r3-ci-missing-secret-rerun",
        "r4-busqueda-logs-sin-ingesta",
        "r4-firmware-brownout-delay-fiddling",
        "r4-k8s-volume-affinity-restarts",
        "r4-pdb-stepping-event-loop",
        "r5-background-check-autoresponder",
        "r5-cardio-slot-referral-expired",
        "r5-claims-unreadable-estimate-ocr",
        "r5-recon-match-unmatch-cycle",
        "r5-wms-adjustment-reverted-by-sync",
        "r6-a-crackme-rereads-check",
        "r6-a-lean-false-lemma",
        "r6-a-nan-same-physical-time",
        "r6-a-note-copie-oscille",
        "r6-a-plakat-umlaut",
        "r6-a-tile-build-restarts",
        "r6-b-rolling-switch-upgrade",
        "r7-etl-312-duplicates",
        "r7-lib-authority-created-again",
        "r7-ml-frozen-training-log",
        "r8-chat-kuendigung-kreis",
        "r8-iot-charger-offline-jobs",
        "r8-pay-recheck-forever",
        "r8-soc-caption-pingpong",
        "r9-inbox-comes-back",
        "r9-index-upload-forbidden",
        "r9-lighthouse-grating",
        "r9-link-undefined-duplicate",
        "r9-two-reviewers-tug",
        "r10-auftrag-im-falschen-mandanten",
        "r10-compose-restart-old-image",
        "r10-job-that-can-never-start",
        "r10-paired-benchmark-switching-a-flag",
        "r10-reads-again-after-each-compaction",
        "r10-ruling-out-along-a-checklist",
        "r10-slide-label-snaps-back",
        "r10-two-subagents-wait-for-each-other",
        "r11-a3-offset-set-accepted-never-kept",
        "r11-bewohnerparken-sitzung-abgelaufen-de",
        "r11-shutdown-plan-three-orders-two-slots",
        "r11-silent-soil-probe-downlinks",
    )
)
"""Cases that are not right yet, by id. It may only get shorter: a case that became right has to leave it."""
PAST_A_NOTICE: frozenset[str] = frozenset(("r10-paired-benchmark-switching-a-flag",))
"""Healthy cases that get a replan or more. It may only get shorter."""


def _verdict(case: dict[str, Any]) -> Verdict:
    return judge_case(case, case_events(case), RuleBook(Rules()))


def test_every_round_is_here() -> None:
    kinds = {folder.name: [case["kind"] for case in cases(folder)] for folder in ROUNDS}
    assert {name: (k.count("A"), k.count("B")) for name, k in kinds.items()} == {
        "1": (6, 14),
        "2": (7, 13),
        "3": (7, 13),
        **{str(number): (8, 12) for number in range(4, 12)},
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
