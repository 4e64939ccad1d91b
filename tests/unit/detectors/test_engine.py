"""The engine over every kind of event: what becomes of each, and what it leaves."""

import pytest
import scripted_judgement as scripted
from scripted_judgement import World

from detectors.engine import Engine
from detectors.events import (
    Ack,
    Answer,
    Compaction,
    Event,
    HaltOrder,
    Limits,
    Milestone,
    Release,
    RunEnded,
    RunStarted,
    Score,
    Step,
    UserInput,
)
from detectors.feature_types import Features
from detectors.memory import Memory
from detectors.rules import RuleBook, Rules, UnknownRulesError, digest
from detectors.state import RootState, decode, encode

CALLS: list[tuple[object, ...]] = []


@pytest.fixture(autouse=True)
def _script(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.install(monkeypatch)
    CALLS.clear()
    for name in ("learn_late", "note_score", "note_compaction", "note_user_input", "note_limits"):
        monkeypatch.setattr(
            f"detectors.judge.{name}", lambda memory, *rest, name=name: CALLS.append((name, *rest))
        )


@pytest.mark.parametrize(
    ("event", "call"),
    [
        (RunStarted(run_id="r", seq=1, limits=Limits(rounds=9)), ("note_limits", Limits(rounds=9))),
        (Compaction(run_id="r", seq=1, lost=["ab"]), ("note_compaction", ["ab"])),
        (UserInput(run_id="r", seq=1, text="go on"), ("note_user_input",)),
        (Score(run_id="r", event_id="e", value=0.5), ("note_score", 0.5)),
    ],
)
def test_what_an_event_means_is_left_to_the_judgement(event: Event, call: tuple[object, ...]) -> None:
    world = World()
    world.step(0)
    assert world.do(event).status == "applied"
    assert [call] == CALLS


@pytest.mark.parametrize(
    "event",
    [
        Step(run_id="r", seq=0, tool="t", args={}),
        RunStarted(run_id="r", seq=0),
        RunEnded(run_id="r", seq=0, outcome="completed"),
        Compaction(run_id="r", seq=0),
        UserInput(run_id="r", seq=0),
        Milestone(run_id="r", event_id="e", id="m"),
        Score(run_id="r", event_id="e"),
        Release(run_id="r"),
        Answer(run_id="r", go=False),
        HaltOrder(run_id="r"),
        Ack(run_id="r", command_id="c", status="done"),
    ],
)
def test_any_event_may_be_the_first_of_its_run_and_come_twice(event: Event) -> None:
    world = World()
    first = world.do(event)
    assert first.status in ("applied", "waiting", "ignored")
    state = encode(world.root)
    second = world.do(event)
    assert second.status != "applied"
    assert (second.changes, second.commands, second.verdicts) == ([], [], [])
    if second.status != "closed":
        assert encode(world.root) == state


def test_a_step_that_was_missing_is_learned_and_judges_nobody() -> None:
    world = World()
    world.step(0)
    assert world.step(0, seq=3).gap == 2
    out = world.step(4, seq=1)
    assert (out.status, out.gap, out.changes, out.signals, out.since_news) == ("late", 0, [], [], None)
    assert [("learn_late", Features())] == CALLS
    assert world.step(0, seq=1).status == "duplicate"
    assert world.step(0, seq=4).gap == 0


def test_a_late_word_of_the_user_opens_nothing() -> None:
    world = World()
    world.step(0)
    world.step(1, seq=2)
    world.do(UserInput(run_id="r", seq=1))
    assert CALLS == []
    assert world.run.rung == 1


def test_the_gap_reaches_the_judgement_and_the_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    gaps: list[int] = []
    scripted_step = scripted._judge_step

    def judge_step(memory: Memory, step: Step, features: Features, rules: Rules, *, gap: int = 0) -> object:
        gaps.append(gap)
        return scripted_step(memory, step, features, rules, gap=gap)

    monkeypatch.setattr("detectors.judge.judge_step", judge_step)
    world = World()
    world.step(0)
    out = world.step(1, seq=6)
    assert gaps == [0, 5]
    assert out.changes[0].evidence.gaps == 5


def test_a_run_keeps_the_rules_of_its_scenario_whatever_is_loaded_later() -> None:
    strict, mild = Rules(name="strict"), Rules(name="mild", mode="observe")
    book = RuleBook(mild, {"fix": strict})
    root = RootState("r")
    Engine(book).apply(root, RunStarted(run_id="r", seq=0, task="fix"))
    assert root.rules() == [digest(strict)]
    later = RuleBook(Rules(name="new"), {"fix": mild})
    with pytest.raises(UnknownRulesError):
        Engine(later).apply(root, Step(run_id="r", seq=1, tool="t", args={"rung": 1}))
    later.add(strict)
    out = Engine(later).apply(root, Step(run_id="r", seq=2, tool="t", task="other", args={"rung": 1}))
    assert [command.rules for command in out.commands] == ["strict@1"]
    Engine(later).apply(root, Step(run_id="r", attempt=1, seq=0, tool="t", task="fix", args={}))
    assert root.rules() == [digest(mild)]


def test_steps_since_news_and_milestone_are_reported_for_judged_steps_only() -> None:
    world = World()
    assert world.step(0).since_news == 0
    assert world.step(1).since_news == 1
    out = world.do(Compaction(run_id="r", seq=2))
    assert (out.since_news, out.since_milestone) == (None, None)


def test_the_state_may_be_written_and_read_between_any_two_events() -> None:
    world, other = World(), World()
    for rung in (0, 1, 2, 2, 3, 0, 4, 4, 4, 4, 4):
        one = world.step(rung, at=1000.0, tokens=3)
        other.root = decode(encode(other.root))
        two = other.step(rung, at=1000.0, tokens=3)
        assert one == two
        assert encode(world.root) == encode(other.root)
