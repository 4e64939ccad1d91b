"""The real worker in a process of its own, beside the embedded broker."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Mapping
from pathlib import Path

import aiohttp

from stallwatch.demo.handed_down import environment
from stallwatch.demo.last_words import last_words
from stallwatch.mistakes import AnswerIsNoError, Mistake
from streams.settings import Settings

READY_TIMEOUT_S = 60.0
STOP_S = 8.0
LOOK_EVERY_S = 0.1


class WorkerProcess:
    """A worker that was started; `metrics_url` is where it serves."""

    def __init__(self, process: Process, port: int, log: Path) -> None:
        self._process = process
        self._log = log
        self.base_url = f"http://127.0.0.1:{port}"

    @property
    def metrics_url(self) -> str:
        """Its metrics."""
        return f"{self.base_url}/metrics"

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    async def ready(self) -> None:
        """The worker owns its partitions and reads. Raises `AnswerIsNoError` if it ended or took too long."""
        try:
            async with asyncio.timeout(READY_TIMEOUT_S), aiohttp.ClientSession() as session:
                while True:
                    if self._process.returncode is not None:
                        raise self.ended_early()
                    with contextlib.suppress(aiohttp.ClientError):
                        async with session.get(f"{self.base_url}/readyz") as answer:
                            if answer.status == 200:
                                return
                    await asyncio.sleep(LOOK_EVERY_S)
        except TimeoutError:
            raise AnswerIsNoError(
                f"the worker was not ready after {READY_TIMEOUT_S:.0f} s: {last_words(self._log)}"
            ) from None

    async def wait(self) -> int:
        """The worker has ended; its exit code."""
        return await self._process.wait()

    async def stop(self) -> None:
        """The worker has ended: by SIGTERM, or by SIGKILL if that takes over 8 s."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self._process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    self._process.send_signal(number)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(STOP_S):
                    await self._process.wait()
                    return

    def ended_early(self) -> AnswerIsNoError:
        """What to say of a worker that ended by itself."""
        return AnswerIsNoError(
            f"the worker ended with exit code {self._process.returncode}: {last_words(self._log)}"
        )


async def launch(
    *,
    bootstrap_servers: str,
    rules: Path,
    port: int | None,
    folder: Path,
    base: Mapping[str, str] = os.environ,
) -> WorkerProcess:
    """The worker is starting, its log and its data in `folder`.

    `port`: for its metrics; None takes a free one. Raises `Mistake` if it is taken.
    """
    log = folder / "worker.log"
    port = _free_port(port)
    settings = Settings(
        bootstrap_servers=bootstrap_servers,
        embedded=True,
        rules=str(rules),
        metrics_port=port,
        tick_interval_s=1.0,
        # In the demo's folder, so that nothing stays behind of a worker that is killed.
        datadir=str(folder / "worker"),
    )
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "stallwatch.demo.leash", str(os.getpid())),
            *(sys.executable, "-c", "from stallwatch.cli import main; main()", "worker"),
            stdin=DEVNULL,
            stdout=output,
            stderr=output,
            # Settings of the user's own cluster must not reach into the demo.
            env=environment(settings, base),
            start_new_session=True,
        )
    return WorkerProcess(process, port, log)


def _free_port(wanted: int | None) -> int:
    with socket.socket() as probe:
        # As the worker's server does: a port that only lingers from its last use is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted or 0))
        except OSError as error:
            raise Mistake(
                f"metrics cannot be served on 127.0.0.1:{wanted}: {error.strerror}; "
                "name another port with --metrics-port, or leave the option out to get a free one"
            ) from None
        return int(probe.getsockname()[1])
