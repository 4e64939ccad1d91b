"""Where the broker is and how to log in: from arguments, from `Settings`, or from the environment."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stallwatch.clients.kafka_sender import KafkaSender
from stallwatch.clients.kafka_source import KafkaSource
from stallwatch.clients.transport import RecordSender, RecordSource, Transport
from streams.settings import Settings

DEFAULT_PREFIX = "stallwatch."


class KafkaTransport:
    """A cluster, through aiokafka."""

    def __init__(self, options: Mapping[str, object]) -> None:
        """`options`: keyword arguments of aiokafka's clients. They may hold secrets: not to be logged."""
        self._options = dict(options)

    def sender(self) -> RecordSender:
        """See `Transport`."""
        return KafkaSender(self._options)

    def source(self, topic: str, *, refresh_s: float) -> RecordSource:
        """See `Transport`."""
        return KafkaSource(topic, self._options, refresh_s=refresh_s)


@dataclass(frozen=True, slots=True)
class Connection:
    """What a client needs to know of a cluster."""

    transport: Transport
    topic_prefix: str


def connection(
    bootstrap_servers: str | Sequence[str] | None,
    *,
    settings: Settings | None = None,
    topic_prefix: str | None = None,
    kafka: Mapping[str, object] | None = None,
    transport: Transport | None = None,
) -> Connection:
    """The cluster that the arguments name.

    Without `bootstrap_servers` and without `settings`, the environment says it
    (`STALLWATCH_BOOTSTRAP_SERVERS`, `STALLWATCH_SASL_USERNAME` … as for the worker). `kafka` are further
    keyword arguments of aiokafka's clients and win. With a `transport` nothing of this is looked at. Raises
    `SettingsError` for settings that cannot work, all of them in one.
    """
    if transport is not None:
        return Connection(transport, DEFAULT_PREFIX if topic_prefix is None else topic_prefix)
    if settings is None and bootstrap_servers is None:
        settings = Settings.load(os.environ, {})
    options = dict(settings.client_options()) if settings is not None else {}
    if bootstrap_servers is not None:
        options["bootstrap_servers"] = (
            bootstrap_servers if isinstance(bootstrap_servers, str) else list(bootstrap_servers)
        )
    options.update(kafka or {})
    if topic_prefix is None:
        topic_prefix = settings.topic_prefix if settings is not None else DEFAULT_PREFIX
    return Connection(KafkaTransport(options), topic_prefix)
