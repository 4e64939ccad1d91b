"""The worlds answer from their state: the same question gets the same answer until something was changed."""

import random
from itertools import pairwise

import pytest

from bench.worlds.acts import Act
from bench.worlds.domains import DOMAINS
from bench.worlds.stalls import STALLS
from bench.worlds.tape import Tape
from bench.worlds.world import World
from detectors.events import Step


def _world(domain: str, seed: int = 0) -> World:
    return DOMAINS[domain].world(Tape(random.Random(f"{domain}{seed}"), "r", "en"))


def _steps(world: World) -> list[Step]:
    return [event for event in world.tape.events if isinstance(event, Step)]


EACH = pytest.mark.parametrize("domain", list(DOMAINS))


@EACH
def test_a_place_is_the_same_at_each_look_and_other_than_its_neighbours(domain: str) -> None:
    world = _world(domain)
    first = [world.place(i).result for i in range(10)]
    assert [world.place(i).result for i in range(10)] == first
    assert len({str(result) for result in first}) == 10


@EACH
def test_windows_together_are_the_long_place(domain: str) -> None:
    world = _world(domain)
    length = world.length()
    assert length >= 80
    whole = str(world.window(0, length).result)
    for first in range(0, length, 20):
        part = world.window(first, 20).result
        lines = part.splitlines() if isinstance(part, str) else part
        assert all(str(line) in whole for line in lines if not str(line).endswith("rows)"))


@EACH
def test_a_variant_brings_at_most_one_line_that_the_core_does_not_hold(domain: str) -> None:
    world = _world(domain)
    core = world.length() * 2 // 3
    known = _lines(world.window(0, core))
    for k in range(40):
        assert len(_lines(world.variant(k)) - known) <= 1, k


def _lines(act: Act) -> set[str]:
    """The lines without their numbers."""
    if not isinstance(act.result, str):
        return {str(row) for row in act.result}
    lines = {line.strip() for line in act.result.splitlines() if not line.endswith("rows)")}
    return {line.split("  ", 1)[1].strip() if line.split("  ", 1)[0].isdigit() else line.split(":", 1)[1].strip()
            if line.split(":", 1)[0].isdigit() else line for line in lines}  # fmt: skip


@EACH
def test_a_write_without_effect_says_so_by_its_hashes_and_an_undone_one_comes_back(domain: str) -> None:
    world = _world(domain)
    for k in range(4):
        act = world.unchanged(k)
        assert act.before == act.after != ""
    flips = [world.flip(k) for k in range(5)]
    assert flips[1].after == flips[3].after != flips[2].after == flips[4].after


@EACH
def test_the_ways_around_one_cause_differ_and_fail(domain: str) -> None:
    world = _world(domain)
    acts = [world.denied(k) for k in range(20)]
    assert all(act.error for act in acts)
    assert len({str(act.args) for act in acts}) == 20


@EACH
@pytest.mark.parametrize("stall", list(STALLS))
def test_each_stall_runs_for_the_rounds_that_are_asked_for(domain: str, stall: str) -> None:
    world = _world(domain)
    if (lead := STALLS[stall].lead) is not None:
        lead(world)
    before = world.tape.rounds
    STALLS[stall].run(world, 44)
    assert 44 <= world.tape.rounds - before < 44 + 16


SAMENESS_IS_THE_JOB = frozenset(("ops/heartbeats", "ops/nightly_job", "ops/pipeline_wait", "ops/backoff"))
"""What is looked at in time may stay as it is."""


@EACH
def test_each_kind_of_work_is_mostly_new(domain: str) -> None:
    """Half of the steps of healthy work are calls that were not made before, or answers that were not given."""
    for kind, run in DOMAINS[domain].work.items():
        world = _world(domain)
        world.tape.dialect.footer, world.tape.dialect.wrap = "", "plain"
        run(world)
        steps = _steps(world)
        told = [(step.agent, step.tool, str(step.args), str(step.result)) for step in steps]
        if kind not in SAMENESS_IS_THE_JOB:
            assert len(set(told)) * 2 >= len(told), kind


def test_the_failing_set_moves_with_the_edits() -> None:
    world = _world("coding")
    world.tape.dialect.footer, world.tape.dialect.wrap = "", "plain"
    DOMAINS["coding"].work["coding/test_edit_loop"](world)
    name = (
        world.tape.dialect.name("run.tests")
        if not world.tape.dialect.shell
        else world.tape.dialect.shell_name
    )
    runs = [
        str(s.result).splitlines()[:-1]
        for s in _steps(world)
        if s.tool == name and " passed in " in str(s.result)
    ]
    moved = sum(a != b for a, b in pairwise(runs))
    assert len(runs) >= 4
    assert moved * 3 >= (len(runs) - 1) * 2
    assert runs[-1] == []
