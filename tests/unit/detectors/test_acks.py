"""Acknowledgements: the best word on the last command counts."""

import pytest
import scripted_judgement as scripted
from scripted_judgement import World

from detectors.acks import settled
from detectors.events import Ack, AckStatus, RunEnded


@pytest.fixture(autouse=True)
def _script(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.install(monkeypatch)


def _ack(world: World, command_id: str, status: AckStatus) -> str:
    return world.do(Ack(command_id=command_id, run_id="r", status=status)).status


def test_accepted_then_done_are_two_steps_and_nothing_goes_back() -> None:
    world = World()
    halt = world.climb(4)
    assert _ack(world, halt.command_id, "accepted") == "applied"
    assert _ack(world, halt.command_id, "accepted") == "duplicate"
    assert _ack(world, halt.command_id, "done") == "applied"
    assert _ack(world, halt.command_id, "failed") == "duplicate"
    assert world.run.last is not None
    assert world.run.last.acked == "done"


def test_an_acknowledgement_of_nothing_is_ignored_and_makes_no_entry() -> None:
    world = World()
    assert _ack(world, "f" * 32, "done") == "ignored"
    assert world.root.runs == {}
    world.step(0)
    assert _ack(world, "f" * 32, "done") == "ignored"


def test_a_halt_is_settled_when_it_is_done() -> None:
    world = World()
    halt = world.climb(4)
    world.do(RunEnded(run_id="r", seq=4, outcome="cancelled"))
    assert not settled(world.run)
    _ack(world, halt.command_id, "refused")
    assert not settled(world.run)
    _ack(world, halt.command_id, "done")
    assert settled(world.run)


def test_a_lesser_command_of_an_ended_run_is_moot() -> None:
    world = World()
    world.climb(2)
    world.do(RunEnded(run_id="r", seq=2, outcome="completed"))
    assert settled(world.run)


def test_the_halt_of_a_superseded_attempt_is_moot() -> None:
    world = World()
    world.climb(4)
    world.step(0, attempt=1)
    world.do(RunEnded(run_id="r", attempt=1, seq=1, outcome="completed"))
    assert settled(world.run)


def test_a_question_put_to_a_person_is_no_feedback_to_the_model() -> None:
    world = World()
    for rung, action in ((1, "notice"), (2, "replan"), (3, "ask")):
        command = world.step(rung).commands[-1]
        assert command.action == action
        scripted.DELIVERED.clear()
        _ack(world, command.command_id, "done")
        world.step(rung)
        assert ([rung] if action != "ask" else []) == scripted.DELIVERED
