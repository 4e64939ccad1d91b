"""Where the demo plays: a broker and a worker of its own, or an installation that is there already."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from stallwatch.demo import worker_process
from stallwatch.demo.worker_process import WorkerProcess
from stallwatch.mistakes import Mistake
from streams.embedded import EmbeddedBroker, EmbeddedBrokerError, create_topics

PREFIX = "stallwatch."


@dataclass(frozen=True, slots=True)
class Stage:
    """A broker, and a worker that reads from it."""

    bootstrap_servers: str
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


async def own(
    stack: AsyncExitStack, say: Callable[[str], None], *, rules: Path, metrics_port: int | None, folder: Path
) -> Stage:
    """An embedded broker and a starting worker, which end with the stack. Raises `Mistake`."""
    try:
        broker = stack.enter_context(EmbeddedBroker())
        create_topics(broker, prefix=PREFIX)
    except EmbeddedBrokerError as error:
        raise Mistake(str(error)) from None
    address = broker.bootstrap_servers
    worker = await worker_process.launch(
        bootstrap_servers=address, rules=rules, port=metrics_port, folder=folder
    )
    stack.push_async_callback(worker.stop)
    say(f"broker at {address}, worker starts (some seconds), metrics at {worker.metrics_url}")
    return Stage(address, worker)


def given(bootstrap_servers: str, say: Callable[[str], None]) -> Stage:
    """The installation at these brokers."""
    say(f"broker at {bootstrap_servers}, under the worker that is there")
    return Stage(bootstrap_servers, None)
