"""Topics on a broker that has no admin interface: made by asking, counted by metadata."""

import asyncio
import socket

import pytest
from aiokafka.errors import KafkaConnectionError

from streams import admin
from streams.embedded import PARTITIONS, EmbeddedBroker
from streams.settings import Settings
from streams.topics import NAMES


def installation(broker: EmbeddedBroker, **more: str) -> Settings:
    return Settings.load(
        {"STALLWATCH_BOOTSTRAP_SERVERS": broker.bootstrap_servers, "STALLWATCH_EMBEDDED": "1"} | more
    )


async def test_topics_come_into_being_and_are_verified(embedded: EmbeddedBroker) -> None:
    settings = installation(embedded)
    created = await admin.create(settings)
    expected = {f"stallwatch.{name}" for name in NAMES} | {"stallwatch-runs-changelog"}
    assert set(created.created) == expected
    assert expected <= set(embedded.topics())
    verified = await admin.verify(settings)
    assert (verified.partitions, verified.mismatches) == (PARTITIONS, [])
    assert await admin.diff(settings) == []


async def test_a_count_that_is_insisted_on_is_checked(embedded: EmbeddedBroker) -> None:
    verified = await admin.verify(installation(embedded, STALLWATCH_PARTITIONS="12"))
    assert {m.kind for m in verified.fatal} == {"partitions"}
    assert len(verified.fatal) == 4


async def test_without_a_broker_the_error_is_one_of_the_client() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        servers = f"127.0.0.1:{unused.getsockname()[1]}"
        for embedded in ("0", "1"):
            settings = Settings.load(
                {"STALLWATCH_BOOTSTRAP_SERVERS": servers, "STALLWATCH_EMBEDDED": embedded}
            )
            with pytest.raises(KafkaConnectionError):
                await asyncio.wait_for(admin.verify(settings), 30)
