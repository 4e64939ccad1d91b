"""A `RecordSource` on aiokafka: a consumer without a group, which commits nothing."""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any

from stallwatch.clients.transport import Received

STOP_S = 2.0


class KafkaSource:
    """Reads one topic. Connects at the first call; use a new one after an error."""

    def __init__(self, topic: str, options: Mapping[str, object], *, refresh_s: float) -> None:
        """`options`: arguments of aiokafka's clients; `refresh_s`: how old the partition list may be."""
        self._topic = topic
        self._options = dict(options)
        self._refresh_s = refresh_s
        self._consumer: Any = None
        self._assigned: list[Any] = []

    async def partitions(self) -> set[int]:
        """See `RecordSource`."""
        consumer = await self._started()
        found: set[int] | None = consumer.partitions_for_topic(self._topic)
        if not found:
            raise ConnectionError(f"topic {self._topic} has no partitions that are known")
        return set(found)

    async def assign(self, positions: Mapping[int, int | None]) -> None:
        """See `RecordSource`."""
        consumer = await self._started()
        self._assigned = [self._partition(number) for number in sorted(positions)]
        consumer.assign(self._assigned)
        for partition in self._assigned:
            offset = positions[partition.partition]
            if offset is not None:  # without one, `auto_offset_reset` says the beginning
                consumer.seek(partition, offset)

    async def ends(self) -> dict[int, int]:
        """See `RecordSource`."""
        ends = await (await self._started()).end_offsets(self._assigned)
        return {partition.partition: offset for partition, offset in ends.items()}

    async def poll(self, timeout_s: float) -> list[Received]:
        """See `RecordSource`."""
        consumer = await self._started()
        batches = await consumer.getmany(timeout_ms=int(timeout_s * 1000), max_records=1000)
        return [
            Received(partition.partition, record.offset, record.key, record.value)
            for partition, records in batches.items()
            for record in records
        ]

    async def positions(self) -> dict[int, int]:
        """See `RecordSource`."""
        consumer = await self._started()
        return {p.partition: await consumer.position(p) for p in self._assigned}

    async def close(self) -> None:
        """See `RecordSource`."""
        consumer, self._consumer = self._consumer, None
        if consumer is not None:
            await _stop(consumer)

    async def _started(self) -> Any:
        if self._consumer is None:
            from aiokafka import AIOKafkaConsumer  # noqa: PLC0415 - importing stallwatch must stay light

            consumer = AIOKafkaConsumer(
                **{
                    "client_id": "stallwatch",
                    "group_id": None,
                    "enable_auto_commit": False,
                    "auto_offset_reset": "earliest",
                    "isolation_level": "read_committed",
                    # A broker answers a connection in order: behind a fetch that waits, everything waits.
                    "fetch_max_wait_ms": 200,
                    "retry_backoff_ms": 500,
                    "metadata_max_age_ms": max(int(self._refresh_s * 1000), 100),
                    "request_timeout_ms": 20_000,
                    **self._options,
                }
            )
            try:
                await consumer.start()
                await self._look_up(consumer)
            except BaseException:
                await _stop(consumer)
                raise
            self._consumer = consumer
        return self._consumer

    async def _look_up(self, consumer: Any) -> None:
        """The consumer knows the topic's partitions. Raises `ConnectionError` if the topic is not to be seen."""
        # To be assigned a topic that is not there makes aiokafka ask for it again and again without a pause.
        if self._topic not in await consumer.topics():
            raise ConnectionError(f"topic {self._topic} is not there, or these credentials may not read it")
        # Asking for the end of one partition brings the topic's metadata, which lists them all.
        consumer.assign([self._partition(0)])
        await consumer.end_offsets([self._partition(0)])

    def _partition(self, number: int) -> Any:
        from aiokafka import TopicPartition  # noqa: PLC0415 - importing stallwatch must stay light

        return TopicPartition(self._topic, number)


async def _stop(consumer: Any) -> None:
    with contextlib.suppress(Exception):  # it is thrown away; there is nobody to be told
        async with asyncio.timeout(STOP_S):
            await consumer.stop()
