"""The demo itself: broker, worker, fleet and orchestrator, from the first process to the last."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from detectors import rulefile
from detectors.events import Command
from stallwatch.demo import fleet, worker_process
from stallwatch.demo.agents import BEHAVIOURS
from stallwatch.demo.agents.behaviour import Behaviour
from stallwatch.demo.board import Board
from stallwatch.demo.elsewhere import WorkerElsewhere
from stallwatch.demo.fleet import AgentProcess
from stallwatch.demo.follow import Gauges, follow
from stallwatch.demo.messages import FromAgent, Shown
from stallwatch.demo.orchestrator import Orchestrator
from stallwatch.demo.report import Report, report
from stallwatch.demo.scratch import scratch_folder
from stallwatch.demo.table import Display
from stallwatch.demo.worker_process import WorkerProcess
from stallwatch.mistakes import AnswerIsNoError, Mistake
from stallwatch.subscriber import AsyncControlSubscriber
from streams.codec import BadRecord, decode_verdict
from streams.embedded import EmbeddedBroker, EmbeddedBrokerError, create_topics
from streams.topics import topic

PREFIX = "stallwatch."
STAGGER_S = 0.25
"""Between the starts of two agents, so that a small machine is not busy with nine interpreters at once."""
REFRESH_S = 0.25
CONTROL_READY_S = 30.0
FLUSH_S = 5.0


@dataclass(frozen=True, slots=True)
class Options:
    """What the demo is asked to be."""

    seconds: float = 110.0
    """Agents that are not through by then are stopped, which is not as expected."""
    keep: bool = False
    metrics_port: int | None = None
    bootstrap_servers: str | None = None
    """Brokers of an installation that is there, with its worker; None starts both."""
    behaviours: Sequence[Behaviour] = tuple(BEHAVIOURS.values())


class Show:
    """One performance. Everything that it starts is gone when `run` is over, whichever way it ends."""

    def __init__(self, options: Options, display: Display, on_report: Callable[[Report], None]) -> None:
        self._options = options
        self._display = display
        self._on_report = on_report
        self._board = Board(options.behaviours, display.say)
        self._agents: dict[str, AgentProcess] = {}
        self._begun = time.monotonic()

    async def run(self) -> Report:
        """How it went. Raises `Mistake` where it could not be done."""
        async with AsyncExitStack() as stack:
            folder = stack.enter_context(scratch_folder())
            rules = stack.enter_context(resources.as_file(resources.files("stallwatch.demo") / "rules.toml"))
            bootstrap, worker = await self._installation(stack, rules, folder)
            control = await stack.enter_async_context(AsyncControlSubscriber(bootstrap, by="demo"))
            orchestrator = Orchestrator(self._agents, control, on_stopped=self._board.stopped)

            def commanded(command: Command) -> None:
                # An installation that is there may have other fleets; their commands are for others to answer.
                if command.run_id in self._agents:
                    self._board.commanded(command)
                    orchestrator.obey(command)

            control.on_command(commanded, existing=not self._visiting)
            await worker.ready()
            if not await control.wait_ready(CONTROL_READY_S):
                raise AnswerIsNoError(
                    f"the control topic could not be read: the broker at {bootstrap} does not answer"
                )
            if not self._visiting:
                self._display.say("", "worker is ready")
            await stack.enter_async_context(_background(self._watch(bootstrap, rules)))
            stack.push_async_callback(self._stop_agents)
            await self._perform(worker, orchestrator, folder, bootstrap)
            await control.flush(FLUSH_S)
            seconds = time.monotonic() - self._begun
            result = report(self._board, seconds=seconds, metrics_url=worker.metrics_url)
            self._display.refresh(self._board)
            self._on_report(result)
            if self._options.keep:
                await worker.wait()
                raise worker.ended_early()
            return result

    @property
    def _visiting(self) -> bool:
        return self._options.bootstrap_servers is not None

    async def _installation(
        self, stack: AsyncExitStack, rules: Path, folder: Path
    ) -> tuple[str, WorkerProcess | WorkerElsewhere]:
        """Brokers and worker: those that are there, or new ones that end with the stack."""
        given = self._options.bootstrap_servers
        if given is not None:
            self._display.say("", f"broker at {given}, under the worker that is there")
            return given, WorkerElsewhere()
        bootstrap = _broker(stack)
        worker = await worker_process.launch(
            bootstrap_servers=bootstrap,
            rules=rules,
            port=self._options.metrics_port,
            folder=folder,
        )
        stack.push_async_callback(worker.stop)
        self._display.say("", f"broker at {bootstrap}, worker starts, metrics at {worker.metrics_url}")
        return bootstrap, worker

    async def _perform(
        self,
        worker: WorkerProcess | WorkerElsewhere,
        orchestrator: Orchestrator,
        folder: Path,
        bootstrap: str,
    ) -> None:
        """Every agent is over, or the time is."""

        def heard(run_id: str, message: FromAgent) -> None:
            self._board.heard(run_id, message)
            if isinstance(message, Shown):
                orchestrator.shown(message.command_id)

        # Runs of these names may have been there before: a later attempt is a life of its own.
        attempt = int(time.time() * 1000) if self._visiting else 0

        async def live(behaviour: Behaviour, delay_s: float) -> None:
            await asyncio.sleep(delay_s)
            agent = await fleet.launch(
                behaviour,
                folder=folder,
                bootstrap_servers=bootstrap,
                log=log,
                on_message=heard,
                attempt=attempt,
            )
            self._agents[agent.run_id] = agent
            self._board.started(agent.run_id)
            self._board.ended(agent.run_id, await agent.wait())

        with (folder / "agents.log").open("wb") as log:
            lives = [
                asyncio.create_task(live(behaviour, number * STAGGER_S))
                for number, behaviour in enumerate(self._options.behaviours)
            ]
            watching = asyncio.create_task(worker.wait())
            everyone = asyncio.ensure_future(_all_of(lives))
            try:
                await asyncio.wait(
                    [watching, everyone],
                    timeout=self._options.seconds,
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if watching.done():
                    raise worker.ended_early()
                await orchestrator.settled()
                await self._stop_agents()
                if everyone.done():
                    everyone.result()
            finally:
                everyone.cancel()
                watching.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await everyone

    async def _stop_agents(self) -> None:
        await asyncio.gather(*(agent.stop() for agent in self._agents.values()))

    async def _watch(self, bootstrap: str, rules: Path) -> None:
        """The board follows the topics and the display follows the board, until cancelled."""
        gauges = Gauges(rulefile.parse(_text(rules), rules.name), self._board.measured)
        async with asyncio.TaskGroup() as tasks:
            existing = not self._visiting
            tasks.create_task(follow(bootstrap, topic(PREFIX, "steps"), gauges.read, existing=existing))
            tasks.create_task(
                follow(
                    bootstrap,
                    topic(PREFIX, "verdicts"),
                    lambda record: self._verdict(record.value),
                    existing=existing,
                )
            )
            while True:
                self._display.refresh(self._board)
                await asyncio.sleep(REFRESH_S)

    def _verdict(self, value: bytes | None) -> None:
        with contextlib.suppress(BadRecord):
            self._board.judged(decode_verdict(value))


def _text(rules: Path) -> str:
    return rules.read_text("utf-8")


def _broker(stack: AsyncExitStack) -> str:
    try:
        broker = stack.enter_context(EmbeddedBroker())
        create_topics(broker, prefix=PREFIX)
    except EmbeddedBrokerError as error:
        raise Mistake(str(error)) from None
    return broker.bootstrap_servers


async def _all_of(tasks: Iterable[asyncio.Task[None]]) -> None:
    await asyncio.gather(*tasks)


@contextlib.asynccontextmanager
async def _background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
