"""The demo itself: stage, fleet, orchestrator and display, from the first process to the last."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from detectors import rulefile
from detectors.events import Command
from stallwatch.clients.subscriber import AsyncControlSubscriber
from stallwatch.clients.transport import RecordSource
from stallwatch.demo import fleet, stage
from stallwatch.demo.agents import BEHAVIOURS
from stallwatch.demo.agents.behaviour import Behaviour
from stallwatch.demo.board import Board
from stallwatch.demo.display import Display
from stallwatch.demo.fleet import AgentProcess
from stallwatch.demo.follow import Gauges, follow
from stallwatch.demo.last_words import last_words
from stallwatch.demo.messages import FromAgent, Shown
from stallwatch.demo.orchestrator import Orchestrator
from stallwatch.demo.report import Report, report
from stallwatch.demo.rules_file import rules_file, rules_text
from stallwatch.demo.scratch import scratch_folder
from stallwatch.demo.stage import Stage
from stallwatch.demo.worker_process import WorkerProcess
from stallwatch.mistakes import AnswerIsNoError
from streams.codec import BadRecord, decode_verdict
from streams.settings import Settings
from streams.topics import topic

STAGGER_S = 0.25
"""Between the starts of two agents, so that a small machine is not busy with nine interpreters at once."""
REFRESH_S = 0.25
CONTROL_READY_S = 30.0
FLUSH_S = 5.0
UNJUDGED_S = 45.0
"""A worker that is there says its first word after some ten seconds; agents that nobody watches are no demo."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the demo is asked to be."""

    seconds: float = 110.0
    """Agents that are not through by then are stopped, which is not as expected."""
    keep: bool = False
    metrics_port: int | None = None
    settings: Settings | None = None
    """An installation that is there, with its worker; None starts broker and worker."""
    unjudged_s: float = UNJUDGED_S
    """An installation that has said nothing of any run by then has no worker that judges."""
    behaviours: Sequence[Behaviour] = tuple(BEHAVIOURS.values())


