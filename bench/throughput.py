"""Events per second and CPU per event of one process, seen from outside: by what stands on its changelog."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import msgspec
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient

from bench.process import Measured
from detectors import state
from streams.record import PROGRESS_KEY, decode_state


class Round(msgspec.Struct):
    """One process that worked off the whole topic once."""

    who: str
    events: int
    seconds: float
    """From its first changelog record to its last, by the records' times."""
    cpu_us_per_event: float
    """Of all its threads, from the first changelog record on."""
    changelog_records: int
    changelog_mib: float
    peak_mib: float

    @property
    def events_per_s(self) -> float:
        """Throughput."""
        return self.events / self.seconds


async def fill(bootstrap: str, topic: str, records: Iterator[tuple[bytes, bytes]]) -> int:
    """All records stand on the topic, murmur2 by key; how many there are."""
    producer = AIOKafkaProducer(
        bootstrap_servers=bootstrap, acks="all", enable_idempotence=True, linger_ms=20, max_batch_size=500_000
    )
    await producer.start()
    count = 0
    last: Any = None
    for key, value in records:
        last = await producer.send(topic, key=key, value=value)
        count += 1
    if last is not None:
        await producer.flush()
    await producer.stop()
    return count


async def work_off(
    process: Measured, *, who: str, bootstrap: str, group: str, topic: str, changelog: str, timeout_s: float
) -> Round:
    """The process has committed the topic and its states count every event. Raises `RuntimeError` if not."""
    consumer = AIOKafkaConsumer(
        bootstrap_servers=bootstrap, enable_auto_commit=False, auto_offset_reset="earliest"
    )
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await consumer.start()
    await admin.start()
    try:
        sources = await partitions(bootstrap, topic)
        states = await partitions(bootstrap, changelog)
        ends = await consumer.end_offsets(sources)
        events = sum(ends.values())
        until = time.monotonic() + timeout_s
        cpu_before: float | None = None
        while True:
            process.check()
            if time.monotonic() > until:
                raise RuntimeError(f"{who}: not done after {timeout_s} s: {process.log.read_text()[-2000:]}")
            if cpu_before is None:
                if any((await consumer.end_offsets(states)).values()):
                    cpu_before = process.cpu_s()
                await asyncio.sleep(0.02)
                continue
            done = await admin.list_consumer_group_offsets(group)
            if all(tp in done and done[tp].offset >= end for tp, end in ends.items()):
                break
            await asyncio.sleep(0.1)
        cpu = process.cpu_s() - cpu_before
        written = await _read(consumer, states)
        final = {(r.partition, r.key): r.value for r in written}
        counted = sum(state.decode(decode_state(value)[1].root).events for value in final.values())
        if counted != events:
            raise RuntimeError(f"{who}: {events} events on the topic, {counted} in the states")
        times = [r.timestamp for r in written]
        return Round(
            who=who,
            events=events,
            seconds=(max(times) - min(times)) / 1000,
            cpu_us_per_event=cpu / events * 1e6,
            changelog_records=len(written),
            changelog_mib=sum(len(r.value) for r in written) / 2**20,
            peak_mib=process.peak_mib(),
        )
    finally:
        await consumer.stop()
        await admin.close()


async def partitions(bootstrap: str, topic: str) -> list[TopicPartition]:
    """The topic's partitions."""
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        (described,) = await admin.describe_topics([topic])
        return [TopicPartition(topic, p["partition"]) for p in described["partitions"]]
    finally:
        await admin.close()


async def _read(consumer: AIOKafkaConsumer, sources: list[TopicPartition]) -> list[Any]:
    consumer.assign(sources)
    ends = await consumer.end_offsets(sources)
    found: list[Any] = []
    while any([await consumer.position(tp) < ends[tp] for tp in sources]):
        for chunk in (await consumer.getmany(timeout_ms=500)).values():
            found += [r for r in chunk if r.value is not None and r.key != PROGRESS_KEY]
    return found
