"""Whole topics, read and written in the raw: what stands on the broker is what the tests judge by."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient

Found = TypeVar("Found")
Headers = Sequence[tuple[str, bytes]]


@dataclass(frozen=True)
class Record:
    """One record as the broker holds it."""

    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: Headers = ()


@dataclass(frozen=True)
class Outgoing:
    """One record to be written; without a partition, murmur2 of the key decides."""

    key: bytes | None
    value: bytes | None
    headers: Headers = ()
    partition: int | None = None


async def read(bootstrap: str, topic: str) -> list[Record]:
    """Every record between the topic's beginning and its end of this moment, by partition, then offset."""
    consumer = AIOKafkaConsumer(
        bootstrap_servers=bootstrap,
        enable_auto_commit=False,
        auto_offset_reset="earliest",
        max_partition_fetch_bytes=16 * 1024 * 1024,
    )
    await consumer.start()
    try:
        partitions = await _partitions(bootstrap, topic)
        consumer.assign(partitions)
        end = await consumer.end_offsets(partitions)
        found: list[Record] = []
        behind = [tp for tp in partitions if await consumer.position(tp) < end[tp]]
        while behind:
            for records in (await consumer.getmany(timeout_ms=200)).values():
                found.extend(
                    Record(r.partition, r.offset, r.timestamp, r.key, r.value, tuple(r.headers))
                    for r in records
                    if r.offset < end[TopicPartition(topic, r.partition)]
                )
            # The position, not the last record: aborted transactions and compaction leave holes at the end.
            behind = [tp for tp in behind if await consumer.position(tp) < end[tp]]
        return sorted(found, key=lambda r: (r.partition, r.offset))
    finally:
        await consumer.stop()


async def end_offsets(bootstrap: str, topic: str) -> dict[int, int]:
    """The offset that the next record of each partition gets."""
    consumer = AIOKafkaConsumer(bootstrap_servers=bootstrap, enable_auto_commit=False)
    await consumer.start()
    try:
        partitions = await _partitions(bootstrap, topic)
        ends = await consumer.end_offsets(partitions)
        return {tp.partition: end for tp, end in ends.items()}
    finally:
        await consumer.stop()


async def committed(bootstrap: str, group: str, topic: str) -> dict[int, int]:
    """What the group has committed, by partition; partitions without a commit are not in it."""
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        offsets = await admin.list_consumer_group_offsets(group)
        return {tp.partition: at.offset for tp, at in offsets.items() if tp.topic == topic and at.offset >= 0}
    finally:
        await admin.close()


async def lag(bootstrap: str, group: str, topic: str) -> int:
    """Records of the topic that the group has not committed."""
    ends = await end_offsets(bootstrap, topic)
    done = await committed(bootstrap, group, topic)
    return sum(end - done.get(partition, 0) for partition, end in ends.items())


async def write(
    bootstrap: str,
    topic: str,
    records: Iterable[Outgoing],
    *,
    compression: str | None = None,
    **options: object,
) -> list[tuple[int, int]]:
    """All records stand on the topic, in their order within a partition; (partition, offset) of each."""
    producer = AIOKafkaProducer(
        bootstrap_servers=bootstrap,
        acks="all",
        enable_idempotence=True,
        compression_type=compression,
        linger_ms=5,
        **options,
    )
    await producer.start()
    try:
        sent = [
            await producer.send(
                topic, key=r.key, value=r.value, headers=list(r.headers), partition=r.partition
            )
            for r in records
        ]
        return [(done.partition, done.offset) for done in await asyncio.gather(*sent)]
    finally:
        await producer.stop()


async def until(
    look: Callable[[], Awaitable[Found]],
    good: Callable[[Found], bool],
    *,
    timeout_s: float = 60.0,
    check: Callable[[], None] = lambda: None,
    told: Callable[[], str] = lambda: "",
) -> Found:
    """What `look` saw once it was good. Fails with what it saw last and what `told` adds, or as `check` does."""
    end = time.monotonic() + timeout_s
    while True:
        seen = await look()
        if good(seen):
            return seen
        check()
        if time.monotonic() > end:
            raise AssertionError(f"not so after {timeout_s} s; last seen: {repr(seen)[:1500]}\n{told()}")
        await asyncio.sleep(0.1)


def latest(records: Iterable[Record]) -> Mapping[bytes, bytes | None]:
    """The last value of every key, as compaction would leave it."""
    return {r.key: r.value for r in records if r.key is not None}


async def _partitions(bootstrap: str, topic: str) -> list[TopicPartition]:
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        (described,) = await admin.describe_topics([topic])
        return sorted(TopicPartition(topic, p["partition"]) for p in described["partitions"])
    finally:
        await admin.close()
