"""The life of partitions around the protocol: what is judged when, and what never is."""

import asyncio
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from detectors.engine import Engine
from detectors.rules import RuleBook, Rules
from streams.batches import Batch
from streams.breaker import Breaker
from streams.census import Census
from streams.judging import Judge
from streams.pipeline import Pipeline

TOPICS = ("steps", "operator", "acks")


class World:
    """A pipeline over ports that remember what they were asked."""

    def __init__(self, *, drain_s: float = 5.0, log_start: int = 0) -> None:
        self.now = 1000.0
        self.written: list[tuple[int, Any]] = []
        self.sent: list[Any] = []
        self.told: list[tuple[Any, ...]] = []
        self.fatals: list[str] = []
        self.asked: list[Any] = []
        self.current = True
        self.acknowledged = asyncio.Event()
        self.acknowledged.set()
        self.log_start = log_start
        self.values: dict[int, dict[bytes, bytes]] = {}
        self.marks: list[int] = []
        self.ends: dict[tuple[str, int], int | None] = {}
        census, breaker = Census(), Breaker(1.0, 60.0, 999)
        self.census = census
        rules = Rules(silence_s=60.0)
        self.pipeline = Pipeline(
            judge=Judge(
                Engine(RuleBook(rules)), TOPICS, 1, lambda: self.now, census, breaker, embedded=False
            ),
            writer=self,
            consumer=self,
            values=lambda number: self.values.setdefault(number, {}),
            topics={topic: i for i, topic in enumerate(TOPICS)},
            log_starts=self.log_starts,
            highwater=lambda topic, partition: self.ends.get((topic, partition), 0),
            before_open=self.before_open,
            census=census,
            breaker=breaker,
            observer=self,
            fatal=self.fatals.append,
            clock=lambda: self.now,
            drain_s=drain_s,
        )

    async def log_starts(self, partitions: Any) -> Any:
        self.asked.append(list(partitions))
        return dict.fromkeys(partitions, self.log_start)

    async def before_open(self) -> None:
        self.told.append(("rules refreshed",))

    async def send_dead(self, dead: Any) -> None:
        self.sent += dead

    async def write_states(self, partition: int, states: Any) -> Any:
        self.written.append((partition, states))

        async def wait() -> None:
            await self.acknowledged.wait()

        return wait()

    async def send_effects(self, entries: Any) -> None:
        self.sent += entries

    def is_current(self, batch: Batch) -> bool:
        return self.current

    def mark(self, batch: Batch) -> bool:
        self.marks.append(batch.next)
        return True

    def __getattr__(self, name: str) -> Any:
        if name in {"judged", "settled", "stale", "opened", "ready", "retention_loss"}:
            return lambda *args: self.told.append((name, *args))
        raise AttributeError(name)

    def heard(self, name: str) -> list[Any]:
        return [args[0] if len(args) == 1 else args for told, *args in self.told if told == name]

    async def own(self, *numbers: int, committed: int | None = None) -> None:
        self.pipeline.recovered(set(numbers))
        await self.pipeline.sought({(topic, n): committed for topic in TOPICS for n in numbers})


def batch(first: int, count: int, *, partition: int = 0, at: int | None = None) -> Batch:
    start = first if at is None else at
    records = [
        SimpleNamespace(
            topic="steps",
            partition=partition,
            offset=start + i,
            key=b"r",
            value=orjson.dumps({"run_id": "r", "seq": start + i, "tool": "t", "result": str(start + i)}),
            headers=(),
            timestamp=900_000,
        )
        for i in range(count)
    ]
    return Batch(SimpleNamespace(topic="steps", partition=partition), first, start + count, 1, records)


async def test_batches_are_judged_written_and_marked_in_order() -> None:
    world = World()
    await world.own(0)
    for first in (0, 4, 8):
        await world.pipeline.handle(batch(first, 4))
    await world.pipeline.drain()
    assert world.marks == [4, 8, 12]
    assert world.pipeline.in_flight == 0


async def test_the_next_batch_is_judged_while_the_last_one_waits_and_is_marked_after_it() -> None:
    world = World()
    await world.own(0)
    world.acknowledged.clear()
    await world.pipeline.handle(batch(0, 4))
    await world.pipeline.handle(batch(4, 4))
    assert len(world.written) == 2
    assert world.marks == []
    world.acknowledged.set()
    await world.pipeline.drain()
    assert world.marks == [4, 8]


async def test_a_batch_that_a_seek_overtook_is_not_judged() -> None:
    world = World()
    await world.own(0)
    world.current = False
    await world.pipeline.handle(batch(0, 4))
    assert world.written == []
    assert len(world.heard("stale")) == 1


