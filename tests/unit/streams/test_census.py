"""Runs by rung and unheard halts, read off the states."""

from detectors.engine import Engine
from detectors.events import Ack, HaltOrder, RunEnded, Step
from detectors.rules import RuleBook, Rules
from detectors.state import RootState
from streams.census import Census


def test_runs_move_between_rungs_and_halts_wait_until_they_are_heard() -> None:
    engine, root, census = Engine(RuleBook(Rules())), RootState("r"), Census()
    engine.apply(root, Step(run_id="r", seq=0, tool="t"))
    census.update(0, b"r", root)
    assert (census.runs, dict(census.by_rung), census.unheard) == (1, {0: 1}, 0)
    (halt,) = engine.apply(root, HaltOrder(run_id="r", by="ada")).commands
    census.update(0, b"r", root)
    assert (census.runs, census.by_rung[4], census.unheard) == (1, 1, 1)
    engine.apply(root, Ack(run_id="r", command_id=halt.command_id, status="accepted"))
    census.update(0, b"r", root)
    assert (census.by_rung[4], census.unheard) == (1, 0)
    engine.apply(root, RunEnded(run_id="r", seq=1, outcome="cancelled"))
    census.update(0, b"r", root)
    assert (census.runs, census.unheard) == (0, 0)


def test_a_halt_that_nobody_heard_is_no_longer_waited_for_when_the_run_has_ended() -> None:
    engine, root, census = Engine(RuleBook(Rules())), RootState("r"), Census()
    engine.apply(root, Step(run_id="r", seq=0, tool="t"))
    engine.apply(root, HaltOrder(run_id="r", by="ada"))
    engine.apply(root, RunEnded(run_id="r", seq=1, outcome="failed"))
    census.update(0, b"r", root)
    assert census.unheard == 0


def test_runs_of_a_partition_that_went_are_not_counted() -> None:
    engine, census = Engine(RuleBook(Rules())), Census()
    for partition, run in ((0, "a"), (0, "b"), (1, "c")):
        root = RootState(run)
        engine.apply(root, Step(run_id=run, seq=0, tool="t"))
        census.update(partition, run.encode(), root)
    assert census.runs == 3
    census.drop(0)
    assert census.runs == 1
    census.drop(0)
    assert census.runs == 1
