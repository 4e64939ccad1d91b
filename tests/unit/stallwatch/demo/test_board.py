"""The board, the result and its words: the same story told by what was heard."""

import io

import msgspec
import pytest
from rich.console import Console

from detectors.events import Command, Reached, Text, Verdict
from stallwatch.demo.agents import BEHAVIOURS
from stallwatch.demo.board import Board, rung_name
from stallwatch.demo.messages import Over, Stepped
from stallwatch.demo.report import Report, report
from stallwatch.demo.summary import summary
from stallwatch.demo.table import LiveTable, PlainLines, display, table

HEALTHY, STUCK = BEHAVIOURS["fix-test-first"], BEHAVIOURS["flip-flop"]


def board() -> tuple[Board, list[str]]:
    said: list[str] = []
    return Board([HEALTHY, STUCK], lambda who, sentence: said.append(f"{who}: {sentence}")), said


def stepped(step: int, milestone: str | None = None) -> Stepped:
    return Stepped(step=step, call="shell python -m unittest", tokens=10, milestone=milestone)


def command(action: str, rung: int, run_id: str = STUCK.name) -> Command:
    return Command(
        command_id=f"c{rung}",
        run_id=run_id,
        action=action,  # type: ignore[arg-type]
        version=rung,
        rung=rung,
        reason="write_churn",
        text=Text(people="one line goes back and forth", model="m"),
        milestones=[Reached(id="baseline_green", seq=2)],
    )


def verdict(rung: int) -> Verdict:
    return Verdict(episode_id="e", run_id=STUCK.name, event="updated", reason="write_churn", rung=rung)


def as_wanted() -> tuple[Board, list[str]]:
    """A healthy run that finishes and a stuck one that is halted."""
    seen, said = board()
    for behaviour in (HEALTHY, STUCK):
        seen.started(behaviour.name)
    seen.heard(HEALTHY.name, stepped(1, "tests_green"))
    seen.heard(HEALTHY.name, Over(ending="completed", undelivered=0))
    seen.ended(HEALTHY.name, 0)
    seen.heard(STUCK.name, stepped(1, "baseline_green"))
    for step in range(2, 31):
        seen.heard(STUCK.name, stepped(step))
    seen.commanded(command("notice", 1))
    seen.commanded(command("halt", 4))
    seen.heard(STUCK.name, Over(ending="halted", undelivered=0))
    seen.ended(STUCK.name, 0)
    seen.stopped(command("halt", 4), "when told")
    return seen, said


def result(seen: Board) -> Report:
    return report(seen, seconds=40.04, metrics_url="http://127.0.0.1:1/metrics")


def test_all_as_wanted_is_ok_and_counts_what_was_saved() -> None:
    seen, said = as_wanted()
    found = result(seen)
    assert seen.over
    assert found.ok
    assert (found.finished, found.halted, found.milestones_kept) == (1, 1, 1)
    stuck = found.runs[1]
    assert (stuck.ending, stuck.steps, stuck.steps_saved) == ("halted", 30, STUCK.limit - 30)
    assert stuck.tokens == 300
    assert stuck.tokens_saved == (STUCK.limit - 30) * 10
    assert (stuck.reason, stuck.why) == ("write_churn", "one line goes back and forth")
    assert said[-1] == "flip-flop: halted at step 30, its process ended when told"
    assert msgspec.json.decode(msgspec.json.encode(found), type=Report) == found


@pytest.mark.parametrize("late", [False, True])
def test_a_healthy_run_that_was_halted_is_not_as_expected(late: bool) -> None:
    seen, _ = as_wanted()
    row = seen.rows[HEALTHY.name]
    row.status = "finished" if late else "running"
    halt = command("halt", 4, HEALTHY.name)
    seen.commanded(halt)
    seen.stopped(halt, "when told")
    assert row.status == ("finished" if late else "halted")
    found = result(seen)
    assert not found.ok
    assert any(line.startswith(f"NOT AS EXPECTED: {HEALTHY.name}") for line in summary(found))


def test_a_stuck_run_that_came_to_its_limit_is_not_as_expected() -> None:
    seen, _ = board()
    seen.started(STUCK.name)
    seen.heard(STUCK.name, stepped(90))
    seen.heard(STUCK.name, Over(ending="limit", undelivered=2))
    seen.ended(STUCK.name, 0)
    found = result(seen)
    assert not found.ok
    assert found.runs[1].steps_saved == 0
    lines = list(summary(found))
    assert any("should have been halted and is at its limit, after 90 steps" in line for line in lines)
    assert any("2 events did not reach the broker" in line for line in lines)


