"""Everything of one worker process, wired together: what runs before Faust, beside it, and after it."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from importlib.metadata import version
from typing import Any, TypeVar

from aiokafka.errors import KafkaConnectionError, KafkaTimeoutError

from detectors.engine import Engine
from detectors.rules import RuleBook, UnknownRulesError
from streams import preflight, topics
from streams.app import App
from streams.breaker import Breaker
from streams.census import Census
from streams.endpoint import Endpoint
from streams.fatal import fatal
from streams.gauges import Gauges
from streams.health import Health
from streams.judging import Judge
from streams.metrics import Metrics, registry
from streams.models import Models
from streams.observer import WorkerObserver
from streams.pipeline import Pipeline
from streams.settings import Settings
from streams.writer import KafkaWriter

_log = logging.getLogger("stallwatch.worker")

_DRAIN_SHARE = 0.6
"""Part of the session timeout that a rebalance may wait for acknowledgements."""
_GAUGES_EVERY_S = 1.0
_RETRY_S, _RETRY_MOST_S = 2.0, 30.0
T = TypeVar("T")


class Service:
    """`prepare` before Faust starts, `finish` when it has stopped; in between its callbacks and timers."""

    def __init__(self, settings: Settings, book: RuleBook, datadir: str) -> None:
        self._settings, self._book, self._datadir = settings, book, datadir
        self._version = version("stallwatch")
        self._registry = registry()
        self._metrics = Metrics(self._registry, version=self._version)
        self._health = Health(time.monotonic)
        self._endpoint = Endpoint(
            self._registry,
            self._health,
            host=settings.metrics_host,
            port=settings.metrics_port,
            on_lag=self._metrics.event_loop_lag_seconds.set,
        )
        self._observer = WorkerObserver(self._metrics, self._health)
        self._tasks: list[asyncio.Task[None]] = []

    async def prepare(self) -> App:
        """The app is ready to start. Waits for a broker as long as it takes.

        Raises `PreflightError`, `EndpointError`, aiokafka's `KafkaError`.
        """
        settings, observer = self._settings, self._observer
        await self._endpoint.start()
        _log.info(
            "metrics served",
            extra={
                "fields": {"host": self._endpoint.host, "port": self._endpoint.port, "version": self._version}
            },
        )
        partitions = await _patiently(lambda: preflight.check(settings), settings)
        names = {name: topics.topic(settings.topic_prefix, name) for name in topics.NAMES}
        inputs = tuple(names[name] for name in topics.INPUTS)
        options = settings.client_options()
        self._models = Models(options, names["models"], self._book)
        await _patiently(self._models.start, settings)
        self._writer = KafkaWriter(
            options,
            topics.changelog(settings.group_id),
            names,
            version=self._version,
            on_retry=observer.retry,
            on_sent=observer.sent,
        )
        await _patiently(self._writer.start, settings)
        census = Census()
        breaker = Breaker(settings.breaker_share, settings.breaker_window_s, settings.breaker_min_runs)
        engine = Engine(self._book)
        judge = Judge(engine, inputs, partitions, time.time, census, breaker, embedded=settings.embedded)
        app = App(settings, inputs, partitions, self._datadir)
        self._pipeline = Pipeline(
            judge=judge,
            writer=self._writer,
            consumer=app,
            values=app.store.partition,
            topics={topic: index for index, topic in enumerate(inputs)},
            log_starts=app.log_starts,
            highwater=app.highwater,
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
            on_revoked=self._pipeline.revoked,
            on_seek=_or_end(self._pipeline.sought),
            on_assigned=observer.recovering,
            on_recovered=self._pipeline.recovered,
            on_shutdown=self.finish,
        )
        gauges = Gauges(self._metrics, self._health, self._pipeline, app, census, breaker)
        self._tasks = [
            asyncio.ensure_future(_every(settings.tick_interval_s, _or_end(_ignoring(self._pipeline.tick)))),
            asyncio.ensure_future(_every(_GAUGES_EVERY_S, _ignoring(gauges.refresh))),
        ]
        self._health.started = True
        return app

    async def finish(self) -> None:
        """Timers are still, connections closed."""
        self._health.stopping = True
        for task in self._tasks:
            task.cancel()
        await self._writer.stop()
        await self._models.stop()
        await self._endpoint.stop()


def _ignoring(step: Callable[[], Awaitable[None]]) -> Callable[[Any], Awaitable[None]]:
    async def ignoring(_: Any) -> None:
        await step()

    return ignoring


def _or_end(step: Callable[[Any], Awaitable[None]]) -> Callable[[Any], Awaitable[None]]:
    """The step; an exception in it ends the process, since Faust would ack what was not finished and go on."""

    async def guarded(argument: Any) -> None:
        try:
            await step(argument)
        except UnknownRulesError as error:
            fatal(
                f"{error}: start a worker with that rule set once, so that it is published on the models topic"
            )
        except Exception as error:  # noqa: BLE001 - whatever it is, going on would lose records
            _log.exception("unexpected error in the pipeline")
            fatal(f"{type(error).__name__}: {error}")

    return guarded


async def _every(seconds: float, step: Callable[[Any], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(seconds)
        await step(None)


async def _patiently(step: Callable[[], Coroutine[Any, Any, T]], settings: Settings) -> T:
    """The step's result, tried again while no broker can be reached: after 2, 4, 8 … 30 s."""
    pause_s = _RETRY_S
    while True:
        try:
            return await step()
        except (KafkaConnectionError, KafkaTimeoutError, OSError) as error:
            fields = {
                "brokers": settings.bootstrap_servers,
                "check": "STALLWATCH_BOOTSTRAP_SERVERS or --bootstrap-servers, the security settings, the brokers",
                "error": str(error),
                "pause_s": pause_s,
            }
            _log.warning("no broker yet, trying again", extra={"fields": fields})
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, _RETRY_MOST_S)