class Show:
    """One performance. Everything that it starts is gone when `run` is over, whichever way it ends."""

    def __init__(self, options: Options, display: Display, on_report: Callable[[Report], None]) -> None:
        self._options = options
        self._display = display
        self._on_report = on_report
        self._board = Board(options.behaviours, display.say)
        self._agents: dict[str, AgentProcess] = {}
        # Runs of these names may have been in an installation before: a later attempt is a life of its own.
        self._attempt = 0 if options.settings is None else int(time.time() * 1000)

    async def run(self) -> Report:
        """How it went. Raises `Mistake` where it could not be done, what the display raises where nobody looks."""
        begun = time.monotonic()
        async with AsyncExitStack() as stack:
            folder = stack.enter_context(scratch_folder())
            drawing = await stack.enter_async_context(_background(self._draw()))
            here = await self._stage(stack, folder)
            control = await stack.enter_async_context(
                AsyncControlSubscriber(settings=here.settings, by="demo")
            )
            orchestrator = self._orchestrator(control, here)
            await stack.enter_async_context(_background(self._watch(here)))
            if here.worker is not None:
                await here.worker.ready()
                self._display.say("", "worker is ready")
            if not await control.wait_ready(CONTROL_READY_S):
                raise AnswerIsNoError(
                    "the control topic could not be read: "
                    f"the broker at {here.settings.bootstrap_servers} does not answer"
                )
            stack.push_async_callback(self._stop_agents)
            await self._perform(here, orchestrator, drawing, folder)
            await control.flush(FLUSH_S)
            result = report(
                self._board,
                seconds=time.monotonic() - begun,
                metrics_url=here.metrics_url,
                bootstrap_servers=here.settings.bootstrap_servers,
            )
            drawing.cancel()
            self._display.refresh(self._board)
            self._on_report(result)
            if self._options.keep:
                await _until_ended(here.worker)
            return result

    async def _stage(self, stack: AsyncExitStack, folder: Path) -> Stage:
        def say(sentence: str) -> None:
            self._display.say("", sentence)

        if self._options.settings is not None:
            return stage.given(self._options.settings, say)
        rules = stack.enter_context(rules_file())
        return await stage.own(
            stack, say, rules=rules, metrics_port=self._options.metrics_port, folder=folder
        )

    def _orchestrator(self, control: AsyncControlSubscriber, here: Stage) -> Orchestrator:
        orchestrator = Orchestrator(self._agents, control, on_stopped=self._board.stopped)

        def commanded(command: Command) -> None:
            if orchestrator.concerns(command):
                self._board.commanded(command)
                orchestrator.obey(command)

        control.on_command(commanded, existing=not here.visited)
        return orchestrator

    async def _perform(
        self, here: Stage, orchestrator: Orchestrator, drawing: asyncio.Task[None], folder: Path
    ) -> None:
        """Every agent is over, or the time is. Raises `AnswerIsNoError` if the worker ended."""

        def heard(run_id: str, message: FromAgent) -> None:
            self._board.heard(run_id, message)
            if isinstance(message, Shown):
                orchestrator.shown(message.command_id)

        environment = here.environment()

        async def live(behaviour: Behaviour, delay_s: float) -> None:
            await asyncio.sleep(delay_s)
            agent = await fleet.launch(
                behaviour,
                folder=folder,
                environment=environment,
                attempt=self._attempt,
                on_message=heard,
            )
            self._agents[agent.run_id] = agent
            self._board.started(agent.run_id)
            code = await agent.wait()
            self._board.ended(agent.run_id, code, last_words(agent.log))

        async def lives() -> None:
            async with asyncio.TaskGroup() as tasks:
                for number, behaviour in enumerate(self._options.behaviours):
                    tasks.create_task(live(behaviour, number * STAGGER_S))

        async with (
            _background(lives()) as everyone,
            _background(_until_ended(here.worker)) as watching,
            _background(self._until_unjudged(here)) as unjudged,
        ):
            await asyncio.wait(
                [watching, everyone, drawing, unjudged],
                timeout=self._options.seconds,
                return_when=asyncio.FIRST_COMPLETED,
            )
            for task in (watching, drawing, everyone):
                if task.done():
                    task.result()
            await orchestrator.settled()
            await self._stop_agents()

    async def _until_unjudged(self, here: Stage) -> None:
        """Returns if by now a worker should have said something of a stuck agent and none has."""
        if here.visited and any(not behaviour.healthy for behaviour in self._options.behaviours):
            await asyncio.sleep(self._options.unjudged_s)
            if not self._board.judged_at_all:
                return
        await asyncio.Event().wait()

    async def _stop_agents(self) -> None:
        await asyncio.gather(*(agent.stop() for agent in self._agents.values()))

    async def _draw(self) -> None:
        """The display follows the board, until cancelled. Raises what the display raises if nobody looks on."""
        while True:
            self._display.refresh(self._board)
            await asyncio.sleep(REFRESH_S)

    async def _watch(self, here: Stage) -> None:
        """The board follows the topics, until cancelled."""
        gauges = Gauges(rulefile.parse(rules_text(), "demo"), self._board.measured)

        def source(name: str) -> Callable[[], RecordSource]:
            return lambda: here.transport.source(topic(here.settings.topic_prefix, name), refresh_s=30.0)

        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(follow(source("steps"), gauges.read, existing=not here.visited))
            tasks.create_task(
                follow(
                    source("verdicts"),
                    lambda record: self._verdict(record.value),
                    existing=not here.visited,
                )
            )

    def _verdict(self, value: bytes | None) -> None:
        with contextlib.suppress(BadRecord):
            verdict = decode_verdict(value)
            if verdict.attempt == self._attempt:
                self._board.judged(verdict)


async def _until_ended(worker: WorkerProcess | None) -> None:
    """Never returns: raises `AnswerIsNoError` when the worker has ended, if it is one whose end is seen."""
    if worker is None:
        await asyncio.Event().wait()
    else:
        await worker.wait()
        raise worker.ended_early()


@contextlib.asynccontextmanager
async def _background(work: Coroutine[Any, Any, None]) -> AsyncIterator[asyncio.Task[None]]:
    """The work goes on beside the block and ends with it; what it raised is for who looks at the task."""
    task = asyncio.create_task(work)
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.wait([task])
        if not task.cancelled():
            task.exception()
