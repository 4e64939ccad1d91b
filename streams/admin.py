"""Topics on a cluster: created, looked at, verified against the table.

Every function opens its own connection and closes it, and raises `KafkaError` (`KafkaConnectionError` while
no broker can be reached) or `TopicAdminError`.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from aiokafka import AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import for_code

from streams.create_command import create_command
from streams.settings import Settings
from streams.topic_check import Found, Mismatch, differences, mismatches
from streams.topics import INPUTS, Topic, load, topic

_TOPIC_EXISTS = 36
_INVALID_REPLICATION = 38
_SERVED_S = 5.0


class TopicAdminError(RuntimeError):
    """The cluster refused; the message has one line for each topic, with the broker's own words."""


class Created(msgspec.Struct, frozen=True, kw_only=True):
    """What a creation did."""

    created: list[str]
    existing: list[str]
    """Were there before and are left as they are."""


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What a look at the cluster found."""

    partitions: int
    """Of the inputs; 0 if there are none."""
    mismatches: list[Mismatch]

    @property
    def fatal(self) -> list[Mismatch]:
        """Those that a worker must not start on."""
        return [m for m in self.mismatches if m.fatal]


def wanted(settings: Settings) -> list[Topic]:
    """The topics of this installation, by the table and the settings. Raises `TopicTableError`."""
    return load().resolve(
        settings.topic_prefix,
        settings.group_id,
        partitions=settings.partitions,
        replication=settings.replication,
    )


async def create(settings: Settings) -> Created:
    """Every topic of the installation exists; those that did are not changed. Safe to repeat."""
    topics = wanted(settings)
    if settings.embedded:
        await _ask_for(settings, topics)
        return Created(created=[t.name for t in topics], existing=[])
    async with _client(settings) as client:
        response = await client.create_topics(
            [NewTopic(t.name, t.partitions, t.replication, topic_configs=t.config) for t in topics]
        )
        codes = {name: (code, message) for name, code, message, *_ in map(_three, response.topic_errors)}
        refused = {n: answer for n, answer in codes.items() if answer[0] not in (0, _TOPIC_EXISTS)}
        if not refused:
            await _until_served(client, set(codes))
    if any(code == _INVALID_REPLICATION for code, _ in refused.values()):
        raise TopicAdminError(
            f"the cluster has fewer brokers than the {topics[0].replication} copies that were asked for: "
            "set STALLWATCH_REPLICATION (or --replication) to at most its brokers"
        )
    if refused:
        raise TopicAdminError(
            "\n".join(f"{n}: {said or for_code(code).description}" for n, (code, said) in refused.items())
        )
    return Created(
        created=[n for n, (code, _) in codes.items() if code == 0],
        existing=[n for n, (code, _) in codes.items() if code == _TOPIC_EXISTS],
    )


async def verify(settings: Settings) -> Verified:
    """What a worker with these settings would stumble over.

    On the embedded broker the topics come into being by it, and policies are not checked.
    """
    topics = wanted(settings)
    if settings.embedded:
        found = await _ask_for(settings, topics)
        problems = mismatches(found, topics, partitions=settings.partitions, policies=False)
    else:
        found = await _survey(settings, topics)
        problems = mismatches(found, topics, partitions=settings.partitions, create=create_command(settings))
    first = found.get(topic(settings.topic_prefix, INPUTS[0]))
    return Verified(partitions=first.partitions if first else 0, mismatches=problems)


async def diff(settings: Settings) -> list[Mismatch]:
    """Every difference between the cluster and the table, a different retention too."""
    topics = wanted(settings)
    if settings.embedded:
        found = await _ask_for(settings, topics)
        return mismatches(found, topics, partitions=settings.partitions, policies=False)
    return differences(await _survey(settings, topics), topics)


@asynccontextmanager
async def _client(settings: Settings) -> AsyncIterator[Any]:
    client = AIOKafkaAdminClient(client_id="stallwatch-admin", **settings.client_options())
    try:
        await client.start()
        yield client
    finally:
        await client.close()


async def _until_served(client: Any, names: set[str]) -> None:
    """A broker knows every topic and its leaders: the controller answers before the brokers have heard.

    Gives up after `_SERVED_S`, since what this principal may not see never appears.
    """
    end = time.monotonic() + _SERVED_S
    while time.monotonic() < end:
        described = await client.describe_topics()
        served = {
            t["topic"]
            for t in described
            if not t["error_code"] and all(p["leader"] >= 0 for p in t["partitions"])
        }
        if names <= served:
            return
        await asyncio.sleep(0.05)


async def _survey(settings: Settings, topics: list[Topic]) -> dict[str, Found]:
    names = {t.name for t in topics}
    async with _client(settings) as client:
        # All topics, not ours by name: asking for a name may create it.
        described = [t for t in await client.describe_topics() if t["topic"] in names and not t["error_code"]]
        configs = await _configs(client, [t["topic"] for t in described])
    return {
        t["topic"]: Found(
            partitions=len(t["partitions"]),
            replication=min((len(p["replicas"]) for p in t["partitions"]), default=0),
            config=configs.get(t["topic"]),
        )
        for t in described
    }


async def _configs(client: Any, names: list[str]) -> dict[str, dict[str, str]]:
    """Settings by topic; a topic that may not be asked is left out."""
    if not names:
        return {}
    responses = await client.describe_configs([ConfigResource(ConfigResourceType.TOPIC, n) for n in names])
    return {
        name: {entry[0]: entry[1] or "" for entry in entries}
        for response in responses
        for code, _message, _kind, name, entries in response.resources
        if code == 0
    }


async def _ask_for(settings: Settings, topics: list[Topic]) -> dict[str, Found]:
    """Partition counts by metadata alone, which is what makes a topic on the embedded broker."""
    producer = AIOKafkaProducer(client_id="stallwatch-admin", **settings.client_options())
    try:
        await producer.start()
        return {t.name: Found(partitions=len(await producer.partitions_for(t.name))) for t in topics}
    finally:
        await producer.stop()


def _three(error: tuple[Any, ...]) -> tuple[Any, Any, Any]:
    """(topic, code, message) of any version of the answer; the oldest has no message."""
    return (error[0], error[1], error[2] if len(error) > 2 else None)
