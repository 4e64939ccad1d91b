"""Commands: ids that survive replay, versions that count up, a halt that nothing but a release follows."""

import msgspec
import pytest
import scripted_judgement as scripted
from scripted_judgement import World

from detectors.commands import command_id
from detectors.events import Release, Source, Step
from detectors.rules import Rules


@pytest.fixture(autouse=True)
def _script(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.install(monkeypatch)


def test_the_id_is_the_xxh3_128_of_run_attempt_version_action() -> None:
    assert command_id("r-81", 0, 3, "halt") == "92403f44b055c1345dbd57470ff5117f"


@pytest.mark.parametrize(
    "other", [("r-82", 0, 3, "halt"), ("r-81", 1, 3, "halt"), ("r-81", 0, 4, "halt"), ("r-81", 0, 3, "ask")]
)
def test_each_of_the_four_changes_the_id(other: tuple[str, int, int, str]) -> None:
    assert command_id(*other) != command_id("r-81", 0, 3, "halt")


def test_a_lone_surrogate_has_an_id() -> None:
    assert len(command_id("\ud800", 0, 1, "halt")) == 32


def test_a_climb_publishes_one_command_per_rung_with_versions_from_one() -> None:
    world = World()
    world.climb(4)
    assert [(c.action, c.version, c.rung) for c in world.commands] == [
        ("notice", 1, 1),
        ("replan", 2, 2),
        ("ask", 3, 3),
        ("halt", 4, 4),
    ]
    assert [c.command_id for c in world.commands] == [
        command_id("r", 0, c.version, c.action) for c in world.commands
    ]


def test_nothing_follows_a_halt_until_a_release_with_a_higher_version() -> None:
    world = World()
    halt = world.climb(4)
    for _ in range(20):
        assert world.step(4).commands == []
    out = world.do(Release(run_id="r", command_id=halt.command_id))
    assert [(c.action, c.version, c.rung) for c in out.commands] == [("release", 5, 0)]
    assert world.climb(1).version == 6


def test_a_command_says_all_that_its_reader_needs() -> None:
    world = World(Rules(name="night", version=7), root="root")
    world.step(0, run="child", root_run_id="root", tokens=5)
    world.step(0, run="child", root_run_id="root", tokens=7, milestone="compiles")
    source = Source(topic="steps", partition=3, offset=8812)
    world.step(0, run="child", tokens=11, cost_usd=0.25)
    out = world.engine.apply(
        world.root,
        Step(run_id="child", seq=3, tool="t", args={"rung": 1}, tokens=13, cost_usd=0.5, ts=1000.5),
        at=2000.0,
        source=source,
    )
    (command,) = out.commands
    assert (command.run_id, command.root_run_id, command.attempt) == ("child", "root", 0)
    assert (command.rules, command.reason, command.mode) == ("night@7", "no_news", "graceful")
    assert command.decided_at == 1000.5
    assert command.source == source
    assert command.text is not None
    assert (command.text.people, command.text.model) == ("no_news seen", "do something else")
    assert [(m.id, m.seq) for m in command.milestones] == [("compiles", 1)]
    assert command.resume is not None
    assert (command.resume.from_seq, command.resume.token) == (2, command.command_id[:16])
    assert command.evidence is not None
    assert (command.evidence.tokens, command.evidence.cost_usd) == (24, 0.75)
    assert (command.evidence.rules, command.evidence.steps, command.evidence.seq_to) == ("night@7", 4, 3)


def test_without_a_clock_of_its_own_the_event_counts_as_of_its_arrival() -> None:
    world = World()
    assert world.climb(1, at=2000.0).decided_at == 2000.0
    assert World().climb(1).decided_at is None


def test_evidence_never_holds_what_json_cannot_say() -> None:
    world = World()
    command = world.climb(1, nan=True)
    assert command.evidence is not None
    assert command.evidence.dryness == 0.0
    assert b"NaN" not in msgspec.json.encode(command)


def test_a_command_in_hand_is_not_changed_by_what_comes_later() -> None:
    world = World()
    command = world.climb(1, tokens=3)
    before = msgspec.json.encode(command)
    world.step(1, tokens=100)
    world.step(0, tokens=100, milestone="done")
    assert msgspec.json.encode(command) == before
