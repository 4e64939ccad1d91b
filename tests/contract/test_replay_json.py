"""The output of `stallwatch replay --json` is a contract: names, order and types of its fields, order of its lines."""

import json
from pathlib import Path
from typing import Any

import msgspec
from typer.testing import CliRunner

from detectors.events import Change, Evidence
from stallwatch.cli import app
from stallwatch.detector import Detector
from stallwatch.recordings.tally import Tally

DATA = Path(__file__).parent.parent / "data"
RECORDED = DATA / "recorded_runs.jsonl"
CHANGE = ("run_id", "attempt", "seq", "step", "rung", "action", "reason", "kind", "text", "evidence")
SUMMARY = (
    "summary",
    "run_id",
    "attempt",
    "task",
    "steps",
    "last_seq",
    "rung",
    "action",
    "highest_rung",
    "reason",
    "kind",
    "text",
    "first_warning_step",
    "halt_step",
    "milestones",
    "milestones_total",
    "tokens",
    "tokens_since_milestone",
    "cost_usd",
    "duplicates",
    "late",
    "missing",
    "outcome",
)
RUNGS = ["clear", "notice", "replan", "ask", "halt"]


def replayed(*words: str) -> list[dict[str, Any]]:
    result = CliRunner().invoke(app, ["replay", "--json", *words, str(RECORDED)])
    assert result.exit_code == 0, result.stderr
    return [json.loads(line, parse_constant=refuse) for line in result.stdout.splitlines()]


def refuse(constant: str) -> None:
    raise AssertionError(f"{constant} is no JSON")


def test_the_published_guard_gives_the_recorded_output_byte_for_byte() -> None:
    result = CliRunner().invoke(app, ["replay", "--json", "--summary", "--rules", "classic", str(RECORDED)])
    assert result.stdout_bytes == (DATA / "recorded_runs.classic.jsonl").read_bytes()


def test_a_change_has_these_fields_in_this_order_and_of_these_types() -> None:
    for rules in ("default", "classic"):
        found = replayed("--rules", rules)
        assert found
        for change in found:
            assert tuple(change) == CHANGE
            assert tuple(change["evidence"]) == Evidence.__struct_fields__
            msgspec.convert(change, Change, strict=True)
            assert change["action"] == RUNGS[change["rung"]]


def test_a_closing_object_has_these_fields_in_this_order_and_of_these_types() -> None:
    closing = [found for found in replayed("--summary") if found.get("summary")]
    assert {run["run_id"] for run in closing} == {"fix-1", "look-2", "search-7"}
    for run in closing:
        assert tuple(run) == SUMMARY
        assert run["summary"] is True
        msgspec.convert(run, Tally, strict=True)
    fixed = next(run for run in closing if run["run_id"] == "fix-1")
    assert fixed["milestones"] == [{"id": "tests_green", "seq": 6}]
    assert (fixed["outcome"], fixed["steps"], fixed["tokens"], fixed["task"]) == (
        "completed",
        8,
        7200,
        "fix-login",
    )


def test_changes_come_in_input_order_and_only_for_runs_that_are_not_clear() -> None:
    found = replayed()
    assert {change["run_id"] for change in found} == {"search-7"}
    assert [change["rung"] for change in found] == [1, 2, 3, 4]
    assert [change["seq"] for change in found] == sorted(change["seq"] for change in found)
    assert all(change["step"] == change["seq"] + 1 for change in found)


def test_the_summary_adds_lines_and_changes_none() -> None:
    with_summary = replayed("--summary")
    assert [found for found in with_summary if "summary" not in found] == replayed()


def test_the_same_input_gives_the_same_bytes_and_the_in_process_detector_the_same_findings() -> None:
    detector = Detector()
    observed = [
        change
        for line in RECORDED.read_bytes().splitlines()
        for change in detector.observe(msgspec.json.decode(line))
    ]
    assert replayed() == replayed() == msgspec.to_builtins(observed)
