"""A parent is neither silent nor stalled while a child run gets on."""

import pytest
import scripted_judgement as scripted
from scripted_judgement import World

from detectors.events import RunEnded
from detectors.family import NEWS_LASTS_EVENTS, NEWS_LASTS_S, ancestors, descendants
from detectors.rules import Rules
from detectors.runs import RootState, RunState


@pytest.fixture(autouse=True)
def _script(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.install(monkeypatch)


def test_the_rung_does_not_rise_while_a_child_brings_news() -> None:
    world = World()
    world.step(0, at=0.0)
    for n in range(10):
        world.step(0, at=10.0 * n, run="child", parent_run_id="r")
        out = world.step(4, at=10.0 * n + 1)
        assert (out.changes, out.commands) == ([], [])
        assert out.signals == ["no_news"]
    world.step(0, at=100.0 + NEWS_LASTS_S, run="other")
    assert world.step(4, at=101.0 + NEWS_LASTS_S).changes[0].action == "notice"


def test_a_childs_news_reaches_everybody_above() -> None:
    world = World()
    world.step(0, at=0.0)
    world.step(0, at=0.0, run="child", parent_run_id="r")
    world.step(0, at=1.0, run="grandchild", parent_run_id="child", news=False)
    world.step(0, at=599.0, run="grandchild")
    assert world.step(4, at=700.0).changes == []
    assert world.step(4, at=700.0, run="child").changes == []


def test_a_child_that_is_stalled_halted_or_over_carries_nobody() -> None:
    world = World()
    world.step(0, at=0.0)
    world.step(0, at=0.0, run="child", parent_run_id="r")
    world.climb(1, at=1.0, run="child")
    assert world.step(1, at=2.0).changes[0].action == "notice"
    world = World()
    world.step(0, at=0.0)
    world.step(0, at=0.0, run="child", parent_run_id="r")
    world.do(RunEnded(run_id="child", seq=1, outcome="completed"), at=1.0)
    assert world.step(1, at=2.0).changes[0].action == "notice"


def test_a_rung_that_was_held_may_still_come_down() -> None:
    world = World()
    world.climb(2, at=0.0)
    world.step(0, at=1.0, run="child", parent_run_id="r")
    world.step(3, at=2.0)
    assert world.run.rung == 2
    assert world.step(1, at=3.0).changes[0].rung == 1


def test_without_a_clock_news_lasts_for_so_many_events_of_the_family() -> None:
    world = World()
    world.step(0)
    world.step(0, run="child", parent_run_id="r")
    for _ in range(NEWS_LASTS_EVENTS - 1):
        assert world.step(1).changes == []
    assert world.step(1).changes[0].action == "notice"


def test_a_parent_is_not_silent_while_a_child_speaks() -> None:
    world = World(Rules(silence_s=100.0))
    world.step(0, at=1000.0)
    world.step(0, at=1000.0, run="child", parent_run_id="r")
    world.step(0, at=1090.0, run="child", news=False)
    out = world.engine.tick(world.root, now=1100.0)
    assert out.verdicts == []
    assert world.engine.due(world.root) == 1190.0
    out = world.engine.tick(world.root, now=1190.0)
    assert sorted(v.run_id for v in out.verdicts) == ["child", "r"]


def test_parents_that_name_each_other_are_no_endless_walk() -> None:
    root = RootState("a")
    for run_id, parent in (("a", "c"), ("b", "a"), ("c", "b")):
        root.runs[run_id] = RunState(run_id, parent=parent)
    assert len(list(ancestors(root, root.runs["a"]))) == 32
    world = World(root="a")
    for run, parent in (("a", "c"), ("b", "a"), ("c", "b")):
        world.step(0, run=run, parent_run_id=parent)
    assert [run.run_id for run in descendants(world.root, world.run)] == ["b", "c"]


def test_a_run_that_names_itself_has_no_parent() -> None:
    world = World()
    world.step(0, parent_run_id="r")
    assert world.run.parent is None
