"""A person's word: applied once, at the command it answers, on the attempt it is meant for."""

import pytest
import scripted_judgement as scripted
from scripted_judgement import World

from detectors.commands import REMEMBERED, command_id
from detectors.events import Answer, HaltOrder, Release, RunEnded
from detectors.words import MAX_WAITING


@pytest.fixture(autouse=True)
def _script(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.install(monkeypatch)


def test_go_opens_a_fresh_baseline_and_publishes_release() -> None:
    world = World()
    ask = world.climb(3)
    out = world.do(Answer(run_id="r", command_id=ask.command_id, go=True, by="ada", at=77.0))
    assert out.status == "applied"
    (command,) = out.commands
    assert (command.action, command.version, command.rung, command.decided_at) == ("release", 4, 0, 77.0)
    assert command.text is not None
    assert command.text.people == "released by ada"
    assert [c.action for c in out.changes] == ["clear"]
    assert [v.event for v in out.verdicts] == ["closed"]
    assert world.run.rung == 0


def test_stop_halts_with_the_reason_of_the_episode() -> None:
    world = World()
    ask = world.climb(3, reason="same_error")
    out = world.do(Answer(run_id="r", command_id=ask.command_id, go=False))
    assert [(c.action, c.reason, c.rung) for c in out.commands] == [("halt", "same_error", 4)]
    assert [c.action for c in out.changes] == ["halt"]


def test_a_word_waits_for_its_command_and_is_applied_once() -> None:
    world = World()
    coming = command_id("r", 0, 3, "ask")
    world.step(0)
    stop = Answer(run_id="r", command_id=coming, go=False)
    assert world.do(stop).status == "waiting"
    assert world.do(stop).status == "duplicate"
    world.step(3)
    world.step(3)
    assert [c.action for c in world.commands] == ["notice", "replan"]
    out = world.step(3)
    assert [c.action for c in out.commands] == ["ask", "halt"]
    assert world.run.words == []
    assert world.do(stop).status == "duplicate"


def test_an_answered_command_stays_answered_when_the_word_comes_again() -> None:
    world = World()
    halt = world.climb(4)
    word = Release(run_id="r", command_id=halt.command_id)
    assert world.do(word).status == "applied"
    world.climb(4)
    assert world.do(word).status == "duplicate"
    assert world.run.rung == 4


def test_go_after_the_question_has_become_a_halt_releases_it() -> None:
    world = World()
    ask = world.climb(3)
    world.step(4)
    out = world.do(Answer(run_id="r", command_id=ask.command_id, go=True))
    assert [c.action for c in out.commands] == ["release"]


def test_a_release_of_a_run_that_is_clear_has_nothing_to_change() -> None:
    world = World()
    world.step(0)
    out = world.do(Release(run_id="r"))
    assert (out.status, out.commands) == ("ignored", [])


def test_a_word_for_another_attempt_is_ignored_or_waits_for_it() -> None:
    world = World()
    world.step(0, attempt=2)
    assert world.do(HaltOrder(run_id="r", attempt=1)).status == "ignored"
    assert world.do(HaltOrder(run_id="r", attempt=3, at=1.0)).status == "waiting"
    assert world.commands == []
    out = world.step(0, attempt=3)
    assert [(c.action, c.attempt, c.version) for c in out.commands] == [("halt", 3, 1)]


def test_a_word_for_an_ended_run_is_ignored() -> None:
    world = World()
    halt = world.climb(4)
    world.do(RunEnded(run_id="r", seq=4, outcome="cancelled"))
    assert world.do(Release(run_id="r", command_id=halt.command_id)).status == "ignored"
    assert world.do(HaltOrder(run_id="r")).status == "ignored"


def test_a_halt_order_on_a_halted_run_is_ignored() -> None:
    world = World()
    world.climb(4)
    assert world.do(HaltOrder(run_id="r", by="ada")).status == "ignored"


def test_waiting_words_are_bounded_the_oldest_gives_way() -> None:
    world = World()
    world.step(0)
    for version in range(10, 10 + MAX_WAITING + 3):
        world.do(Release(run_id="r", command_id=command_id("r", 0, version, "halt")))
    assert len(world.run.words) == MAX_WAITING
    assert world.run.words[0].command_id == command_id("r", 0, 13, "halt")


def test_what_cannot_be_a_command_id_does_not_wait() -> None:
    world = World()
    world.step(0)
    assert world.do(Release(run_id="r", command_id="x" * 500)).status == "ignored"
    assert world.run.words == []


def test_a_word_leaves_nothing_for_a_run_without_an_entry() -> None:
    world = World()
    assert world.do(Release(run_id="r", command_id="short")).status == "ignored"
    assert world.root.runs == {}


def test_a_word_on_a_command_of_the_attempt_before_does_not_reach_the_present_one() -> None:
    world = World()
    ask = world.climb(3)
    world.step(0, attempt=1)
    out = world.do(Answer(run_id="r", command_id=ask.command_id, go=False))
    assert (out.status, out.commands) == ("waiting", [])


def test_a_release_opens_the_judgements_fresh_baseline(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    monkeypatch.setattr("detectors.words.fresh_baseline", opened.append)
    world = World()
    halt = world.climb(4)
    world.do(Release(run_id="r", command_id=halt.command_id))
    assert world.run.life is not None
    assert opened == [world.run.life.memory]


def test_only_the_last_commands_can_still_be_answered() -> None:
    world = World()
    commands = [world.climb(1)]
    for _ in range(REMEMBERED):
        world.step(0)
        commands.append(world.climb(1))
    assert world.run.issued == [command.command_id for command in commands[1:]]
    assert world.do(Release(run_id="r", command_id=commands[1].command_id)).status == "applied"


def test_an_order_right_after_news_is_an_episode_of_that_step() -> None:
    world = World()
    world.step(0)
    world.step(0)
    (opened,) = world.do(HaltOrder(run_id="r")).verdicts
    assert (opened.event, opened.reason, opened.seq_from, opened.seq_to) == ("opened", "operator", 1, 1)
