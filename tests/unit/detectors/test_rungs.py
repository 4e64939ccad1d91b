"""Rungs: what comes with a new one, what mode and delivery change about it."""

import pytest
import scripted_judgement as scripted
from scripted_judgement import DELIVERED, World

from detectors.events import Ack, HaltOrder, Milestone, UserInput
from detectors.rules import Rules


@pytest.fixture(autouse=True)
def _script(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.install(monkeypatch)


def test_every_change_of_rung_is_told_up_and_down() -> None:
    world = World()
    for rung in (0, 3, 3, 3, 1, 0):
        world.step(rung)
    assert [(c.seq, c.step, c.rung, c.action) for c in world.changes] == [
        (1, 2, 1, "notice"),
        (2, 3, 2, "replan"),
        (3, 4, 3, "ask"),
        (4, 5, 1, "notice"),
        (5, 6, 0, "clear"),
    ]
    assert [c.action for c in world.commands] == ["notice", "replan", "ask"]
    assert {c.reason for c in world.changes} == {"no_news"}


def test_observe_measures_every_rung_and_commands_nothing() -> None:
    world = World(Rules(mode="observe"))
    world.step(4)
    for _ in range(5):
        world.step(4)
    assert [c.action for c in world.changes] == ["notice", "replan", "ask", "halt"]
    assert world.commands == []
    assert world.run.version == 0
    world.step(0)
    assert world.changes[-1].action == "clear"


def test_observe_takes_feedback_as_delivered_or_it_could_measure_no_halt() -> None:
    world = World(Rules(mode="observe"))
    world.step(1)
    world.step(1)
    assert DELIVERED == [1]


def test_advise_never_goes_above_ask() -> None:
    world = World(Rules(mode="advise"))
    for _ in range(12):
        world.step(4)
    assert [c.action for c in world.commands] == ["notice", "replan", "ask"]
    assert world.run.rung == 3
    world.step(2)
    assert world.changes[-1].action == "replan"


def test_a_person_may_halt_in_any_mode() -> None:
    for mode in ("observe", "advise", "enforce"):
        world = World(Rules(mode=mode))
        world.step(0)
        out = world.do(HaltOrder(run_id="r", mode="immediate", by="ada"))
        (command,) = out.commands
        assert (command.action, command.mode, command.rung) == ("halt", "immediate", 4)
        assert command.text is not None
        assert command.text.people == "halted by ada"


def test_acknowledged_feedback_counts_from_the_next_round_on() -> None:
    world = World()
    notice = world.climb(1)
    world.step(1)
    assert DELIVERED == []
    world.do(Ack(command_id=notice.command_id, run_id="r", status="done"))
    world.step(1, round=False)
    assert DELIVERED == []
    world.step(1)
    assert DELIVERED == [1]
    world.step(1)
    assert DELIVERED == [1]


def test_assumed_delivery_counts_from_the_next_round_on() -> None:
    world = World(assume_delivery=True)
    world.climb(1)
    world.step(1, round=False)
    assert DELIVERED == []
    world.step(1)
    assert DELIVERED == [1]


def test_an_orchestrator_slower_than_the_run_has_delivered_its_feedback_all_the_same() -> None:
    world = World()
    notice = world.climb(1)
    world.step(2)
    world.step(3)
    out = world.do(Ack(command_id=notice.command_id, run_id="r", status="done"))
    assert out.status == "applied"
    world.step(3)
    assert DELIVERED == [3]
    assert world.do(Ack(command_id=notice.command_id, run_id="r", status="done")).status == "ignored"


def test_feedback_of_an_episode_that_is_over_is_none_of_the_next_one() -> None:
    world = World()
    notice = world.climb(1)
    world.do(Milestone(run_id="r", event_id="e1", id="tests green"))
    world.climb(1)
    out = world.do(Ack(command_id=notice.command_id, run_id="r", status="done"))
    assert out.status == "ignored"
    world.step(1)
    assert DELIVERED == []


def test_a_milestone_clears_the_run_but_not_a_halt() -> None:
    world = World()
    world.climb(2)
    out = world.do(Milestone(run_id="r", event_id="e1", id="tests green"))
    assert [c.action for c in out.changes] == ["clear"]
    assert out.changes[0].text == "milestone reached: tests green"
    world.climb(4)
    out = world.do(Milestone(run_id="r", event_id="e2", id="merged"))
    assert (out.status, out.changes) == ("applied", [])
    assert world.run.rung == 4
    assert [m.id for m in world.run.life.earned] == ["tests green", "merged"]  # type: ignore[union-attr]


def test_user_input_opens_a_fresh_episode_but_lifts_no_halt() -> None:
    world = World()
    world.climb(3)
    seq = world.seqs["r", 0]
    world.do(UserInput(run_id="r", seq=seq))
    assert world.run.rung == 0
    world.seqs["r", 0] = seq + 1
    world.climb(4)
    world.do(UserInput(run_id="r", seq=world.seqs["r", 0]))
    assert world.run.rung == 4


def test_a_step_that_reaches_a_milestone_is_not_judged_against_the_run() -> None:
    world = World()
    world.climb(3)
    out = world.step(4, milestone="deployed")
    assert out.commands == []
    assert [c.action for c in out.changes] == ["clear"]
    assert out.since_milestone == 0