def test_a_process_that_broke_is_told_apart_from_one_that_was_stopped() -> None:
    seen, said = board()
    seen.started(HEALTHY.name)
    seen.started(STUCK.name)
    seen.ended(HEALTHY.name, 1, "ImportError: no such thing")
    seen.ended(STUCK.name, 0)
    assert (seen.rows[HEALTHY.name].status, seen.rows[STUCK.name].status) == ("failed", "stopped")
    assert f"{HEALTHY.name}: ended with exit code 1 after 0 steps: ImportError: no such thing" in said
    assert not result(seen).ok


def test_the_rung_comes_down_with_the_first_step_after_the_episode_and_stays_at_a_halt() -> None:
    seen, said = board()
    seen.started(STUCK.name)
    row = seen.rows[STUCK.name]
    seen.commanded(command("replan", 2))
    assert (row.rung, rung_name(row), row.reason) == (2, "replan", "write_churn")
    seen.judged(verdict(0))
    seen.heard(STUCK.name, stepped(9))
    assert (row.rung, rung_name(row), row.reason) == (0, "clear", "")
    assert said[-1] == "flip-flop: clear again"
    seen.commanded(command("halt", 4))
    seen.judged(verdict(0))
    seen.heard(STUCK.name, stepped(10))
    assert row.rung == 4


def test_the_end_of_a_run_is_no_recovery() -> None:
    seen, said = board()
    seen.started(STUCK.name)
    seen.commanded(command("replan", 2))
    seen.judged(verdict(0))  # what the worker says of a run that has ended
    row = seen.rows[STUCK.name]
    assert (row.rung, rung_name(row), row.reason) == (2, "replan", "write_churn")
    seen.heard(STUCK.name, Over(ending="halted", undelivered=0))
    seen.ended(STUCK.name, 0)
    assert not any("clear again" in line for line in said)


def test_an_episode_that_opens_at_once_after_another_is_no_recovery_either() -> None:
    seen, said = board()
    for rung in (2, 0, 1):
        seen.judged(verdict(rung))
    seen.heard(STUCK.name, stepped(9))
    assert (seen.rows[STUCK.name].rung, said) == (1, [])


def test_records_of_runs_of_somebody_else_change_nothing() -> None:
    seen, said = board()
    seen.commanded(command("halt", 4, "elsewhere"))
    seen.judged(Verdict(episode_id="e", run_id="elsewhere", event="opened", reason="no_news"))
    seen.measured("elsewhere", 1, 2)
    assert said == []


def test_the_summary_says_why_and_what_was_saved() -> None:
    seen, _ = as_wanted()
    text = "\n".join(summary(result(seen)))
    assert "1 of 1 healthy agents finished undisturbed, 1 of 1 stuck ones were halted, in 40 s" in text
    assert (
        f"  flip-flop       step 30 of {STUCK.limit}, write_churn: one line goes back and forth\n"
        "                  kept: baseline_green; its process ended when told\n"
    ) in text
    assert f"{STUCK.limit - 30} steps and about {STUCK.limit * 10 - 300} tokens" in text
    assert "Metrics were served at http://127.0.0.1:1/metrics" in text
    assert "NOT AS EXPECTED" not in text


def test_the_table_shows_every_run() -> None:
    seen, _ = as_wanted()
    seen.measured(STUCK.name, 25, 29)
    seen.measured(HEALTHY.name, 0, 0)
    out = io.StringIO()
    Console(file=out, width=120).print(table(seen))
    rows = [" ".join(line.split()) for line in out.getvalue().splitlines()[1:3]]
    assert rows == [
        "fix-test-first 1 shell python -m unittest now now finished",
        "flip-flop 30 shell python -m unittest 25 ago 29 ago halted write_churn",
    ]


def test_without_a_terminal_there_are_plain_lines_only() -> None:
    out = io.StringIO()
    shown = display(out)
    assert isinstance(shown, PlainLines)
    with shown:
        shown.say("flip-flop", "odd \x1b[31m name\n")
        shown.refresh(board()[0])
    assert out.getvalue().count("\n") == 1
    assert "\x1b" not in out.getvalue()
    assert "flip-flop" in out.getvalue()


def test_on_a_terminal_the_board_is_redrawn_with_the_last_lines_below() -> None:
    out = io.StringIO()
    seen, _ = as_wanted()
    with LiveTable(Console(file=out, force_terminal=True, width=100, color_system=None)) as shown:
        for number in range(5):
            shown.say("", f"line {number}")
        shown.refresh(seen)
    text = out.getvalue()
    assert "flip-flop" in text
    assert [f"line {number}" in text for number in range(5)] == [False, False, True, True, True]
