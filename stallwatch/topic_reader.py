"""Topics read once, from their beginning to where they end now, outside any consumer group."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from types import TracebackType
from typing import Any, Self

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.client import AIOKafkaClient

from stallwatch.clients.kafka_errors import ClientOptions
from stallwatch.mistakes import MissingTopicError

MAX_POLL_RECORDS = 2000


class TopicReader:
    """A client that reads and commits nothing. Every wait ends after `timeout_s` seconds without progress."""

    def __init__(self, options: ClientOptions, *, timeout_s: float = 30.0) -> None:
        self._timeout_s = timeout_s
        self._address = options.get("bootstrap_servers")
        self._consumer: Any = AIOKafkaConsumer(
            **options,
            group_id=None,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            fetch_max_wait_ms=100,
        )
        self._client: Any = AIOKafkaClient(**options)
        self._cluster: Any = None

    async def __aenter__(self) -> Self:
        """Connected, and the list of topics is known; asking for it creates none. Raises `KafkaError`."""
        try:
            async with asyncio.timeout(self._timeout_s):
                await self._client.bootstrap()
                self._cluster = await self._client.fetch_all_metadata()
                await self._consumer.start()
                # aiokafka 0.14: a consumer without a group that is stopped before its first turn raises
                # CancelledError.
                await asyncio.sleep(0)
        except BaseException:
            await self._stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stop()

    async def _stop(self) -> None:
        await self._consumer.stop()
        await self._client.close()

    def partitions(self, topic: str) -> list[int]:
        """Partitions of the topic, in order. Raises `MissingTopicError`."""
        found = self._cluster.partitions_for_topic(topic)
        if not found:
            raise MissingTopicError(topic, self._address)
        return sorted(found)

    async def read(
        self, topic: str, partitions: Iterable[int] | None = None, *, last: int | None = None
    ) -> AsyncIterator[Any]:
        """Every record that the partitions (all by default) hold now, in order within a partition.

        `last`: of each partition only the offsets from so many before its end. O(records). Raises `KafkaError`,
        and `TimeoutError` if nothing comes for `timeout_s` seconds.
        """
        every = self.partitions(topic)
        wanted = [
            TopicPartition(topic, p) for p in (every if partitions is None else partitions) if p in every
        ]
        async with asyncio.timeout(self._timeout_s):
            begin = await self._consumer.beginning_offsets(wanted)
            end = await self._consumer.end_offsets(wanted)
        if last is not None:
            begin = {tp: max(begin[tp], end[tp] - last) for tp in wanted}
        left = {tp for tp in wanted if begin[tp] < end[tp]}
        if not left:
            return
        self._consumer.assign(left)
        for tp in left:
            self._consumer.seek(tp, begin[tp])
        while left:
            async with asyncio.timeout(self._timeout_s):
                found = await self._next(left, end)
            for tp, records in found.items():
                for record in records:
                    if record.offset < end[tp]:
                        yield record

    async def _next(self, left: set[Any], end: dict[Any, int]) -> dict[Any, list[Any]]:
        """Records, or nothing if the end was reached; partitions that are done are taken out of `left`."""
        while True:
            found: dict[Any, list[Any]] = await self._consumer.getmany(
                *left, timeout_ms=200, max_records=MAX_POLL_RECORDS
            )
            # The position also moves over what a reader never sees: transaction markers, compacted records.
            done = {tp for tp in left if await self._consumer.position(tp) >= end[tp]}
            left -= done
            if found or not left:
                return found
            if done:
                return {}
