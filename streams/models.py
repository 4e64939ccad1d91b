"""The models topic as rule sets use it: every resolved set by digest, read whole by every worker, outside the group."""

from collections.abc import Mapping
from typing import Any

import msgspec
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from detectors.rules import RuleBook, Rules, digest

_PREFIX = b"rules/"
_POLL_MS = 200


class Models:
    """Reads the topic to its end on demand, and publishes this worker's own sets once."""

    def __init__(self, client_options: Mapping[str, Any], topic: str, book: RuleBook) -> None:
        self._options = dict(client_options)
        self._topic = topic
        self._book = book
        self._consumer: AIOKafkaConsumer | None = None
        self._seen: set[bytes] = set()
        self.unreadable = 0

    async def start(self) -> None:
        """The book holds every published set, and the topic every set of the book."""
        # Without a group every partition of a subscribed topic is ours.
        consumer = AIOKafkaConsumer(
            self._topic,
            group_id=None,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            **self._options,
        )
        await consumer.start()
        self._consumer = consumer
        await self.refresh()
        await self._publish()

    async def refresh(self) -> None:
        """Everything on the topic as of now is in the book. Called before states of other workers are opened."""
        consumer = self._consumer
        if consumer is None:
            return
        ends = await consumer.end_offsets(list(consumer.assignment()))
        while True:
            behind = [tp for tp, end in ends.items() if await consumer.position(tp) < end]
            if not behind:
                return
            for records in (await consumer.getmany(*behind, timeout_ms=_POLL_MS)).values():
                for record in records:
                    self._learn(record.key, record.value)

    def _learn(self, key: bytes | None, value: bytes | None) -> None:
        if key is None or value is None or not key.startswith(_PREFIX):
            return
        try:
            rules = msgspec.json.decode(value, type=Rules)
        except (msgspec.DecodeError, RecursionError):
            self.unreadable += 1
            return
        self._book.add(rules)
        self._seen.add(key)

    async def _publish(self) -> None:
        missing = [
            rules
            for rules in self._book.sets().values()
            if _PREFIX + digest(rules).encode() not in self._seen
        ]
        if not missing:
            return
        producer = AIOKafkaProducer(acks="all", enable_idempotence=True, **self._options)
        await producer.start()
        try:
            for rules in missing:
                key = _PREFIX + digest(rules).encode()
                await producer.send_and_wait(self._topic, value=msgspec.json.encode(rules), key=key)
        finally:
            await producer.stop()

    async def stop(self) -> None:
        """Disconnected."""
        if self._consumer is not None:
            await self._consumer.stop()