async def test_after_a_revocation_nothing_is_judged_not_even_by_time() -> None:
    world = World()
    await world.own(0)
    await world.pipeline.handle(batch(0, 4))
    await world.pipeline.drain()
    world.pipeline.revoked()
    # A fetch that the revocation overtook makes the consumer seek while another worker may already own the partition.
    told = world.heard("ready")
    await world.pipeline.sought({("steps", 0): 4})
    assert world.heard("ready") == told, "states are still being read back"
    world.now += 10_000
    before = len(world.written)
    await world.pipeline.tick()
    await world.pipeline.handle(batch(4, 4))
    assert len(world.written) == before
    assert world.census.runs == 0


async def test_silence_is_noticed_by_time_alone() -> None:
    world = World()
    await world.own(0)
    await world.pipeline.handle(batch(0, 4))
    world.now = 900.0 + 59.0  # the records arrived at 900
    await world.pipeline.tick()
    assert world.sent == []
    world.now = 900.0 + 61.0
    await world.pipeline.tick()
    await world.pipeline.drain()
    assert {entry.topic for entry in world.sent} == {"control", "verdicts"}
    assert all(b"silence" in entry.value for entry in world.sent)


async def test_a_spare_worker_is_ready() -> None:
    world = World()
    world.pipeline.recovered(set())
    assert world.heard("ready") == [frozenset()]


async def test_rule_sets_are_read_before_states_are_opened() -> None:
    world = World()
    await world.own(0, 1)
    names = [name for name, *_ in world.told]
    assert names.index("rules refreshed") < names.index("opened")
    assert world.heard("ready") == [frozenset({0, 1})]


async def test_where_logs_begin_is_asked_once_and_only_where_it_matters() -> None:
    world = World()
    await world.own(0)
    assert len(world.asked) == 1
    await world.pipeline.handle(batch(0, 4))
    await world.pipeline.drain()
    world.asked.clear()
    world.pipeline.recovered({0})
    await world.pipeline.sought({("steps", 0): 4, ("operator", 0): 0, ("acks", 0): 0})
    assert world.asked == []


async def test_what_retention_took_is_counted_and_reading_goes_on() -> None:
    world = World()
    await world.own(0)
    await world.pipeline.handle(batch(0, 4))
    world.log_start = 9
    await world.pipeline.handle(batch(4, 4, at=9))
    await world.pipeline.drain()
    assert world.heard("retention_loss") == [["steps", 0, 5]]
    assert world.fatals == []
    assert world.marks == [4, 13]


async def test_a_gap_of_transaction_markers_is_no_loss() -> None:
    world = World()
    await world.own(0)
    await world.pipeline.handle(batch(0, 4))
    await world.pipeline.handle(batch(4, 4, at=6))
    await world.pipeline.drain()
    assert world.heard("retention_loss") == []
    assert world.fatals == []
    assert world.marks == [4, 10]


async def test_a_batch_that_does_not_begin_where_the_last_one_ended_ends_the_process() -> None:
    world = World()
    await world.own(0)
    await world.pipeline.handle(batch(0, 4))
    await world.pipeline.handle(batch(6, 4))
    assert "records were judged only up to 4" in world.fatals[0]


async def test_states_that_are_not_acknowledged_in_time_end_the_process() -> None:
    world = World(drain_s=0.01)
    await world.own(0)
    world.acknowledged.clear()
    await world.pipeline.handle(batch(0, 4))
    await world.pipeline.drain()
    assert "not acknowledged within 0.01 s" in world.fatals[0]
    world.acknowledged.set()


async def test_a_rejected_state_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    await world.own(0)

    async def rejected(partition: int, states: Any) -> Any:
        async def wait() -> None:
            raise OSError("message too large")

        return wait()

    monkeypatch.setattr(world, "write_states", rejected)
    await world.pipeline.handle(batch(0, 4))
    with pytest.raises(OSError, match="too large"):
        await world.pipeline.drain()
    assert "could not be made durable: OSError: message too large" in world.fatals[0]


async def test_lag_is_what_has_not_been_judged() -> None:
    world = World()
    await world.own(0)
    await world.pipeline.handle(batch(0, 4))
    world.ends = {("steps", 0): 10, ("operator", 0): None}
    assert world.pipeline.lag() == {("steps", 0): 6, ("acks", 0): 0}


@pytest.mark.parametrize("end", [None, 40])
async def test_after_a_downtime_nobody_is_silent_whose_records_wait_to_be_read(end: int | None) -> None:
    world = World()
    await world.own(0)
    await world.pipeline.handle(batch(0, 4))  # arrived at 900
    await world.pipeline.drain()
    await world.own(0, committed=4)
    world.now = 900.0 + 10_000
    world.ends = {("steps", 0): end}
    await world.pipeline.tick()
    assert world.sent == []
    await world.pipeline.handle(batch(4, 4))  # the backlog's arrival time is the time until it is judged
    await world.pipeline.tick()
    assert world.sent == []
    world.ends = {("steps", 0): 8}
    await world.pipeline.tick()
    await world.pipeline.drain()
    assert {entry.topic for entry in world.sent} == {"control", "verdicts"}
