"""Delivery: in order within a partition, again until it is through, one bad record holds up nothing."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from stallwatch.clients import delivery as module
from stallwatch.clients.buffer import Buffer, Waiting
from stallwatch.clients.delivery import Delivery
from stallwatch.clients.transport import RecordSender, RejectedError
from stallwatch.testing import FakeBroker

TOPIC = "stallwatch.steps"


class Flaky:
    """Fails as the script says, and writes down what it was asked."""

    def __init__(self, broker: FakeBroker, failures: dict[int, list[Exception]] | None = None) -> None:
        self._inner = broker.sender()
        self.failures = failures or {}
        self.asked: list[tuple[int, list[bytes]]] = []
        self.blocked: dict[int, asyncio.Event] = {}
        self.closed = False

    async def partitions(self, topic: str) -> int:
        return await self._inner.partitions(topic)

    async def send(self, topic: str, partition: int, records: Sequence[Waiting]) -> None:
        self.asked.append((partition, [record.value for record in records]))
        if partition in self.blocked:
            await self.blocked[partition].wait()
        if self.failures.get(partition):
            raise self.failures[partition].pop(0)
        await self._inner.send(topic, partition, records)

    async def close(self) -> None:
        self.closed = True


@asynccontextmanager
async def delivering(buffer: Buffer, sender: RecordSender) -> AsyncIterator[tuple[Delivery, list[int]]]:
    rejected: list[int] = []
    delivery = Delivery(buffer, sender, TOPIC, on_rejected=rejected.append)
    task = asyncio.create_task(delivery.run())
    try:
        yield delivery, rejected
    finally:
        task.cancel()
        await asyncio.wait([task])


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE_S", 0.001)


def filled(values: Sequence[bytes], key: bytes = b"r") -> Buffer:
    buffer = Buffer(max_records=10_000, max_bytes=10_000_000)
    for value in values:
        buffer.offer(key, value)
    return buffer


async def test_a_failed_batch_is_sent_again_before_anything_behind_it() -> None:
    broker = FakeBroker(partitions=1)
    sender = Flaky(broker, {0: [ConnectionError("gone"), TimeoutError()]})
    buffer = filled([b"0", b"1"])
    async with delivering(buffer, sender) as (delivery, _):
        delivery.wake()
        while len(sender.asked) < 1:
            await asyncio.sleep(0)
        buffer.offer(b"r", b"2")
        delivery.wake()
        await delivery.drained(buffer.end)
        assert [record.value for record in broker.records(TOPIC)] == [b"0", b"1", b"2"]
        assert [values[0] for _, values in sender.asked[:3]] == [b"0", b"0", b"0"]
        assert delivery.delivered == 3


async def test_a_partition_without_a_leader_holds_up_no_other() -> None:
    broker = FakeBroker(partitions=4)
    sender = Flaky(broker)
    buffer = Buffer(max_records=100, max_bytes=10_000)
    keys = [f"run-{n}".encode() for n in range(40)]
    for key in keys:
        buffer.offer(key, key)
    sender.blocked[2] = asyncio.Event()
    async with delivering(buffer, sender) as (delivery, _):
        delivery.wake()
        while len({record.partition for record in broker.records(TOPIC)}) < 3:
            await asyncio.sleep(0)
        assert buffer.records == len([k for k in keys if module.partition_for(k, 4) == 2]) > 0
        sender.blocked[2].set()
        await delivery.drained(buffer.end)
    assert sorted(record.value for record in broker.records(TOPIC) if record.value) == sorted(keys)
    assert sender.closed


async def test_a_record_that_is_refused_goes_alone() -> None:
    broker = FakeBroker(partitions=1, max_record_bytes=100)
    values = [b"%d" % n for n in range(20)]
    values[13] = b"x" * 200
    buffer = filled(values)
    async with delivering(buffer, broker.sender()) as (delivery, rejected):
        delivery.wake()
        await delivery.drained(buffer.end)
        assert sum(rejected) == 1
        assert delivery.delivered == 19
    assert [record.value for record in broker.records(TOPIC)] == values[:13] + values[14:]


async def test_a_sender_that_always_refuses_ends_in_counts() -> None:
    buffer = filled([b"0", b"1", b"2"])
    refusals: list[Exception] = [RejectedError("no") for _ in range(10)]
    async with delivering(buffer, Flaky(FakeBroker(partitions=1), {0: refusals})) as (delivery, rejected):
        delivery.wake()
        await delivery.drained(buffer.end)
        assert (sum(rejected), delivery.delivered) == (3, 0)


async def test_what_waits_while_the_broker_is_down_arrives_in_order(caplog: pytest.LogCaptureFixture) -> None:
    broker = FakeBroker(partitions=1)
    broker.down = True
    values = [b"%d" % n for n in range(1200)]
    buffer = filled(values)
    async with delivering(buffer, broker.sender()) as (delivery, _):
        delivery.wake()
        while broker.attempts < 4:
            await asyncio.sleep(0.001)
        assert buffer.records == 1200
        broker.down = False
        await delivery.drained(buffer.end)
    assert [record.value for record in broker.records(TOPIC)] == values
    assert [record.message.split(",")[0] for record in caplog.records] == [
        f"topic {TOPIC} cannot be reached",
        f"topic {TOPIC} is reached again",
    ]


async def test_batches_are_bounded_in_number_and_bytes() -> None:
    sender = Flaky(FakeBroker(partitions=1))
    buffer = filled([b"x" * 300_000] * 3 + [b"y"] * 1200)
    async with delivering(buffer, sender) as (delivery, _):
        delivery.wake()
        await delivery.drained(buffer.end)
    sizes = [len(values) for _, values in sender.asked]
    assert sum(sizes) == 1203
    assert max(sizes) <= module.BATCH_RECORDS
    assert max(sum(map(len, values)) for _, values in sender.asked) <= module.BATCH_BYTES
