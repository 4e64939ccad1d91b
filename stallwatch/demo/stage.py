"""Where the demo plays: a broker and a worker of its own, or an installation that is there already."""

import asyncio
import os
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from stallwatch.clients.connection import KafkaTransport
from stallwatch.clients.kafka_errors import ClientOptions, kafka_errors
from stallwatch.clients.transport import Transport
from stallwatch.demo import worker_process
from stallwatch.demo.handed_down import environment
from stallwatch.demo.worker_process import WorkerProcess
from stallwatch.mistakes import MissingTopicError, Mistake
from stallwatch.topic_reader import TopicReader
from streams.create_command import create_command
from streams.embedded import EmbeddedBroker, EmbeddedBrokerError, create_topics
from streams.settings import Settings
from streams.topics import topic

LOOK_TIMEOUT_S = 10.0
USED = ("steps", "control", "acks", "verdicts")
"""Topics that the demo writes or reads by itself."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A broker, and a worker that reads from it."""

    settings: Settings
    worker: WorkerProcess | None
    """None: it was there before and is not ours to watch or to stop; should it start later, it finds the steps."""

    @property
    def visited(self) -> bool:
        """Others may be at work here, and runs of the same names may have been here before."""
        return self.worker is None

    @property
    def metrics_url(self) -> str:
        """Of the worker; empty where it is not known."""
        return self.worker.metrics_url if self.worker is not None else ""

    @property
    def transport(self) -> Transport:
        """The way to the broker."""
        return KafkaTransport(self.settings.client_options())

    def environment(self) -> dict[str, str]:
        """What a process gets that is to work here."""
        return environment(self.settings, os.environ)


async def own(
    stack: AsyncExitStack, say: Callable[[str], None], *, rules: Path, metrics_port: int | None, folder: Path
) -> Stage:
    """An embedded broker and a starting worker, which end with the stack. Raises `Mistake`."""
    try:
        broker = stack.enter_context(EmbeddedBroker())
        create_topics(broker)
    except EmbeddedBrokerError as error:
        raise Mistake(str(error)) from None
    address = broker.bootstrap_servers
    worker = await worker_process.launch(
        bootstrap_servers=address, rules=rules, port=metrics_port, folder=folder
    )
    stack.push_async_callback(worker.stop)
    say(f"broker at {address}, worker starts (some seconds), metrics at {worker.metrics_url}")
    return Stage(Settings(bootstrap_servers=address), worker)


def given(settings: Settings, say: Callable[[str], None]) -> Stage:
    """The installation of these settings."""
    say(f"broker at {settings.bootstrap_servers}, under the worker that is there")
    return Stage(settings, None)


def check(settings: Settings) -> None:
    """The installation's broker answers and has the topics. Raises `Mistake` with one sentence if not."""
    options = settings.client_options()
    try:
        with kafka_errors(options, "the demo cannot start"):
            asyncio.run(_look(settings, options))
    except MissingTopicError as error:
        raise MissingTopicError(error.topic, error.address, create_command(settings)) from None


async def _look(settings: Settings, options: ClientOptions) -> None:
    async with TopicReader(options, timeout_s=LOOK_TIMEOUT_S) as reader:
        for name in USED:
            reader.partitions(topic(settings.topic_prefix, name))
