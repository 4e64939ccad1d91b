"""The worker's own HTTP server: /metrics, /healthz, /readyz. Nothing else is served, least of all state."""

import asyncio
import contextlib
import socket
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Self

import msgspec
from aiohttp import web
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder

from streams.health import Answer, Health

_LAG_EVERY_S = 0.25
_LAG_KEPT = 40
"""Samples of the loop's delay that the gauge is the largest of: ten seconds."""
_STOP_S = 1.0


class EndpointError(RuntimeError):
    """The endpoint cannot be opened; the message names the address and the remedy."""


class Endpoint:
    """Serves inside its `async with` block; `port` is the one that is bound, also where 0 was asked for."""

    def __init__(
        self,
        registry: CollectorRegistry,
        health: Health,
        *,
        host: str = "127.0.0.1",
        port: int = 9108,
        on_lag: Callable[[float], None] | None = None,
    ) -> None:
        self._registry, self._health = registry, health
        self.host, self.port = host, port
        self._on_lag = on_lag
        self._runner: web.AppRunner | None = None
        self._watch: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """The endpoint answers. Raises `EndpointError`."""
        app = web.Application()
        app.router.add_get("/metrics", self._metrics)
        app.router.add_get("/healthz", self._healthz)
        app.router.add_get("/readyz", self._readyz)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=_STOP_S)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self.host, self.port).start()
        except (OSError, socket.gaierror) as error:
            await self.stop()
            raise EndpointError(
                f"metrics cannot be served on {self.host}:{self.port}: {error.strerror or error}; "
                "set another STALLWATCH_METRICS_PORT (0 takes a free one) or STALLWATCH_METRICS_HOST"
            ) from None
        self.port = self._runner.addresses[0][1]
        self._watch = asyncio.create_task(self._watch_loop())

    async def stop(self) -> None:
        """The port is free again. May be called twice."""
        if self._watch is not None:
            self._watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watch
            self._watch = None
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        """The endpoint answers."""
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """The port is free again."""
        await self.stop()

    @property
    def url(self) -> str:
        """Where it serves."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    async def _metrics(self, request: web.Request) -> web.Response:
        encode, content_type = choose_encoder(request.headers.get("Accept", ""))
        return web.Response(body=encode(self._registry), headers={"Content-Type": content_type})

    async def _healthz(self, request: web.Request) -> web.Response:
        return _answered(self._health.live())

    async def _readyz(self, request: web.Request) -> web.Response:
        return _answered(self._health.ready())

    async def _watch_loop(self) -> None:
        """How late the loop is: what a sleep takes beyond its time."""
        late: deque[float] = deque(maxlen=_LAG_KEPT)
        while True:
            before = time.monotonic()
            await asyncio.sleep(_LAG_EVERY_S)
            late.append(max(0.0, time.monotonic() - before - _LAG_EVERY_S))
            self._health.loop_lag_s = max(late)
            if self._on_lag is not None:
                self._on_lag(self._health.loop_lag_s)


def _answered(answer: Answer) -> web.Response:
    body = msgspec.json.encode({"status": "ok" if answer.ok else "unavailable", "reasons": answer.reasons})
    return web.Response(body=body, status=200 if answer.ok else 503, content_type="application/json")
