"""The table's own readers: every record once, whatever happens to the connection."""

import asyncio
from collections.abc import Callable

import pytest

from detectors.events import RunStarted, Step
from detectors.rules import RuleBook, Rules
from stallwatch.clients.transport import Received
from stallwatch.demo.follow import Gauges, follow
from stallwatch.testing import FakeBroker, FakeSource
from streams.codec import encode

TOPIC = "stallwatch.steps"


class Reader:
    """Follows a fake broker's topic and counts its connections."""

    def __init__(self, broker: FakeBroker, *, existing: bool = True) -> None:
        self.read: list[bytes | None] = []
        self.connections = 0
        self._broker = broker
        self._task = asyncio.create_task(follow(self._source, self._keep, existing=existing))

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not condition():
                await asyncio.sleep(0.005)

    async def end(self) -> None:
        self._task.cancel()
        await asyncio.wait([self._task])

    def _source(self) -> FakeSource:
        self.connections += 1
        return self._broker.source(TOPIC)

    def _keep(self, record: Received) -> None:
        self.read.append(record.value)


async def test_everything_is_read_once_through_a_broken_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stallwatch.demo.follow.PAUSE_S", 0.01)
    broker = FakeBroker()
    broker.produce(TOPIC, b"a", b"1")
    reader = Reader(broker)
    await reader.until(lambda: reader.read == [b"1"])
    broker.down = True
    await reader.until(lambda: reader.connections > 2)
    broker.down = False
    broker.produce(TOPIC, b"a", b"2")
    await reader.until(lambda: len(reader.read) > 1)
    await reader.end()
    assert reader.read == [b"1", b"2"]


async def test_without_the_existing_records_only_new_ones_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    broker = FakeBroker()
    broker.produce(TOPIC, b"a", b"old")
    asked = asyncio.Event()
    ends = FakeSource.ends

    async def told(source: FakeSource) -> dict[int, int]:
        found = await ends(source)
        asked.set()
        return found

    monkeypatch.setattr(FakeSource, "ends", told)
    reader = Reader(broker, existing=False)
    async with asyncio.timeout(20):
        await asked.wait()
    broker.produce(TOPIC, b"a", b"new")
    await reader.until(lambda: bool(reader.read))
    await reader.end()
    assert reader.read == [b"new"]


def test_the_gauges_count_steps_since_news_per_run() -> None:
    seen: list[tuple[str, int | None]] = []
    gauges = Gauges(RuleBook(Rules()), lambda run_id, news, milestone: seen.append((run_id, news)))
    events = [
        RunStarted(run_id="a", seq=0),
        Step(run_id="a", seq=1, tool="read_file", args={"path": "x"}, result="one\ntwo\nthree"),
        Step(run_id="b", seq=0, tool="read_file", args={"path": "x"}, result="one\ntwo\nthree"),
        Step(run_id="a", seq=2, tool="read_file", args={"path": "x"}, result="one\ntwo\nthree"),
    ]
    for offset, event in enumerate(events):
        gauges.read(Received(0, offset, event.run_id.encode(), encode(event)))
    gauges.read(Received(0, 9, b"a", b"no json"))
    assert seen == [("a", 0), ("b", 0), ("a", 1)]
