"""Our own producers: states in batches per partition, effects and dead letters at once; all idempotent, acks=all.

Faust's producer buffer costs 190 µs a record, its flush may not flush, and a rejected send is only logged.
An idempotent aiokafka batch never expires: it is sent again until the broker has it.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError, KafkaTimeoutError

from streams.record import Entry
from streams.work import DeadLetter

_BATCH_BYTES = 900_000
_MAX_REQUEST_BYTES = 64 * 1024 * 1024
"""What the client lets through; the topics' `max.message.bytes` decide."""
_RETRY_FIRST_S, _RETRY_MOST_S = 0.1, 5.0


class KafkaWriter:
    """The commit protocol's port to Kafka (`streams.outbox.Writer`)."""

    def __init__(
        self,
        client_options: Mapping[str, Any],
        changelog: str,
        topics: Mapping[str, str],
        *,
        version: str,
        on_retry: Callable[[str, BaseException], None],
        on_sent: Callable[[Sequence[Entry], float], None],
    ) -> None:
        options = {
            "acks": "all",
            "enable_idempotence": True,
            "max_request_size": _MAX_REQUEST_BYTES,
            **client_options,
        }
        self._states_options = {**options, "linger_ms": 0, "max_batch_size": _BATCH_BYTES}
        self._effects_options = {**options, "linger_ms": 0}
        # A topic's limit counts compressed bytes: what came in compressed must not go out larger than it came, and
        # zstd is the tightest of what Kafka carries.
        self._dead_options = {**options, "linger_ms": 0, "compression_type": "zstd"}
        self._changelog = changelog
        self._topics = topics
        self._version = version
        self._on_retry = on_retry
        self._on_sent = on_sent
        self._states: AIOKafkaProducer | None = None
        self._effects: AIOKafkaProducer | None = None
        self._dead: AIOKafkaProducer | None = None

    async def start(self) -> None:
        """Connected. Raises aiokafka's `KafkaError` if no broker answers."""
        self._states = AIOKafkaProducer(**self._states_options)
        self._effects = AIOKafkaProducer(**self._effects_options)
        self._dead = AIOKafkaProducer(**self._dead_options)
        for producer in (self._states, self._effects, self._dead):
            await producer.start()

    async def stop(self) -> None:
        """What was handed over has been sent, the connections are closed."""
        for producer in (self._states, self._effects, self._dead):
            if producer is not None:
                await producer.stop()

    async def write_states(
        self, partition: int, states: Sequence[tuple[bytes, bytes | None]]
    ) -> Awaitable[None]:
        """The records are handed over in order, as few batches as fit; done when all are acknowledged."""
        producer = self._started(self._states)
        futures: list[Awaitable[Any]] = []
        builder = producer.create_batch()
        for key, value in states:
            if builder.append(key=key, value=value, timestamp=None) is None:
                futures.append(await self._submit(producer, builder, partition))
                builder = producer.create_batch()
                if builder.append(key=key, value=value, timestamp=None) is None:
                    raise ValueError(
                        f"state of {len(value or b'')} bytes does not fit into one changelog batch"
                    )
        futures.append(await self._submit(producer, builder, partition))
        return _all(futures)

    async def _submit(self, producer: AIOKafkaProducer, builder: Any, partition: int) -> Awaitable[Any]:
        builder.close()
        while True:
            try:
                future: Awaitable[Any] = await producer.send_batch(
                    builder, self._changelog, partition=partition
                )
            except (
                KafkaTimeoutError
            ) as error:  # the partition's buffer is full: nothing was taken, so try again
                self._on_retry("changelog", error)
            else:
                return future

    async def send_effects(self, entries: Sequence[Entry]) -> None:
        """Acknowledged in order. After a failure everything from the failed one on is sent again, same bytes."""
        started = time.monotonic()
        sends = [(self._topics[e.topic], e.key, e.value, None) for e in entries]
        await self._until_acknowledged(self._started(self._effects), "effects", sends)
        self._on_sent(entries, time.monotonic() - started)

    async def send_dead(self, dead: Sequence[DeadLetter]) -> None:
        """Acknowledged: key, value and headers as they came, our headers after them."""
        sends = [
            (self._topics["dlq"], d.record.key, d.record.value, [*(d.record.headers or ()), *self._origin(d)])
            for d in dead
        ]
        await self._until_acknowledged(self._started(self._dead), "dlq", sends)

    def _origin(self, dead: DeadLetter) -> list[tuple[str, bytes]]:
        record = dead.record
        facts = {
            "reason": dead.reason,
            "detail": dead.detail,
            "topic": record.topic,
            "partition": record.partition,
            "offset": record.offset,
            "timestamp": record.timestamp,
            "failed_at": int(time.time() * 1000),
            "app_version": self._version,
        }
        return [(f"dlq.{name}", str(fact).encode("utf-8", "replace")) for name, fact in facts.items()]

    async def _until_acknowledged(
        self, producer: AIOKafkaProducer, what: str, sends: Sequence[tuple[str, Any, Any, Any]]
    ) -> None:
        pause = _RETRY_FIRST_S
        left = list(sends)
        while left:
            failure: BaseException | None = None
            futures = []
            try:
                for topic, key, value, headers in left:
                    futures.append(await _handed_over(producer, topic, key, value, headers))
            except (KafkaError, OSError) as error:
                failure = error
            results = await asyncio.gather(*futures, return_exceptions=True)
            done = next(
                (i for i, result in enumerate(results) if isinstance(result, BaseException)), len(results)
            )
            if done < len(results):
                failure = results[done]
            left = left[done:]
            if failure is None:
                continue
            self._on_retry(what, failure)
            await asyncio.sleep(pause)
            pause = min(pause * 2, _RETRY_MOST_S)

    @staticmethod
    def _started(producer: AIOKafkaProducer | None) -> AIOKafkaProducer:
        if producer is None:
            raise RuntimeError("the writer has not been started")
        return producer


async def _handed_over(
    producer: AIOKafkaProducer, topic: str, key: Any, value: Any, headers: Any
) -> Awaitable[Any]:
    """The record is with the producer; done when the broker has it. A broker takes what `send` asserts away."""
    if key is not None or value is not None:
        future: Awaitable[Any] = await producer.send(topic, value=value, key=key, headers=headers)
        return future
    builder = producer.create_batch()
    builder.append(key=None, value=None, timestamp=None, headers=headers)
    builder.close()
    partition = min(await producer.partitions_for(topic))
    batch: Awaitable[Any] = await producer.send_batch(builder, topic, partition=partition)
    return batch


def _all(futures: Sequence[Awaitable[Any]]) -> Awaitable[Any]:
    """One awaitable for all; a single future as it is (the usual case)."""
    return futures[0] if len(futures) == 1 else asyncio.gather(*futures)
