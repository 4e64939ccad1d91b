"""The agents' processes: started, led over their standard input, and stopped as firmly as they make it necessary."""

import asyncio
import contextlib
import logging
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from stallwatch.demo.agents.behaviour import Behaviour
from stallwatch.demo.messages import FromAgent, Show, Stop, ToAgent, line, read_by_host
from stallwatch.demo.scratch import copy_project

log = logging.getLogger(__name__)

HowStopped = Literal["when told", "by SIGTERM", "by SIGKILL"]


@dataclass(frozen=True, slots=True)
class Grace:
    """How long a process gets at each stage of a stop, in seconds."""

    told_s: float = 4.0
    terminated_s: float = 3.0


class AgentProcess:
    """One agent's process and its host's end of the line."""

    def __init__(
        self,
        run_id: str,
        process: Process,
        on_message: Callable[[str, FromAgent], None],
        *,
        log: Path,
        attempt: int = 0,
    ) -> None:
        self.run_id = run_id
        self.attempt = attempt
        self.log = log
        """Where its standard error goes."""
        self._process = process
        self._on_message = on_message
        self._reading = asyncio.create_task(self._read(), name=f"agent {run_id}")

    @property
    def pid(self) -> int:
        """Process id, which is also the id of its process group."""
        return self._process.pid

    def show(self, command_id: str, text: str) -> None:
        """The agent will have the text before it at its next turn, and says so; nothing happens if it has ended."""
        self._tell(Show(command_id=command_id, text=text))

    async def stop(self, grace: Grace | None = None, *, immediate: bool = False) -> HowStopped:
        """The process has ended: told so, else by SIGTERM, else by SIGKILL to its whole group.

        `immediate` leaves out the telling.
        """
        grace = grace or Grace()
        if not immediate:
            self._tell(Stop())
            if await self._ended(grace.told_s):
                return "when told"
        self._signal(signal.SIGTERM)
        if await self._ended(grace.terminated_s):
            return "by SIGTERM"
        self._signal(signal.SIGKILL)
        await self.wait()
        return "by SIGKILL"

    async def wait(self) -> int:
        """The process has ended and everything it said was heard; its exit code, negative for a signal."""
        code = await self._process.wait()
        # Not cancelled with the one who waits: a stop must go on.
        await asyncio.wait([self._reading])
        return code

    async def _read(self) -> None:
        """Everything the agent says is heard until it has ended. Raises nothing: nobody would look at it."""
        assert self._process.stdout is not None
        try:
            async for data in self._process.stdout:
                self._hear(data)
        except Exception:
            log.exception("agent %s is not heard any more", self.run_id)

    def _hear(self, data: bytes) -> None:
        try:
            message = read_by_host(data)
        except msgspec.DecodeError:
            return
        try:
            self._on_message(self.run_id, message)
        except Exception:
            # The next one is heard all the same: an agent whose pipe is full would stand still.
            log.exception("what agent %s said could not be dealt with", self.run_id)

    async def _ended(self, within_s: float) -> bool:
        try:
            async with asyncio.timeout(within_s):
                await self.wait()
        except TimeoutError:
            return False
        return True

    def _tell(self, message: ToAgent) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, RuntimeError):
            self._process.stdin.write(line(message))

    def _signal(self, number: signal.Signals) -> None:
        # Not reaped yet, so that the group's id cannot have gone to others.
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)


async def launch(
    behaviour: Behaviour,
    *,
    folder: Path,
    environment: Mapping[str, str],
    on_message: Callable[[str, FromAgent], None],
    attempt: int = 0,
) -> AgentProcess:
    """The agent lives, in a process of its own, on a fresh copy of the scratch project; its run id is its name.

    `environment`: the process's, with the settings of the broker that it publishes to.
    """
    run_id = behaviour.name
    project, log = folder / run_id, folder / f"{run_id}.log"
    copy_project(project)
    command = [
        *(sys.executable, "-m", "stallwatch.demo.agent", behaviour.name),
        *("--run-id", run_id),
        *("--attempt", str(attempt)),
        *("--folder", str(project)),
    ]
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=PIPE,
            stdout=PIPE,
            stderr=errors,
            env=dict(environment),
            # A group of its own: an interrupt at the terminal is for the demo, which then stops its agents in order.
            start_new_session=True,
        )
    return AgentProcess(run_id, process, on_message, log=log, attempt=attempt)
