"""What publisher and subscriber need of a broker: small protocols, so that both run without one.

`connection.KafkaTransport` is the real one, `testing.FakeBroker` is one in memory.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from stallwatch.clients.buffer import Waiting


class RejectedError(Exception):
    """The broker will never take these records as they are (too large, not valid): no use to send again."""


def told(error: BaseException) -> str:
    """An error in a log line: its text, or its type where it has none, and what may be the remedy."""
    name = type(error).__name__
    if "Authorization" in name:
        return f"{name}: these credentials may not do it; ask for the right"
    if "Authentication" in name:
        return f"{name}: the login was refused; check the SASL settings"
    return str(error) or name


class Received(NamedTuple):
    """A record that was read."""

    partition: int
    offset: int
    key: bytes | None
    value: bytes | None


class RecordSender(Protocol):
    """Sends records to a topic. Connects by itself, and again after a failure."""

    async def partitions(self, topic: str) -> int:
        """How many partitions the topic has, at least 1. Any exception means: not reachable now."""
        ...

    async def send(self, topic: str, partition: int, records: Sequence[Waiting]) -> None:
        """The records stand in the partition, in this order, on all in-sync replicas.

        Raises `RejectedError`; any other exception means: not known to be delivered, try again.
        """
        ...

    async def close(self) -> None:
        """Connections are closed; what was not acknowledged is given up. Bounded in time."""
        ...


class RecordSource(Protocol):
    """Reads all partitions of one topic, outside any group. Any exception means: open a new one."""

    async def partitions(self) -> set[int]:
        """The topic's partitions as now known, never empty."""
        ...

    async def assign(self, positions: Mapping[int, int | None]) -> None:
        """These partitions are read from these offsets; None is the beginning."""
        ...

    async def ends(self) -> dict[int, int]:
        """Offset after the last readable record of each assigned partition, asked of the broker now."""
        ...

    async def poll(self, timeout_s: float) -> list[Received]:
        """Records that came, in order within a partition; empty after `timeout_s` without any."""
        ...

    async def positions(self) -> dict[int, int]:
        """Next offset to be read of each assigned partition."""
        ...

    async def close(self) -> None:
        """Connections are closed. Bounded in time."""
        ...


class Transport(Protocol):
    """A way to a broker."""

    def sender(self) -> RecordSender:
        """A sender that is not connected yet."""
        ...

    def source(self, topic: str, *, refresh_s: float) -> RecordSource:
        """A reader of this topic, not connected yet; its list of partitions is at most `refresh_s` old."""
        ...
