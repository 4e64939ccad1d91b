"""A broker in memory, for the tests of those who publish steps or obey commands. Not for production.

broker = FakeBroker()
with StepPublisher(transport=broker, run_id="r-1") as publisher:
    publisher.step(tool="bash", args={"command": "ls"}, result="setup.py")
assert broker.events("stallwatch.steps")[0]["tool"] == "bash"
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from detectors.events import Command
from stallwatch.clients.buffer import Waiting
from stallwatch.clients.transport import Received, RejectedError
from streams.codec import encode, partition_for

_POLL_S = 0.002


class Stored(NamedTuple):
    """A record of the fake broker."""

    partition: int
    offset: int
    key: bytes
    value: bytes | None


class FakeBroker:
    """A `Transport` with topics in memory, partitioned as Kafka does it. To be used from any thread.

    `down = True`: nothing is reachable until it is False again. `max_record_bytes`: larger records are
    rejected.
    """

    def __init__(self, *, partitions: int = 4, max_record_bytes: int = 1024 * 1024) -> None:
        self.down = False
        self.max_record_bytes = max_record_bytes
        self.attempts = 0
        """How often something was asked of the broker, in vain or not."""
        self._partitions = partitions
        self._topics: defaultdict[str, list[list[Stored]]] = defaultdict(
            lambda: [[] for _ in range(partitions)]
        )

    def sender(self) -> "FakeSender":
        """See `Transport`."""
        return FakeSender(self)

    def source(self, topic: str, *, refresh_s: float = 30.0) -> "FakeSource":
        """See `Transport`."""
        return FakeSource(self, topic)

    def records(self, topic: str) -> list[Stored]:
        """Everything on the topic, by partition and offset."""
        return [record for partition in self._topics[topic] for record in partition]

    def events(self, topic: str = "stallwatch.steps") -> list[dict[str, Any]]:
        """The values on the topic, decoded, by partition and offset; tombstones are left out."""
        return [msgspec.json.decode(r.value) for r in self.records(topic) if r.value is not None]

    def produce(self, topic: str, key: bytes, value: bytes | None, *, partition: int | None = None) -> Stored:
        """A record is on the topic."""
        log = self._topics[topic]
        number = partition_for(key, len(log)) if partition is None else partition
        stored = Stored(number, len(log[number]), key, value)
        log[number].append(stored)
        return stored

    def command(self, command: Command, topic: str = "stallwatch.control") -> Stored:
        """A command is on the control topic, as a worker puts it there."""
        return self.produce(topic, command.run_id.encode(), encode(command))

    def tombstone(self, run_id: str, topic: str = "stallwatch.control") -> Stored:
        """The run is gone from the control topic."""
        return self.produce(topic, run_id.encode(), None)

    def grow(self, topic: str, partitions: int) -> None:
        """The topic has this many partitions, new ones empty."""
        log = self._topics[topic]
        log += [[] for _ in range(partitions - len(log))]

    def partition(self, topic: str, number: int) -> list[Stored]:
        """One partition's records."""
        return self._topics[topic][number]

    def count(self, topic: str) -> int:
        """How many partitions the topic has. Raises `ConnectionError` while the broker is down."""
        self.check()
        return len(self._topics[topic])

    def check(self) -> None:
        """The broker is reachable. Raises `ConnectionError` if it is not."""
        self.attempts += 1
        if self.down:
            raise ConnectionError("the fake broker is down")


class FakeSender:
    """A `RecordSender` to a fake broker."""

    def __init__(self, broker: FakeBroker) -> None:
        self._broker = broker

    async def partitions(self, topic: str) -> int:
        """See `RecordSender`."""
        return self._broker.count(topic)

    async def send(self, topic: str, partition: int, records: Sequence[Waiting]) -> None:
        """See `RecordSender`."""
        self._broker.check()
        await asyncio.sleep(0)
        if any(record.size_bytes > self._broker.max_record_bytes for record in records):
            raise RejectedError(f"a record of more than {self._broker.max_record_bytes} bytes")
        for record in records:
            self._broker.produce(topic, record.key, record.value, partition=partition)

    async def close(self) -> None:
        """See `RecordSender`."""


class FakeSource:
    """A `RecordSource` on a fake broker."""

    def __init__(self, broker: FakeBroker, topic: str) -> None:
        self._broker = broker
        self._topic = topic
        self._positions: dict[int, int] = {}

    async def partitions(self) -> set[int]:
        """See `RecordSource`."""
        return set(range(self._broker.count(self._topic)))

    async def assign(self, positions: Mapping[int, int | None]) -> None:
        """See `RecordSource`."""
        self._positions = {number: offset or 0 for number, offset in positions.items()}

    async def ends(self) -> dict[int, int]:
        """See `RecordSource`."""
        self._broker.check()
        return {number: len(self._broker.partition(self._topic, number)) for number in self._positions}

    async def poll(self, timeout_s: float) -> list[Received]:
        """See `RecordSource`."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        while True:
            self._broker.check()
            found = [
                Received(number, record.offset, record.key, record.value)
                for number, offset in self._positions.items()
                for record in self._broker.partition(self._topic, number)[offset:]
            ]
            for record in found:
                self._positions[record.partition] = record.offset + 1
            if found or loop.time() >= deadline:
                return found
            await asyncio.sleep(_POLL_S)

    async def positions(self) -> dict[int, int]:
        """See `RecordSource`."""
        return dict(self._positions)

    async def close(self) -> None:
        """See `RecordSource`."""
