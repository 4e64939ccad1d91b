"""A board with a healthy run and a stuck one, and what may be heard of them."""

from detectors.events import Command, Reached, Text, Verdict
from stallwatch.demo.agents import BEHAVIOURS
from stallwatch.demo.board import Board
from stallwatch.demo.messages import Over, Stepped
from stallwatch.demo.report import Report, report

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
    return report(
        seen, seconds=40.04, metrics_url="http://127.0.0.1:1/metrics", bootstrap_servers="127.0.0.1:2"
    )
