"""Attempts, ends and room: a late step never starts the count anew."""

import pytest
import scripted_judgement as scripted
from scripted_judgement import World

from detectors.events import HaltOrder, Milestone, RunEnded, RunStarted, Step
from detectors.runs import MAX_ENTRIES, MAX_RUNS


@pytest.fixture(autouse=True)
def _script(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.install(monkeypatch)


def test_a_higher_attempt_supersedes_and_starts_fresh() -> None:
    world = World()
    world.climb(3, tokens=10)
    out = world.step(0, attempt=1, tokens=1)
    assert out.status == "applied"
    assert [(v.event, v.attempt) for v in out.verdicts] == [("closed", 0)]
    assert [(s.steps, s.tokens, s.milestone) for s in out.segments] == [(3, 30, False)]
    assert (world.run.attempt, world.run.version, world.run.rung) == (1, 0, 0)
    assert world.climb(1, attempt=1).version == 1


def test_an_attempt_that_goes_back_changes_nothing_but_a_count() -> None:
    world = World()
    world.step(0, attempt=2)
    before = world.run.life
    out = world.step(3, attempt=1)
    assert (out.status, out.changes, out.commands) == ("closed", [], [])
    assert world.run.life is before
    assert (world.run.attempt, world.run.late) == (2, 1)


def test_an_end_leaves_a_marker_with_the_last_version() -> None:
    world = World()
    world.climb(2)
    out = world.do(RunEnded(run_id="r", seq=2, outcome="failed"), at=50.0)
    assert [v.event for v in out.verdicts] == ["closed"]
    assert world.run.life is None
    assert (world.run.closed, world.run.attempt, world.run.version, world.run.closed_at) == (True, 0, 2, 50.0)


def test_late_steps_of_an_ended_attempt_never_restart_the_count() -> None:
    world = World()
    world.climb(2)
    world.do(RunEnded(run_id="r", seq=2, outcome="completed"))
    for seq in (1, 3, 4):
        out = world.do(Step(run_id="r", seq=seq, tool="t", args={"rung": 4}))
        assert (out.status, out.changes) == ("closed", [])
    assert (world.run.closed, world.run.late) == (True, 3)
    assert world.do(Milestone(run_id="r", event_id="e", id="m")).status == "closed"


def test_a_new_attempt_follows_an_ended_one() -> None:
    world = World()
    world.do(RunEnded(run_id="r", seq=0, outcome="failed"))
    assert world.step(0, attempt=1).status == "applied"
    assert not world.run.closed


def test_an_end_that_comes_late_still_ends_the_run() -> None:
    world = World()
    world.step(0)
    world.step(0, seq=2)
    out = world.do(RunEnded(run_id="r", seq=1, outcome="completed"))
    assert out.status == "late"
    assert world.run.closed


def test_a_duplicate_of_the_start_changes_nothing() -> None:
    world = World()
    world.do(RunStarted(run_id="r", seq=0, task="fix"))
    assert world.do(RunStarted(run_id="r", seq=0, task="other")).status == "duplicate"


def test_a_family_has_room_for_so_many_live_runs() -> None:
    world = World()
    for n in range(MAX_RUNS):
        assert world.step(0, at=float(n), run=f"child-{n}").status == "applied"
    out = world.step(0, at=100.0, run="one-more")
    assert out.status == "refused"
    assert "32 live runs" in out.problem
    assert world.root.refused == 1
    assert "one-more" not in world.root.runs
    world.do(RunEnded(run_id="child-3", seq=1, outcome="completed"), at=101.0)
    assert world.step(0, at=102.0, run="one-more").status == "applied"


def test_a_run_that_nobody_heard_of_for_long_gives_way() -> None:
    world = World()
    for n in range(MAX_RUNS):
        world.step(0, at=0.0, run=f"child-{n}")
    world.step(0, at=1000.0, run="child-0")
    out = world.step(0, at=1801.0, run="one-more")
    assert out.status == "applied"
    assert [run.run_id for run in world.root.runs.values() if run.closed] == ["child-1"]
    assert [segment.milestone for segment in out.segments] == [False]


def test_markers_give_way_to_new_runs_the_longest_idle_first() -> None:
    world = World()
    world.step(0, at=0.0)
    for n in range(MAX_ENTRIES - 1):
        run = f"child-{n}"
        if n == 1:
            world.climb(1, at=float(n), run=run)
        else:
            world.step(0, at=float(n), run=run)
        world.do(RunEnded(run_id=run, seq=1, outcome="completed"), at=float(n))
    assert len(world.root.runs) == MAX_ENTRIES
    assert world.step(0, at=99.0, run="new-0").expired == []
    assert "child-0" not in world.root.runs
    # The second marker's command goes with it, or it would stand on the control topic for ever.
    assert world.step(0, at=99.0, run="new-1").expired == [("child-1", 1)]
    assert len(world.root.runs) == MAX_ENTRIES


def test_a_word_for_an_unknown_run_is_kept_and_makes_no_life() -> None:
    world = World()
    assert world.do(HaltOrder(run_id="r", by="ada", at=5.0)).status == "waiting"
    assert not world.run.closed
    assert world.run.life is None
    out = world.step(0, attempt=17)
    assert [(c.action, c.attempt) for c in out.commands] == [("halt", 17)]


def test_a_parent_that_waits_for_its_children_does_not_give_way() -> None:
    world = World()
    world.step(0, at=0.0)
    for n in range(MAX_RUNS - 1):
        world.step(0, at=1.0 + n, run=f"child-{n}", parent_run_id="r")
    world.step(0, at=2000.0, run="child-7")
    assert world.step(0, at=2001.0, run="one-more", parent_run_id="r").status == "applied"
    assert [run.run_id for run in world.root.runs.values() if run.closed] == ["child-0"]
