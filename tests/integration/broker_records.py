"""Records written to and read from a broker by another client than the product's own."""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from confluent_kafka import Consumer, Producer, TopicPartition

Header = tuple[str, bytes | None]
WAIT_S = 20.0


class Record(NamedTuple):
    """One record as it lies on the broker."""

    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: list[Header]


def write(
    bootstrap: str,
    topic: str,
    records: Sequence[tuple[bytes | None, bytes | None, list[Header]]],
    *,
    partition: int | None = None,
) -> None:
    """Acknowledged; keys go where Kafka's Java client would put them."""
    producer = Producer({"bootstrap.servers": bootstrap, "partitioner": "murmur2_random", "acks": "all"})
    failed: list[Any] = []
    for key, value, headers in records:
        where = {} if partition is None else {"partition": partition}
        producer.produce(
            topic, value, key, headers=headers, on_delivery=lambda err, _: err and failed.append(err), **where
        )
    assert producer.flush(WAIT_S) == 0
    assert failed == []


def read(bootstrap: str, topic: str) -> list[Record]:
    """Everything that the topic holds now, by partition and offset."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "reading", "enable.auto.commit": False})
    try:
        partitions = consumer.list_topics(topic, timeout=WAIT_S).topics[topic].partitions
        ends = {}
        for number in partitions:
            low, high = consumer.get_watermark_offsets(TopicPartition(topic, number), timeout=WAIT_S)
            if low < high:
                ends[number] = high
        consumer.assign([TopicPartition(topic, number, 0) for number in ends])
        found: list[Record] = []
        deadline = time.monotonic() + WAIT_S
        while ends:
            assert time.monotonic() < deadline, f"{topic} was not read to its end: {ends}"
            message = consumer.poll(0.2)
            if message is None:
                continue
            assert message.error() is None
            found.append(
                Record(
                    message.partition(),
                    message.offset(),
                    message.key(),
                    message.value(),
                    message.headers() or [],
                )
            )
            if message.offset() + 1 >= ends.get(message.partition(), 0):
                ends.pop(message.partition(), None)
        return sorted(found, key=lambda record: record[:2])
    finally:
        consumer.close()
