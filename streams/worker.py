"""The service: checks before the start, then the Faust worker with everything wired, until a signal or a doubt."""

import asyncio
import contextlib
import logging
import signal
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, TypeVar

import faust
from aiokafka.errors import KafkaConnectionError, KafkaError

from detectors.engine import Engine
from detectors.rules import RuleBook, UnknownRulesError
from streams import preflight, topics
from streams.app import App
from streams.batches import Batch
from streams.breaker import Breaker
from streams.census import Census
from streams.fatal import EXIT_DOUBT, fatal
from streams.judging import Judge
from streams.models import Models
from streams.observer import WorkerObserver
from streams.pipeline import Pipeline
from streams.preflight import PreflightError
from streams.settings import Settings
from streams.writer import KafkaWriter

_log = logging.getLogger("stallwatch.worker")

EXIT_DONE, EXIT_USAGE = 0, 2
_DRAIN_SHARE = 0.6
"""Part of the session timeout that a rebalance may wait for acknowledgements."""
_RETRY_S = 2.0
T = TypeVar("T")


class Worker:
    """Everything of one process, wired; `prepare` before Faust starts, `finish` when it has stopped."""

    def __init__(self, settings: Settings, book: RuleBook, datadir: str) -> None:
        self._settings = settings
        self._book = book
        self._datadir = datadir
        self.observer = WorkerObserver()
        self._tasks: list[asyncio.Task[None]] = []

    async def prepare(self) -> App:
        """The app is ready to start. Waits for a broker as long as it takes. Raises `PreflightError`."""
        settings, observer = self._settings, self.observer
        partitions = await _patiently(lambda: preflight.check(settings))
        names = {name: topics.topic(settings.topic_prefix, name) for name in topics.NAMES}
        inputs = tuple(names[name] for name in topics.INPUTS)
        options = settings.client_options()
        self._models = Models(options, names["models"], self._book)
        await _patiently(self._models.start)
        self._writer = KafkaWriter(
            options,
            topics.changelog(settings.group_id),
            names,
            version="0.1.0",
            on_retry=observer.retry,
            on_sent=observer.sent,
        )
        await _patiently(self._writer.start)
        census = Census()
        breaker = Breaker(settings.breaker_share, settings.breaker_window_s, settings.breaker_min_runs)
        judge = Judge(
            Engine(self._book), inputs, partitions, time.time, census, breaker, embedded=settings.embedded
        )
        app = App(settings, inputs, partitions, self._datadir)
        self._pipeline = Pipeline(
            judge=judge,
            writer=self._writer,
            consumer=app,
            values=lambda number: app.store.partition(number),
            topics={topic: index for index, topic in enumerate(inputs)},
            log_start=app.log_start,
            before_open=self._models.refresh,
            census=census,
            breaker=breaker,
            observer=observer,
            fatal=fatal,
            clock=time.time,
            drain_s=settings.session_timeout_s * _DRAIN_SHARE,
        )
        app.wire(
            handle=_or_end(self._pipeline.handle),
            drain=self._pipeline.drain,
            on_seek=_or_end(self._pipeline.sought),
            on_recovered=self._pipeline.recovered,
        )
        app.faust.on_before_shutdown.connect(self.finish)
        self._tasks = [asyncio.ensure_future(_every(settings.tick_interval_s, _or_end(self._tick)))]
        return app

    async def _tick(self, _: None = None) -> None:
        await self._pipeline.tick()

    async def finish(self, *_: Any, **__: Any) -> None:
        """Timers are still, connections closed."""
        for task in self._tasks:
            task.cancel()
        await self._writer.stop()
        await self._models.stop()


def _or_end(step: Callable[[Any], Awaitable[None]]) -> Callable[[Any], Awaitable[None]]:
    """The step; an exception in it ends the process, since Faust would ack what was not finished and go on."""

    async def guarded(argument: Any = None) -> None:
        try:
            await step(argument)
        except UnknownRulesError as error:
            fatal(
                f"{error}: start a worker with that rule set once, so that it is published, or wait for those runs to end"
            )
        except Exception as error:  # noqa: BLE001 - whatever it is, going on would lose records
            _log.exception("unexpected error in the pipeline")
            fatal(f"{type(error).__name__}: {error}")

    return guarded


async def _every(seconds: float, step: Callable[[None], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        await step(None)


async def _patiently(step: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The step's result, tried again while no broker can be reached."""
    while True:
        try:
            return await step()
        except (KafkaConnectionError, OSError) as error:
            _log.warning(
                "no broker yet, trying again", extra={"fields": {"error": str(error), "pause_s": _RETRY_S}}
            )
            await asyncio.sleep(_RETRY_S)


def run(settings: Settings, book: RuleBook) -> int:
    """The worker has run until it was told to stop; returns the exit code. Blocks."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    with contextlib.ExitStack() as stack:
        datadir = settings.datadir or stack.enter_context(tempfile.TemporaryDirectory(prefix="stallwatch-"))
        worker = Worker(settings, book, datadir)
        preparing = loop.create_task(worker.prepare())
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, preparing.cancel)
        try:
            app = loop.run_until_complete(preparing)
        except asyncio.CancelledError:
            return EXIT_DONE
        except (PreflightError, KafkaError) as error:
            problems = (
                error.problems if isinstance(error, PreflightError) else [f"{type(error).__name__}: {error}"]
            )
            for problem in problems:
                sys.stderr.write(f"stallwatch worker: {problem}\n")
            return EXIT_USAGE
        return _serve(app, loop)


def _serve(app: App, loop: asyncio.AbstractEventLoop) -> int:
    runner = faust.Worker(app.faust, loop=loop, override_logging=False, redirect_stdouts=False, quiet=True)
    try:
        runner.execute_from_commandline()
    except SystemExit as end:
        return EXIT_DONE if not end.code else EXIT_DOUBT
    return EXIT_DONE
