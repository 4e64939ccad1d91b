"""Generated runs: the same bytes for a seed, labels over every step, every kind there, fit for the wire."""

import os
import subprocess
import sys
from itertools import pairwise

import msgspec

from bench.generate import PLANS, encoded, generate, one_run
from bench.worlds.domains import DOMAINS, WORK_KINDS
from bench.worlds.stalls import STALLS
from bench.worlds.words import LANGUAGES
from detectors.events import AgentEvent, Compaction, RunEvent, Step, UserInput

RUNS = list(generate(5, 400))


def _steps(events: list) -> list[Step]:
    return [event for event in events if isinstance(event, Step)]


def test_the_same_seed_gives_the_same_bytes_in_another_process() -> None:
    here = b"".join(encoded(run) + b"\n" for run in RUNS[:60])
    command = [sys.executable, "-m", "bench.generate", "--seed", "5", "--runs", "60"]
    there = subprocess.run(
        command, env=os.environ | {"PYTHONHASHSEED": "77"}, capture_output=True, check=True
    )
    assert there.stdout == here


def test_a_run_does_not_hang_on_how_many_are_asked_for_and_another_seed_is_another_run() -> None:
    assert encoded(one_run(5, 37)) == encoded(RUNS[37])
    assert encoded(one_run(6, 37)) != encoded(RUNS[37])


def test_labels_cover_every_step_once() -> None:
    for run in RUNS:
        at = 1
        for stretch in run.stretches:
            assert stretch.first == at, run.id
            at = stretch.last + 1
        assert at - 1 == len(_steps(run.events)) == len(run.rounds), run.id


def test_every_kind_is_there() -> None:
    kinds = {(s.label, s.kind) for run in RUNS for s in run.stretches}
    assert {kind for label, kind in kinds if label == "stall"} == set(STALLS)
    assert {kind for label, kind in kinds if label == "healthy" and not kind.startswith("lead/")} == set(
        WORK_KINDS
    )
    assert len(WORK_KINDS) >= 30
    assert {run.plan for run in RUNS} == set(PLANS)
    assert {run.domain for run in RUNS} == set(DOMAINS)
    assert {run.language for run in RUNS} == set(LANGUAGES)


def test_every_event_is_fit_for_the_wire_and_numbered_without_gaps() -> None:
    for run in RUNS:
        events = msgspec.json.decode(msgspec.json.encode(run.events), type=list[RunEvent])
        assert events == run.events
        numbered = [event.seq for event in run.events if isinstance(event, AgentEvent)]
        assert numbered == list(range(len(numbered)))


def test_lengths_are_those_of_real_runs() -> None:
    assert all(15 <= len(run.rounds) <= 150 for run in RUNS)


def test_stalls_that_ignore_feedback_go_on_for_forty_rounds() -> None:
    for run in RUNS:
        if run.plan == "ignores_feedback":
            (stall,) = (s for s in run.stretches if s.label == "stall")
            assert run.rounds[stall.last - 1] - run.rounds[stall.first - 1] >= 40, run.id


def test_a_recovery_ends_the_stall_and_healthy_work_follows() -> None:
    for run in RUNS:
        if run.plan == "recovery":
            assert run.stretches[-1].label == "healthy"
            assert any(s.label == "stall" for s in run.stretches)


def test_the_wire_is_as_uneven_as_in_the_field() -> None:
    """Some runs lack what others carry: nothing may be relied on."""
    steps = [_steps(run.events) for run in RUNS]

    def share(has: object) -> float:
        return sum(any(has(step) for step in run) for run in steps) / len(steps)  # type: ignore[operator]

    assert 0.7 < share(lambda s: s.ts is not None) < 0.98
    assert 0.3 < share(lambda s: s.exit_code is not None) < 0.95
    assert 0.2 < share(lambda s: s.after_hash is not None) < 0.9
    assert 0.05 < share(lambda s: s.effect is not None) < 0.3
    assert 0.1 < share(lambda s: s.turn is not None) < 0.5
    assert any(isinstance(event, Compaction) for run in RUNS for event in run.events)
    assert any(isinstance(event, UserInput) for run in RUNS for event in run.events)


def test_parallel_calls_are_at_most_a_tenth_of_a_second_apart_beside_the_next() -> None:
    wide = 0
    for run in RUNS:
        timed = [(step.ts, round_) for step, round_ in zip(_steps(run.events), run.rounds, strict=True)]
        for (a, of_a), (b, of_b) in pairwise(timed):
            if isinstance(a, float) and isinstance(b, float):
                assert (b - a <= 0.1) == (of_a == of_b), run.id
                wide += of_a == of_b
    assert wide > 50
