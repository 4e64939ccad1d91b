"""A worker without a broker asks ever more rarely, and says where it asks and what to look at."""

import logging

import pytest
from aiokafka.errors import KafkaConnectionError

from streams import service
from streams.settings import Settings


async def test_pauses_double_up_to_half_a_minute(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pauses: list[float] = []
    left = [KafkaConnectionError("nobody there"), OSError("refused")] * 4

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    async def step() -> str:
        if left:
            raise left.pop()
        return "through"

    monkeypatch.setattr(service.asyncio, "sleep", sleep)
    with caplog.at_level(logging.WARNING, logger="stallwatch.worker"):
        assert await service._patiently(step, Settings(bootstrap_servers="kafka-7:9093")) == "through"
    assert pauses == [2, 4, 8, 16, 30, 30, 30, 30]
    fields = [record.__dict__["fields"] for record in caplog.records]
    assert [said["pause_s"] for said in fields] == pauses
    for said in fields:
        assert said["brokers"] == "kafka-7:9093"
        assert "STALLWATCH_BOOTSTRAP_SERVERS" in said["check"]
    assert {said["error"] for said in fields} == {"KafkaConnectionError: nobody there", "refused"}
