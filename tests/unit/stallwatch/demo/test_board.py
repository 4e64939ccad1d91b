"""The board and the result: the same story told by what was heard."""

import msgspec
import pytest
from board_story import HEALTHY, STUCK, as_wanted, board, command, result, stepped, verdict

from detectors.events import Verdict
from stallwatch.demo.board import rung_name
from stallwatch.demo.messages import Over
from stallwatch.demo.report import Report
from stallwatch.demo.summary import summary


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
    assert any(line.text.startswith(f"NOT AS EXPECTED: {HEALTHY.name}") for line in summary(found))


def test_a_stuck_run_that_came_to_its_limit_is_not_as_expected() -> None:
    seen, _ = board()
    seen.started(STUCK.name)
    seen.heard(STUCK.name, stepped(90))
    seen.heard(STUCK.name, Over(ending="limit", undelivered=2))
    seen.ended(STUCK.name, 0)
    found = result(seen)
    assert not found.ok
    assert found.runs[1].steps_saved == 0
    lines = [line.text for line in summary(found)]
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
    assert not seen.judged_at_all


@pytest.mark.parametrize("rung", [0, 1])
def test_one_verdict_or_one_command_shows_that_somebody_judges(rung: int) -> None:
    by_verdict, _ = board()
    by_verdict.judged(verdict(rung))
    by_command, _ = board()
    by_command.commanded(command("notice", 1))
    for seen in (by_verdict, by_command):
        assert seen.judged_at_all
        assert result(seen).judged
    assert not result(board()[0]).judged


def test_a_run_that_has_not_begun_stands_nowhere() -> None:
    seen, _ = board()
    assert rung_name(seen.rows[STUCK.name]) == "waiting"
