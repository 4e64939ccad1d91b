"""Runs of agents with ground truth: `python -m bench.generate --seed N --runs N [--out FILE.jsonl]`.

Each line is one run: its events as the wire gives them, and its stretches (label, kind, first and last step, counted
from 1). The same seed gives the same bytes. Run i of a seed does not depend on how many runs are asked for.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bench.worlds.domains import DOMAINS, WORK_KINDS
from bench.worlds.stalls import STALLS, Stall
from bench.worlds.tape import HEALTHY, Stretch, Tape
from bench.worlds.world import World
from detectors.events import RunEvent

PLANS = ("healthy", "stall", "ignores_feedback", "recovery", "mixed")
_PLAN_OF = (
    "healthy", "stall", "healthy", "ignores_feedback", "healthy", "stall", "healthy", "recovery", "healthy", "mixed",
)  # fmt: skip
"""The plans in turn: half of all runs are healthy, so that a rate of 1 % can be told."""
_LANGUAGE_OF = ("en", "en", "de", "en", "ja", "en", "zh", "en", "en", "en")
_IGNORED_ROUNDS = 44


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """One generated run."""

    id: str
    plan: str
    domain: str
    language: str
    events: list[RunEvent]
    stretches: list[Stretch]
    rounds: list[int]
    """Of each step, the number of its round."""


def generate(seed: int, runs: int) -> Iterator[Run]:
    """The first `runs` runs of the seed. A few ms each."""
    return (one_run(seed, i) for i in range(runs))


def one_run(seed: int, i: int) -> Run:
    """Run i of the seed: kinds take turns, everything else is drawn."""
    rng = random.Random(f"{seed}/{i}")
    plan = _PLAN_OF[i % len(_PLAN_OF)]
    turn = i // len(_PLAN_OF)
    kind = WORK_KINDS[(turn * 5 + i % 10 // 2) % len(WORK_KINDS)]
    domain = kind.split("/", 1)[0] if plan == "healthy" else rng.choice(list(DOMAINS))
    language = rng.choice(_LANGUAGE_OF)
    tape = Tape(rng, f"g{seed}-{i}", language)
    world = DOMAINS[domain].world(tape)
    stall = list(STALLS)[(turn + 7 * (i % 10)) % len(STALLS)]
    if plan == "healthy":
        _healthy(world, kind)
    elif plan == "mixed":
        _mixed(world, STALLS[stall])
    else:
        _stalled(world, stall, plan)
    return Run(
        id=tape.run_id,
        plan=plan,
        domain=domain,
        language=language,
        events=tape.events,
        stretches=tape.stretches,
        rounds=tape.round_of,
    )


def _healthy(world: World, kind: str) -> None:
    """One kind of work first, others until the run is long enough; none twice."""
    tape, wanted = world.tape, world.rng.randint(15, 45)
    for following in [kind, *_others(world, kind)]:
        _work(world, following)
        if tape.steps >= wanted:
            break
        if world.rng.random() < 0.2:
            tape.user()


def _others(world: World, *done: str) -> list[str]:
    """The domain's other kinds of work in a drawn order."""
    kinds = [kind for kind in DOMAINS[world.domain].work if kind not in done]
    world.rng.shuffle(kinds)
    return kinds


def _work(world: World, kind: str) -> None:
    domain = DOMAINS[kind.split("/", 1)[0]]
    with world.tape.stretch(HEALTHY, kind):
        domain.work[kind](world)


def _stalled(world: World, name: str, plan: str) -> None:
    """Work, then the stall to the end of the run, or so far that it is seen to end by itself."""
    tape, rng, stall = world.tape, world.rng, STALLS[name]
    tape.dialect.hashes = tape.dialect.hashes or stall.hashes
    tape.dialect.clock = tape.dialect.clock or stall.clock
    think = tape.dialect.think
    kinds = _others(world)
    if rng.random() < 0.8:
        _work(world, kinds.pop())
    if stall.lead:
        with tape.stretch(HEALTHY, f"lead/{name}"):
            stall.lead(world)
    tape.stray = rng.choice((0.0, 0.0, 0.08, 0.15, 0.2))
    rounds = {
        "stall": rng.randint(24, 40),
        "recovery": rng.randint(6, 24),
        "ignores_feedback": _IGNORED_ROUNDS,
    }[plan]
    with tape.stretch("stall", name):
        stall.run(world, rounds)
    tape.stray, tape.dialect.think = 0.0, think
    if plan == "recovery":
        end = tape.steps + rng.randint(15, 40)
        while tape.steps < end:
            _work(world, kinds.pop())


def _mixed(world: World, stall: Stall) -> None:
    """Work with short relapses: a person would not call it a stall, nor swear that it is healthy."""
    tape, rng = world.tape, world.rng
    end = tape.steps + rng.randint(30, 70)
    with tape.stretch("mixed", "mixed"):
        if stall.lead:
            stall.lead(world)
        for kind in _others(world):
            stall.run(world, rng.randint(2, 4))
            DOMAINS[world.domain].work[kind](world)
            if tape.steps >= end:
                break


def encoded(run: Run) -> bytes:
    """One line of JSON without its end."""
    return msgspec.json.encode(run)


def main() -> None:
    parser = argparse.ArgumentParser(description="Runs of agents with ground truth, one a line.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--out", type=Path, help="default: standard output")
    asked = parser.parse_args()
    lines = (encoded(run) + b"\n" for run in generate(asked.seed, asked.runs))
    if asked.out:
        with asked.out.open("wb") as file:
            file.writelines(lines)
    else:
        sys.stdout.buffer.writelines(lines)


if __name__ == "__main__":
    main()
