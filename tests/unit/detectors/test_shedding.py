"""Who gives up what when a family grows too large."""

import pytest
import scripted_judgement as scripted
from scripted_judgement import World

from detectors.events import RunEnded
from detectors.memory import Memory
from detectors.outcome import Outcome
from detectors.runs import Life, RootState, RunState, run_size
from detectors.shedding import KEPT, shed
from detectors.state import MAX_BYTES, encode


@pytest.fixture(autouse=True)
def _script(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.install(monkeypatch)


def _fat(run_id: str, order: int, **fields: object) -> RunState:
    """A live run of some 30 kB, two thirds of it memory."""
    life = Life(host_events=[2**63] * 1000)
    life.memory = Memory(steps=order, tools=["x" * 200] * 100)
    return RunState(run_id, attempt=0, order=order, life=life, **fields)  # type: ignore[arg-type]


def _root(*runs: RunState) -> RootState:
    return RootState("r", {run.run_id: run for run in runs})


def test_every_name_that_a_memory_keeps_is_one_of_its_fields() -> None:
    assert set(KEPT) <= set(Memory.__struct_fields__)


def test_the_longest_idle_memory_goes_first_and_keeps_its_counters() -> None:
    root = _root(_fat("busy", 30), _fat("idle", 10), _fat("other", 20))
    shed(root, Outcome())
    memories = {run.run_id: run.life.memory for run in root.runs.values() if run.life is not None}
    assert (memories["idle"].tools, memories["idle"].steps) == ([], 10)
    assert len(memories["other"].tools) == 0
    assert len(memories["busy"].tools) == 100
    assert root.shed == 2
    assert len(encode(root)) <= MAX_BYTES


def test_nothing_is_given_up_below_the_bound() -> None:
    root = _root(_fat("a", 1), _fat("b", 2))
    before = encode(root)
    shed(root, Outcome())
    assert (encode(root), root.shed) == (before, 0)


def test_markers_go_before_what_live_runs_have_earned_and_take_their_commands_along() -> None:
    world = World()
    world.climb(1, run="ended", at=1.0)
    world.do(RunEnded(run_id="ended", seq=1, outcome="completed"), at=2.0)
    runs = [_fat(f"live-{n}", 100 + n) for n in range(8)]
    root = _root(world.root.runs["ended"], *runs)
    out = Outcome()
    shed(root, out)
    assert out.expired == [("ended", 1)]
    assert "ended" not in root.runs
    kept = [len(run.life.host_events) for run in runs if run.life is not None]
    assert kept == sorted(kept)
    assert kept[0] == 0
    assert kept[-1] == 1000


def test_at_the_very_end_whole_runs_go_but_never_the_one_that_speaks() -> None:
    runs = [RunState("i" * 4000 + str(n), attempt=0, order=n, life=Life()) for n in range(30)]
    root = _root(*runs)
    shed(root, Outcome())
    assert runs[-1].run_id in root.runs
    assert root.runs[runs[-1].run_id].life is not None
    assert len(encode(root)) <= MAX_BYTES


def test_a_family_stays_within_the_bound_after_every_event_and_is_measured_truly() -> None:
    world = World()
    world.step(0)
    for n in range(25):
        run = f"{n:02d}" + "é" * 500
        world.step(0, run=run, parent_run_id="r")
        for m in range(6):
            world.step(0, run=run, milestone=f"{m}" + "ü" * 160)
        assert len(encode(world.root)) <= MAX_BYTES
        for run_id, size in world.root.sizes.items():
            assert size == run_size(world.root.runs[run_id])
    assert world.root.shed > 0


def test_a_lone_run_over_the_bound_is_cut_when_it_is_encoded() -> None:
    run = _fat("r", 1)
    assert run.life is not None
    run.life.memory.tools = ["x" * 200] * 400
    root = _root(run)
    assert len(encode(root)) <= MAX_BYTES
    assert root.shed == 1
