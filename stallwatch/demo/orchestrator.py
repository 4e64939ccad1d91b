"""Obeys the control topic: shows what is to be shown, stops what is to be stopped, and says what became of it."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Protocol

from detectors.events import AckStatus, Command
from stallwatch.demo.fleet import AgentProcess, HowStopped

log = logging.getLogger(__name__)


class Acknowledger(Protocol):
    """The part of a subscriber that tells stallwatch what was done."""

    def acknowledge(self, command: Command, status: AckStatus, detail: str | None = None) -> bool:
        """The acknowledgement is on its way."""


class Orchestrator:
    """Owns the processes and so is the one that can stop them. Lives in one event loop."""

    def __init__(
        self,
        agents: Mapping[str, AgentProcess],
        control: Acknowledger,
        *,
        on_stopped: Callable[[Command, HowStopped], None] = lambda command, how: None,
    ) -> None:
        self._agents = agents
        self._control = control
        self._on_stopped = on_stopped
        self._shown: dict[str, Command] = {}
        """Commands that an agent was given to read and has not read yet."""
        self._stops: dict[str, asyncio.Task[None]] = {}

    def concerns(self, command: Command) -> bool:
        """Whether the command is about a run of ours, in the life that it now has.

        One about another's run is another's to answer; one about an earlier attempt has nothing left to do.
        """
        agent = self._agents.get(command.run_id)
        return agent is not None and agent.attempt == command.attempt

    def obey(self, command: Command) -> None:
        """What the command wants is done, or on its way. Nothing happens if it does not concern us."""
        if not self.concerns(command):
            return
        agent = self._agents[command.run_id]
        if command.action in ("notice", "replan"):
            self._shown[command.command_id] = command
            agent.show(command.command_id, command.text.model if command.text is not None else "")
        elif command.action == "ask":
            self._control.acknowledge(command, "accepted", "nobody is here to answer")
        elif command.action == "halt":
            if command.run_id not in self._stops:
                self._control.acknowledge(command, "accepted")
                self._stops[command.run_id] = asyncio.create_task(self._stop(agent, command))
        else:
            self._control.acknowledge(command, "done")

    def shown(self, command_id: str) -> None:
        """The agent has read what it was given: only now the feedback counts as delivered."""
        command = self._shown.pop(command_id, None)
        if command is not None:
            self._control.acknowledge(command, "done", "shown to the model")

    async def settled(self) -> None:
        """Every stop that was begun is over."""
        while pending := [task for task in self._stops.values() if not task.done()]:
            await asyncio.wait(pending)

    async def _stop(self, agent: AgentProcess, command: Command) -> None:
        try:
            how = await agent.stop(immediate=command.mode == "immediate")
        except Exception as error:
            log.exception("run %s could not be stopped", command.run_id)
            self._control.acknowledge(command, "failed", str(error))
            return
        self._on_stopped(command, how)
        self._control.acknowledge(command, "done", f"the process ended {how}")
