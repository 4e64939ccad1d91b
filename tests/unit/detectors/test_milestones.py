"""What a run has earned, and the segments between milestones."""

import pytest
import scripted_judgement as scripted
from scripted_judgement import World

from detectors.events import Milestone, RunEnded, Score
from detectors.milestones import MAX_EARNED, MAX_EARNED_CHARS, MAX_HOST_EVENTS
from detectors.runs import Life


@pytest.fixture(autouse=True)
def _script(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.install(monkeypatch)


def _life(world: World) -> Life:
    assert world.run.life is not None
    return world.run.life


def test_a_milestone_closes_a_segment_and_the_end_closes_the_rest() -> None:
    world = World()
    world.step(0, tokens=10, cost_usd=0.5)
    out = world.step(0, tokens=20, milestone="compiles")
    assert [(s.steps, s.tokens, s.cost_usd, s.milestone) for s in out.segments] == [(2, 30, 0.5, True)]
    world.step(0, tokens=40)
    out = world.do(RunEnded(run_id="r", seq=3, outcome="completed"))
    assert [(s.steps, s.tokens, s.milestone) for s in out.segments] == [(1, 40, False)]


def test_a_run_that_ends_at_its_milestone_has_no_empty_segment() -> None:
    world = World()
    world.step(0, milestone="merged")
    assert world.do(RunEnded(run_id="r", seq=1, outcome="completed")).segments == []


def test_the_hosts_event_counts_once() -> None:
    world = World()
    world.step(0)
    event = Milestone(run_id="r", event_id="e", id="green", at_seq=0)
    assert world.do(event).status == "applied"
    assert world.do(event).status == "duplicate"
    assert [(m.id, m.seq) for m in _life(world).earned] == [("green", 0)]
    for n in range(MAX_HOST_EVENTS + 20):
        world.do(Score(run_id="r", event_id=f"s{n}", value=1.0))
    assert len(_life(world).host_events) == MAX_HOST_EVENTS


def test_the_same_milestone_with_nothing_new_in_between_is_none() -> None:
    world = World()
    world.step(0, milestone="green")
    world.climb(2)
    out = world.step(2, milestone="green")
    assert (out.segments, out.changes) == ([], [])
    world.step(2, news=True)
    out = world.step(2, milestone="green")
    assert [c.action for c in out.changes] == ["clear"]
    assert [(m.id, m.seq) for m in _life(world).earned] == [("green", 5)]


def test_a_milestone_from_before_the_stall_is_earned_and_excuses_nothing() -> None:
    world = World()
    for _ in range(5):
        world.step(0)
    world.climb(2)
    out = world.do(Milestone(run_id="r", event_id="e", id="compiles", at_seq=2))
    assert (out.status, out.changes) == ("applied", [])
    assert world.run.rung == 2
    assert world.step(3).commands[0].milestones[0].id == "compiles"


def test_a_milestone_that_comes_late_is_earned_at_its_place() -> None:
    world = World()
    world.step(0)
    world.step(0, seq=2)
    out = world.step(0, seq=1, milestone="compiles", tokens=5)
    assert out.status == "late"
    assert [(m.id, m.seq) for m in _life(world).earned] == [("compiles", 1)]


def test_the_hosts_milestone_may_come_before_the_first_step() -> None:
    world = World()
    assert world.do(Milestone(run_id="r", event_id="e", id="checked out")).status == "applied"
    assert _life(world).rules == ""
    world.step(0)
    assert _life(world).rules != ""


def test_what_is_listed_is_bounded_the_oldest_go_first() -> None:
    world = World()
    for n in range(MAX_EARNED + 10):
        world.step(0, milestone=f"m{n}")
    assert [m.id for m in _life(world).earned][:: MAX_EARNED - 1] == ["m10", f"m{MAX_EARNED + 9}"]
    for n in range(10):
        world.step(0, milestone=f"{n}" * 256)
    assert sum(len(m.id) for m in _life(world).earned) <= MAX_EARNED_CHARS


def test_totals_stay_exact_whatever_amounts_come() -> None:
    world = World()
    for _ in range(3):
        world.step(0, tokens=2**53, cost_usd=1e308)
    segment = _life(world).segment
    assert (segment.steps, segment.tokens) == (3, 2**53)
    assert segment.cost_usd == 2.0**53
