"""Dead letters sent back to the topic they came from, byte for byte."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec
from aiokafka import AIOKafkaProducer
from aiokafka.errors import MessageSizeTooLargeError

from stallwatch.clients.kafka_errors import ClientOptions
from stallwatch.deadletters.dead_letter import (
    REDRIVEN,
    SENT_AGAIN,
    DeadLetter,
    Selection,
    dead_letter,
    mark_of,
)
from stallwatch.topic_reader import TopicReader
from streams.topics import INPUTS, topic

Fate = Literal["sent", "refused", "redriven"]
"""sent (in a dry run: would be); refused, since it came from no input topic; redriven before, so left out."""


class Redriven(msgspec.Struct, kw_only=True):
    """What a redrive came to."""

    selected: int = 0
    sent: int = 0
    refused: int = 0
    """Dead letters whose origin is no input topic of this installation: nothing else is ever written to."""
    left_out: int = 0
    """Dead letters whose record was redriven before."""

    @property
    def nothing(self) -> bool:
        """Whether there was nothing to send."""
        return self.selected == self.refused + self.left_out


class History(msgspec.Struct, kw_only=True):
    """Which records were redriven, by the identity of their dead letters."""

    sent: set[str] = set()
    failed_again: set[str] = set()
    """Those that came back as another dead letter."""

    def rules_out(self, letter: DeadLetter, *, again: bool) -> bool:
        """Whether the letter is left out. `again`: only if a later one stands for the same record."""
        if again:
            return letter.identity in self.sent and letter.identity in self.failed_again
        return letter.identity in self.sent or letter.redriven > 0


async def history(reader: TopicReader, prefix: str) -> History:
    """What the marks and stamps on the dlq topic tell. O(records of the topic), memory O(redriven ones)."""
    found = History()
    async for record in reader.read(topic(prefix, "dlq")):
        mark = mark_of(record)
        if mark is not None:
            found.sent.add(mark)
            continue
        before = dead_letter(record).predecessor
        if before is not None:
            found.failed_again.add(before)
    return found


async def dead_letters(reader: TopicReader, prefix: str, selection: Selection) -> AsyncIterator[DeadLetter]:
    """The dead letters of the selection that are on the topic now. O(records of the partitions read)."""
    partitions = None if selection.partition is None else [selection.partition]
    async for record in reader.read(topic(prefix, "dlq"), partitions):
        if mark_of(record) is not None:
            continue
        letter = dead_letter(record)
        if selection.takes(letter):
            yield letter


async def redrive(
    options: ClientOptions,
    prefix: str,
    selection: Selection,
    *,
    again: bool = False,
    dry_run: bool,
    per_second: float,
    timeout_s: float,
    on_letter: Callable[[DeadLetter, Fate], object] = lambda letter, fate: None,
) -> Redriven:
    """The selected dead letters are back on their topics, each acknowledged before the next is sent.

    Those that were redriven before are left out, unless `again` or the selection names an offset. The dead
    letters stay where they are; each one that was sent leaves a mark beside it. If the process dies between
    the two, the record is sent a second time by the next redrive. `per_second`: at most so many records.
    Raises `Mistake`, `KafkaError`.
    """
    inputs = {topic(prefix, name) for name in INPUTS}
    done = Redriven()
    async with TopicReader(options, timeout_s=timeout_s) as reader:
        before = await history(reader, prefix)
        producer: Any = None
        loop = asyncio.get_running_loop()
        due = loop.time()
        try:
            async for letter in dead_letters(reader, prefix, selection):
                fate = _fate(letter, inputs, before, named=selection.offset is not None, again=again)
                done.selected += 1
                done.refused += fate == "refused"
                done.left_out += fate == "redriven"
                on_letter(letter, fate)
                if fate != "sent":
                    continue
                # What a worker told twice is sent once.
                before.sent.add(letter.identity)
                before.failed_again.add(letter.identity)
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
                await _mark(producer, topic(prefix, "dlq"), letter)
                done.sent += 1
        finally:
            if producer is not None:
                await producer.stop()
    return done


def _fate(letter: DeadLetter, inputs: set[str], before: History, *, named: bool, again: bool) -> Fate:
    if letter.origin_topic not in inputs:
        return "refused"
    return "redriven" if not named and before.rules_out(letter, again=again) else "sent"


MAX_REQUEST_BYTES = 16 << 20
"""The broker's own limit decides, not the client's."""


async def _send(producer: Any, letter: DeadLetter) -> None:
    """The key decides the partition, as for the publisher; a record without one goes back to where it was."""
    stamp = datetime.now(UTC).isoformat(timespec="milliseconds").encode()
    headers = [*letter.headers, (REDRIVEN, stamp + b" " + letter.identity.encode())]
    if letter.key is not None:
        await producer.send_and_wait(letter.origin_topic, value=letter.value, key=letter.key, headers=headers)
        return
    # A batch of one: aiokafka's `send` refuses a record that has neither key nor value.
    batch = producer.create_batch()
    if batch.append(key=None, value=letter.value, timestamp=None, headers=headers) is None:
        raise MessageSizeTooLargeError
    sent = await producer.send_batch(batch, letter.origin_topic, partition=letter.origin_partition or 0)
    await sent


async def _mark(producer: Any, dlq: str, letter: DeadLetter) -> None:
    """Beside the letter, so that it lasts as long."""
    identity = letter.identity.encode()
    await producer.send_and_wait(
        dlq, value=None, key=identity, partition=letter.partition, headers=[(SENT_AGAIN, identity)]
    )
