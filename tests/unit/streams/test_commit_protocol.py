"""The commit protocol with a crash between any two of its numbered steps: nothing lost, nothing decided twice."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from detectors.engine import Engine
from detectors.rules import RuleBook, Rules
from streams.batches import Batch
from streams.breaker import Breaker
from streams.census import Census
from streams.codec import decode_command
from streams.judging import Judge
from streams.partition import Partition
from streams.pipeline import Pipeline
from streams.record import Entry, decode_state, supersedes
from streams.work import DeadLetter, Work

TOPICS = ("steps", "operator", "acks")
RUNS = ("calm", "stuck", "other")
STEPS = 24


def step(run: str, seq: int) -> bytes:
    stuck = run == "stuck"
    return orjson.dumps(
        {
            "run_id": run,
            "seq": seq,
            "tool": "shell",
            "args": {"command": "status" if stuck else f"look at {run} {seq * 7919 % 101}"},
            "result": "nothing new here"
            if stuck
            else f"finding {run} number {seq * 104729 % 1009} of the survey",
            "ts": 1000.0 + seq,
            "turn": seq,
        }
    )


def record(offset: int, key: bytes | None, value: bytes | None, topic: str = "steps") -> Any:
    return SimpleNamespace(
        topic=topic,
        partition=0,
        offset=offset,
        key=key,
        value=value,
        headers=(),
        timestamp=1_000_000 + offset,
    )


def source() -> list[Any]:
    values: list[tuple[bytes, bytes]] = []
    for seq in range(STEPS):
        values += [(run.encode(), step(run, seq)) for run in RUNS]
        if seq in (3, 11):
            values.append((b"stuck", b"{rubbish"))
    return [record(i, key, value) for i, (key, value) in enumerate(values)]


class CrashError(Exception):
    """The process is gone."""


@dataclass
class Broker:
    """What outlives a process."""

    steps: list[Any] = field(default_factory=source)
    changelog: list[tuple[bytes, bytes | None]] = field(default_factory=list)
    control: list[tuple[bytes, bytes | None]] = field(default_factory=list)
    verdicts: list[tuple[bytes, bytes | None]] = field(default_factory=list)
    dlq: list[Any] = field(default_factory=list)
    committed: int | None = None

    def values(self) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for key, value in self.changelog:
            if value is None:
                found.pop(key, None)
            elif key not in found or supersedes(value, found[key]):
                found[key] = value
        return found


class Process:
    """One life of a worker: dies at the `at`-th time that `point` is passed, and does nothing afterwards."""

    def __init__(self, broker: Broker, point: str = "", at: int = 1) -> None:
        self.broker, self.point, self.left = broker, point, at
        self.dead = False
        self.marked: int | None = None
        self.reasons: list[str] = []

    def passing(self, point: str) -> None:
        if self.dead:
            raise CrashError(point)
        if point == self.point:
            self.left -= 1
            if self.left == 0:
                self.dead = True
                raise CrashError(point)

    # the writer's port
    async def send_dead(self, dead: Sequence[DeadLetter]) -> None:
        self.passing("before 0")
        self.broker.dlq += [(d.record.key, d.record.value, d.record.offset, d.reason) for d in dead]
        self.passing("after 0")

    async def write_states(
        self, partition: int, states: Sequence[tuple[bytes, bytes | None]]
    ) -> Awaitable[None]:
        self.passing("before 1")
        half = len(states) // 2
        self.broker.changelog += states[:half]
        self.passing("within 1")
        self.broker.changelog += states[half:]

        async def acknowledged() -> None:
            await asyncio.sleep(0)
            self.passing("after 1")

        return acknowledged()

    async def send_effects(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self.passing("within 2")
            getattr(self.broker, entry.topic).append((entry.key, entry.value))
            await asyncio.sleep(0)
        self.passing("after 2")

    # the consumer's port
    def is_current(self, batch: Batch) -> bool:
        return not self.dead

    def mark(self, batch: Batch) -> bool:
        self.marked = batch.next
        self.passing("after 3")
        return True

    def fatal(self, reason: str) -> None:
        self.reasons.append(reason)
        self.dead = True

    def __getattr__(self, name: str) -> Any:
        if name in {"judged", "settled", "stale", "opened", "ready", "retention_loss"}:
            return lambda *_: None
        raise AttributeError(name)

    async def live(self, size: int) -> None:
        broker = self.broker
        census, breaker = Census(), Breaker(1.0, 600.0, 1000)
        values = broker.values()
        engine = Engine(RuleBook(Rules()), assume_delivery=True)

        async def log_starts(partitions: Sequence[tuple[str, int]]) -> dict[tuple[str, int], int]:
            return dict.fromkeys(partitions, 0)

        async def nothing() -> None:
            return None

        pipeline = Pipeline(
            judge=Judge(engine, TOPICS, 1, lambda: 2000.0, census, breaker, embedded=False),
            writer=self,
            consumer=self,
            values=lambda number: values,
            topics={topic: i for i, topic in enumerate(TOPICS)},
            log_starts=log_starts,
            highwater=lambda topic, partition: 0,
            before_open=nothing,
            census=census,
            breaker=breaker,
            observer=self,
            fatal=self.fatal,
            clock=lambda: 2000.0,
            drain_s=5.0,
        )
        pipeline.recovered({0})
        try:
            await pipeline.sought({("steps", 0): broker.committed})
            position = broker.committed or 0
            while position < len(broker.steps) and not self.dead:
                chunk = broker.steps[position : position + size]
                end = position + len(chunk)
                await pipeline.handle(
                    Batch(SimpleNamespace(topic="steps", partition=0), position, end, 1, chunk)
                )
                position = end
                await asyncio.sleep(0)
                if self.marked is not None and (position // size) % 2 == 0:
                    self.passing("commit")
                    broker.committed = self.marked
            await pipeline.drain()
            if not self.dead and self.marked is not None:
                broker.committed = self.marked
        except CrashError:
            pass
        await asyncio.sleep(0.01)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()


def roots(broker: Broker) -> dict[bytes, bytes]:
    return {k: decode_state(v)[1].root for k, v in broker.values().items() if not k.startswith(b"\x00")}


async def judged(size: int, point: str = "", at: int = 1) -> Broker:
    broker = Broker()
    first = Process(broker, point, at)
    await first.live(size)
    if point:
        assert first.dead, f"{point} was never passed {at} times"
    for _ in range(3):
        again = Process(broker)
        await again.live(size)
        assert again.reasons == []
        assert broker.committed == len(broker.steps)
    return broker


def in_order_of_decision(records: list[tuple[bytes, bytes | None]]) -> list[bytes | None]:
    return list(dict.fromkeys(value for _, value in records))


@pytest.mark.parametrize("size", [1, 5, 17])
@pytest.mark.parametrize(
    "point",
    ["before 0", "after 0", "before 1", "within 1", "after 1", "within 2", "after 2", "after 3", "commit"],
)
@pytest.mark.parametrize("at", [1, 2])
async def test_a_crash_between_any_two_steps_changes_nothing(size: int, point: str, at: int) -> None:
    whole = await judged(size)
    broker = await judged(size, point, at)
    assert roots(broker) == roots(whole)
    assert in_order_of_decision(broker.control) == in_order_of_decision(whole.control)
    assert in_order_of_decision(broker.verdicts) == in_order_of_decision(whole.verdicts)
    assert dict.fromkeys(broker.dlq) == dict.fromkeys(whole.dlq)
    assert any(decode_command(value).action == "halt" for _, value in broker.control)


async def test_without_a_crash_every_effect_comes_once() -> None:
    broker = await judged(5)
    commands = [decode_command(value) for _, value in broker.control]
    assert len({c.command_id for c in commands}) == len(commands) > 0
    assert {c.run_id for c in commands} == {"stuck"}
    assert [c.version for c in commands] == list(range(1, len(commands) + 1))
    assert [(value, reason) for _, value, _, reason in broker.dlq] == [(b"{rubbish", "invalid_json")] * 2


async def test_a_hole_between_states_and_commit_ends_the_process() -> None:
    broker = await judged(5)
    broker.steps += source()
    broker.committed = len(broker.steps) - 3
    process = Process(broker)
    await process.live(5)
    assert "Set the group's offset back" in process.reasons[0]


def test_work_and_partition_are_what_the_crash_harness_drives() -> None:
    work = Work(0, 0, 0)
    assert (work.states, work.entries, work.dead) == ([], [], [])
    assert Partition(0, {}).progress() == Partition(0, {}).progress()
