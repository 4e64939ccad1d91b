"""A person's word on a run: found a place, sent, and acknowledged by the broker."""

import asyncio
from typing import Any

import msgspec
from aiokafka import AIOKafkaProducer
from aiokafka.errors import TopicAuthorizationFailedError

from detectors.events import Answer, Command, HaltOrder, OperatorEvent, Release
from stallwatch.clients.kafka_errors import ClientOptions
from stallwatch.mistakes import MissingTopicError
from stallwatch.topic_reader import TopicReader
from stallwatch.word_outlook import Known
from streams.badrecord import BadRecord
from streams.codec import decode_command, encode, partition_for, run_key
from streams.topics import topic

ANSWERS = {Release: ("halt", "ask"), Answer: ("ask",)}
"""The actions that a word may be the answer to."""


LOOKED_BACK = 5_000
"""So many of the last records of a steps partition are searched for a run that has no command."""


class Sent(msgspec.Struct, kw_only=True):
    """A word that the broker has acknowledged."""

    word: OperatorEvent
    topic: str
    partition: int
    offset: int
    known: Known
    """What was known of the run just before."""
    looked_up: bool
    """Whether the run's root was looked up, because it was not given."""


class _Names(msgspec.Struct, gc=False):
    run_id: str = ""


_names = msgspec.json.Decoder(_Names)


async def latest_command(reader: TopicReader, prefix: str, run_id: str) -> Command | None:
    """The run's desired state on the control topic; None if there is none. O(records of one partition)."""
    commands = await commands_of(reader, prefix, run_id)
    return commands[-1] if commands else None


async def commands_of(reader: TopicReader, prefix: str, run_id: str) -> list[Command]:
    """The run's commands that compaction has left, the latest last; none after a tombstone.

    A command of a version that this one cannot read counts as none. O(records of one partition).
    """
    name = topic(prefix, "control")
    key = run_id.encode()
    found: list[Command] = []
    async for record in reader.read(name, [partition_for(key, len(reader.partitions(name)))]):
        if record.key != key:
            continue
        if record.value is None:
            found.clear()
            continue
        try:
            found.append(decode_command(record.value))
        except BadRecord:
            found.clear()
    return found


async def send(options: ClientOptions, prefix: str, word: OperatorEvent, *, timeout_s: float) -> Sent:
    """The word is on the operator topic, acknowledged by all replicas.

    Without `root_run_id` the root is taken from the run's latest command, else the run is its own root. An
    answer or a release without `command_id` names the latest command if it waits for one. Raises `Mistake`,
    `KafkaError`.
    """
    name = topic(prefix, "operator")
    looked_up = word.root_run_id is None
    async with TopicReader(options, timeout_s=timeout_s) as reader:
        partitions = len(reader.partitions(name))
        known = await _known(reader, prefix, word)
    if known.latest is not None:
        _complete(word, known.latest)
    if word.root_run_id is None:
        word.root_run_id = word.run_id
    key = run_key(word)
    producer: Any = AIOKafkaProducer(**options, acks="all", enable_idempotence=True)
    try:
        await producer.start()
        async with asyncio.timeout(timeout_s):
            at = await producer.send_and_wait(
                name, encode(word), key=key, partition=partition_for(key, partitions)
            )
    finally:
        await producer.stop()
    return Sent(
        word=word, topic=name, partition=at.partition, offset=at.offset, known=known, looked_up=looked_up
    )


async def _known(reader: TopicReader, prefix: str, word: OperatorEvent) -> Known:
    """What the topics tell. What this principal may not read is needed only where the word cannot do without."""
    needed = word.root_run_id is None or (word.command_id is None and not isinstance(word, HaltOrder))
    try:
        commands = await commands_of(reader, prefix, word.run_id)
    except (MissingTopicError, TopicAuthorizationFailedError):
        if needed:
            raise
        return Known()
    if commands:
        return Known(latest=commands[-1], ids={c.command_id: c.attempt for c in commands})
    name = topic(prefix, "steps")
    try:
        heard = await _heard(reader, name, word)
    except (MissingTopicError, TopicAuthorizationFailedError):
        return Known()
    return Known(heard=heard, looked_at=f"the last {LOOKED_BACK:,} records of its partition of {name}")


async def _heard(reader: TopicReader, name: str, word: OperatorEvent) -> bool:
    key = run_key(word)
    partition = partition_for(key, len(reader.partitions(name)))
    async for record in reader.read(name, [partition], last=LOOKED_BACK):
        if record.key == key and record.value is not None and _run_of(record.value) == word.run_id:
            return True
    return False


def _run_of(value: bytes) -> str:
    try:
        return _names.decode(value).run_id
    except (msgspec.DecodeError, RecursionError, OverflowError, ValueError):
        return ""


def _complete(word: OperatorEvent, latest: Command) -> None:
    if word.root_run_id is None:
        word.root_run_id = latest.root_run_id
    if isinstance(word, HaltOrder) or word.command_id is not None:
        return
    same_attempt = word.attempt is None or word.attempt == latest.attempt
    if latest.action in ANSWERS[type(word)] and same_attempt:
        word.command_id = latest.command_id
