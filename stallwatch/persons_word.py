"""A person's word on a run: found a place, sent, and acknowledged by the broker."""

import asyncio
from typing import Any

import msgspec
from aiokafka import AIOKafkaProducer

from detectors.events import Answer, Command, HaltOrder, OperatorEvent, Release
from stallwatch.clients.kafka_errors import ClientOptions
from stallwatch.topic_reader import TopicReader
from streams.badrecord import BadRecord
from streams.codec import decode_command, encode, partition_for, run_key
from streams.topics import topic

ANSWERS = {Release: ("halt", "ask"), Answer: ("ask",)}
"""The actions that a word may be the answer to."""


class Sent(msgspec.Struct, kw_only=True):
    """A word that the broker has acknowledged."""

    word: OperatorEvent
    topic: str
    partition: int
    offset: int
    latest: Command | None
    """The run's latest command at that time, if one was found."""
    looked_up: bool
    """Whether the run's root was looked up, because it was not given."""


async def latest_command(reader: TopicReader, prefix: str, run_id: str) -> Command | None:
    """The run's desired state on the control topic; None if there is none. O(records of one partition)."""
    name = topic(prefix, "control")
    key = run_id.encode()
    latest: bytes | None = None
    async for record in reader.read(name, [partition_for(key, len(reader.partitions(name)))]):
        if record.key == key:
            latest = record.value
    if latest is None:
        return None
    try:
        return decode_command(latest)
    except BadRecord:
        # A command of a version that this one cannot read: its run is then taken as its own root.
        return None


async def send(options: ClientOptions, prefix: str, word: OperatorEvent, *, timeout_s: float) -> Sent:
    """The word is on the operator topic, acknowledged by all replicas.

    Without `root_run_id` the root is taken from the run's latest command, else the run is its own root. An
    answer or a release without `command_id` names the latest command if it waits for one. Raises `Mistake`,
    `KafkaError`.
    """
    name = topic(prefix, "operator")
    latest: Command | None = None
    looked_up = word.root_run_id is None
    async with TopicReader(options, timeout_s=timeout_s) as reader:
        partitions = len(reader.partitions(name))
        if looked_up or (word.command_id is None and not isinstance(word, HaltOrder)):
            latest = await latest_command(reader, prefix, word.run_id)
    if latest is not None:
        _complete(word, latest)
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
        word=word, topic=name, partition=at.partition, offset=at.offset, latest=latest, looked_up=looked_up
    )


def _complete(word: OperatorEvent, latest: Command) -> None:
    if word.root_run_id is None:
        word.root_run_id = latest.root_run_id
    if isinstance(word, HaltOrder) or word.command_id is not None:
        return
    same_attempt = word.attempt is None or word.attempt == latest.attempt
    if latest.action in ANSWERS[type(word)] and same_attempt:
        word.command_id = latest.command_id
