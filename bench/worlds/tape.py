"""The record of one run: events of the wire in time, and which stretches of it are what."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import msgspec

from bench.worlds.acts import Act
from bench.worlds.dialect import Dialect
from bench.worlds.words import Lexicon
from detectors.events import Compaction, Milestone, RunEvent, Step, UserInput

HEALTHY = "healthy"


class Stretch(msgspec.Struct, kw_only=True, frozen=True):
    """A labelled part of a run; steps are counted from 1."""

    label: str
    """`healthy`, `stall` or `mixed`."""
    kind: str
    first: int
    last: int


class Tape:
    """Records acts; keeps the clock. One act is one round, the acts of `together` are one."""

    def __init__(self, rng: random.Random, run_id: str, language: str) -> None:
        self.rng = rng
        self.run_id = run_id
        self.words = Lexicon(rng, language)
        self.dialect = Dialect(rng, language)
        self.now = 0.0
        self.steps = 0
        self.rounds = 0
        self.round_of: list[int] = []
        """Of each step, which round it was in."""
        self.events: list[RunEvent] = []
        self.stretches: list[Stretch] = []
        self.stray = 0.0
        """Share of steps that are followed by a step out of `aside`."""
        self.agent: str | None = None
        """Who acts, where the run has several agents."""
        self._seq = 0
        self._marks = 0

    def do(self, *acts: Act) -> None:
        """Each act in a turn of its own."""
        for act in acts:
            self.together(act)

    def together(self, *acts: Act) -> None:
        """All acts in one turn, issued at once."""
        if not acts:
            return
        self.rounds += 1
        jitter = 0.04 if self.rng.random() < 0.3 else 0.0
        for i, act in enumerate(acts):
            self._record(act, self.now + i * jitter)
        self.now += max(act.took for act in acts) * self.rng.uniform(0.9, 1.1)
        self.now += self.dialect.think * self.rng.uniform(0.4, 1.8)

    def wait(self, seconds: float) -> None:
        """Time passes without a call."""
        self.now += seconds

    def user(self) -> None:
        """A person says something."""
        self.now += self.rng.uniform(10, 120)
        self.events.append(UserInput(run_id=self.run_id, seq=self._seq, ts=self._ts(self.now)))
        self._seq += 1

    def compaction(self) -> None:
        """The context is compacted before the next step."""
        self.events.append(Compaction(run_id=self.run_id, seq=self._seq, ts=self._ts(self.now)))
        self._seq += 1

    def milestone(self, name: str) -> None:
        """The host verified something after the last step."""
        self._marks += 1
        self.events.append(
            Milestone(
                run_id=self.run_id,
                event_id=f"{self.run_id}-m{self._marks}",
                id=name,
                at_seq=max(0, self._seq - 1),
                ts=self._ts(self.now),
            )
        )

    @contextmanager
    def stretch(self, label: str, kind: str) -> Iterator[None]:
        """What is recorded inside is labelled so."""
        first = self.steps + 1
        yield
        if self.steps >= first:
            self.stretches.append(Stretch(label=label, kind=kind, first=first, last=self.steps))

    def clock(self) -> str:
        """The time of day in the world, as logs print it."""
        return datetime.fromtimestamp(1_764_000_000 + self.now, UTC).strftime("%H:%M:%S")

    def took(self, low: float = 0.05, high: float = 4.0) -> str:
        """A duration as tools print it."""
        return f"{self.rng.uniform(low, high):.2f}s"

    def _ts(self, at: float) -> float | None:
        return round(self.dialect.clock_start + at, 3) if self.dialect.clock else None

    def _record(self, act: Act, at: float) -> None:
        d = self.dialect
        tool, args, shell = d.call(act)
        exit_code = act.exit if act.exit is not None else 0 if shell else None
        result = self._with_footer(act.result, act.took)
        fields: dict[str, Any] = {}
        if d.exit_codes and exit_code is not None:
            fields["exit_code"] = exit_code
        if act.error and d.errors != "none":
            fields["error"] = act.error if d.errors == "text" else True
        if d.hashes and (d.read_hashes or act.before != act.after or not d.reads(act)):
            if act.before:
                fields["before_hash"] = act.before
            if act.after:
                fields["after_hash"] = act.after
        if d.durations:
            fields["duration_s"] = round(act.took, 2)
        if d.turns:
            fields["turn"] = self.rounds
        self.events.append(
            Step(
                run_id=self.run_id,
                seq=self._seq,
                ts=self._ts(at),
                agent=self.agent,
                tool=tool,
                args=args,
                result=d.wrapped(result, exit_code, act.took),
                effect=None if shell else d.effect(act),
                score=act.score,
                milestone=act.milestone,
                **fields,
            )
        )
        self._seq += 1
        self.steps += 1
        self.round_of.append(self.rounds)

    def _with_footer(self, result: Any, took: float) -> Any:
        footer = self.dialect.footer
        if not footer or not isinstance(result, str) or not result:
            return result
        if footer == "took":
            return f"{result}\n(completed in {took * self.rng.uniform(0.9, 1.1):.2f}s)"
        if footer == "request":
            return f"{result}\nrequest_id: {self.words.hex(12)}"
        return f"{result}\n[{self.clock()}]"
