"""The embedded broker: librdkafka's mock cluster, a Kafka listener on loopback inside the owner's process.

Good for a demo and for quick integration tests. It keeps a few MB a partition, compacts nothing, answers no
admin request (a topic comes into being when its metadata is asked for, always with 4 partitions) and stamps
records with a made-up time: nothing about delivery or recovery can be claimed from it.
"""

import importlib
import time
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self

from streams.topics import NAMES, topic

PARTITIONS = 4
"""What librdkafka's mock cluster gives every topic."""
_CALL_TIMEOUT_S = 10.0


class EmbeddedBrokerError(RuntimeError):
    """The embedded broker cannot be had; the message says what to do about it."""


class EmbeddedBroker:
    """A broker that lives as long as the `with` block.

    `bootstrap_servers` is reachable from every process of this machine, and from no other.
    """

    def __init__(self) -> None:
        self._kafka: Any = None
        self._owner: Any = None
        self.bootstrap_servers = ""

    def __enter__(self) -> Self:
        """The broker answers. Takes tens of milliseconds. Raises `EmbeddedBrokerError`."""
        try:
            # Only now: confluent-kafka is an optional dependency.
            self._kafka = importlib.import_module("confluent_kafka")
        except ImportError:
            raise EmbeddedBrokerError(
                "the embedded broker needs confluent-kafka, which is not installed: "
                "pip install 'stallwatch[demo]'"
            ) from None
        try:
            # The client that made the mock cluster owns it: the cluster ends with its last reference.
            self._owner = self._kafka.Producer({"test.mock.num.brokers": 1, "log_level": 0})
            brokers = self._metadata().brokers.values()
        except (self._kafka.KafkaException, EmbeddedBrokerError) as error:
            self._owner = None
            raise EmbeddedBrokerError(f"the embedded broker did not start: {error}") from None
        self.bootstrap_servers = ",".join(f"{broker.host}:{broker.port}" for broker in brokers)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """The listener is closed and everything it held is gone."""
        self._owner = None

    def create(self, topics: Iterable[str]) -> None:
        """The topics exist, with `PARTITIONS` partitions each. O(topics). Raises `EmbeddedBrokerError`."""
        for name in topics:
            self._create(name)

    def topics(self) -> list[str]:
        """Names of the topics that exist, sorted. Raises `EmbeddedBrokerError`."""
        return sorted(self._metadata().topics)

    def _create(self, name: str) -> None:
        deadline = time.monotonic() + _CALL_TIMEOUT_S
        # Asking is what makes a topic; the first answer may still say that it is not there.
        while (found := self._metadata(name).topics[name]).error is not None:
            if time.monotonic() > deadline:
                raise EmbeddedBrokerError(f"the embedded broker did not create {name!r}: {found.error}")
            time.sleep(0.01)
        if len(found.partitions) != PARTITIONS:
            raise EmbeddedBrokerError(
                f"the embedded broker gave {name!r} {len(found.partitions)} partitions, "
                f"not {PARTITIONS}: install a confluent-kafka that the extra stallwatch[demo] allows"
            )

    def _metadata(self, *topic_name: str) -> Any:
        if self._owner is None:
            raise EmbeddedBrokerError("the embedded broker is not running: use it inside its `with` block")
        try:
            return self._owner.list_topics(*topic_name, timeout=_CALL_TIMEOUT_S)
        except self._kafka.KafkaException as error:
            raise EmbeddedBrokerError(f"the embedded broker does not answer: {error}") from None


def topics_of(prefix: str, group_id: str) -> list[str]:
    """Every topic that a worker with these settings reads or writes, its changelog included."""
    return [*(topic(prefix, name) for name in NAMES), f"{group_id}-runs-changelog"]


def create_topics(
    broker: EmbeddedBroker, *, prefix: str = "stallwatch.", group_id: str = "stallwatch"
) -> None:
    """A worker with this prefix and group finds all its topics. Raises `EmbeddedBrokerError`."""
    broker.create(topics_of(prefix, group_id))
