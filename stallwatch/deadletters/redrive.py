"""Dead letters sent back to the topic they came from, byte for byte."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any

import msgspec
from aiokafka import AIOKafkaProducer
from aiokafka.errors import MessageSizeTooLargeError

from stallwatch.clients.kafka_errors import ClientOptions
from stallwatch.deadletters.dead_letter import REDRIVEN, DeadLetter, Selection, dead_letter
from stallwatch.topic_reader import TopicReader
from streams.topics import INPUTS, topic


class Redriven(msgspec.Struct, kw_only=True):
    """What a redrive came to."""

    selected: int = 0
    sent: int = 0
    refused: int = 0
    """Dead letters whose origin is no input topic of this installation: nothing else is ever written to."""


async def dead_letters(reader: TopicReader, prefix: str, selection: Selection) -> AsyncIterator[DeadLetter]:
    """The dead letters of the selection that are on the topic now. O(records of the partitions read)."""
    partitions = None if selection.partition is None else [selection.partition]
    async for record in reader.read(topic(prefix, "dlq"), partitions):
        letter = dead_letter(record)
        if selection.takes(letter):
            yield letter


async def redrive(
    options: ClientOptions,
    prefix: str,
    selection: Selection,
    *,
    dry_run: bool,
    per_second: float,
    timeout_s: float,
    on_letter: Callable[[DeadLetter, bool], object] = lambda letter, taken: None,
) -> Redriven:
    """The selected dead letters are back on their topics, each acknowledged before the next is sent.

    `per_second`: at most so many records. The dead letters stay where they are. Raises `Mistake`,
    `KafkaError`.
    """
    inputs = {topic(prefix, name) for name in INPUTS}
    done = Redriven()
    async with TopicReader(options, timeout_s=timeout_s) as reader:
        producer: Any = None
        loop = asyncio.get_running_loop()
        due = loop.time()
        try:
            async for letter in dead_letters(reader, prefix, selection):
                done.selected += 1
                taken = letter.origin_topic in inputs
                on_letter(letter, taken)
                if not taken:
                    done.refused += 1
                    continue
                if dry_run:
                    continue
                if producer is None:
                    reader.partitions(letter.origin_topic)
                    producer = AIOKafkaProducer(
                        **options, acks="all", enable_idempotence=True, max_request_size=MAX_REQUEST_BYTES
                    )
                    await producer.start()
                await asyncio.sleep(max(0.0, due - loop.time()))
                due = max(due, loop.time()) + 1 / per_second
                await _send(producer, letter)
                done.sent += 1
        finally:
            if producer is not None:
                await producer.stop()
    return done


MAX_REQUEST_BYTES = 16 << 20
"""The broker's own limit decides, not the client's."""


async def _send(producer: Any, letter: DeadLetter) -> None:
    """The key decides the partition, as for the publisher; a record without one goes back to where it was."""
    stamp = datetime.now(UTC).isoformat(timespec="milliseconds").encode()
    headers = [*letter.headers, (REDRIVEN, stamp)]
    if letter.key is not None:
        await producer.send_and_wait(letter.origin_topic, value=letter.value, key=letter.key, headers=headers)
        return
    # A batch of one: aiokafka's `send` refuses a record that has neither key nor value.
    batch = producer.create_batch()
    if batch.append(key=None, value=letter.value, timestamp=None, headers=headers) is None:
        raise MessageSizeTooLargeError
    sent = await producer.send_batch(batch, letter.origin_topic, partition=letter.origin_partition or 0)
    await sent
