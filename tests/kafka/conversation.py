"""An orchestrator on the wire: it follows control, acknowledges what it is told, and keeps a run stepping."""

import asyncio
import contextlib
import json
import time
from types import TracebackType
from typing import Self

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from installation import Installation
from topic_log import Outgoing

from detectors.events import Command
from streams import codec


class Conversation:
    """Follows control from its beginning. Every command of a run in `obedient` is acknowledged as done."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.commands: list[Command] = []
        self._new = asyncio.Event()
        options = {"bootstrap_servers": installation.bootstrap}
        self._consumer = AIOKafkaConsumer(**options, enable_auto_commit=False, auto_offset_reset="earliest")
        self._producer = AIOKafkaProducer(**options, acks="all", enable_idempotence=True)
        self._following: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self._consumer.start()
        await self._producer.start()
        control = self.installation.topic("control")
        partitions = [TopicPartition(control, p) for p in range(self.installation.partitions)]
        self._consumer.assign(partitions)
        self._following = asyncio.create_task(self._follow())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._following is not None
        self._following.cancel()
        await self._consumer.stop()
        await self._producer.stop()

    async def _follow(self) -> None:
        async for record in self._consumer:
            if record.value is None:
                continue
            command = codec.decode_command(record.value)
            self.commands.append(command)
            ack = {
                "command_id": command.command_id,
                "run_id": command.run_id,
                "root_run_id": command.root_run_id,
                "attempt": command.attempt,
                "status": "done",
                "by": "the tests",
            }
            key = (command.root_run_id or command.run_id).encode()
            await self._producer.send_and_wait(
                self.installation.topic("acks"), key=key, value=json.dumps(ack).encode()
            )
            self._new.set()

    def of(self, run_id: str) -> list[str]:
        """The actions of a run's commands so far, in order, each command once."""
        seen = {c.command_id: c.action for c in self.commands if c.run_id == run_id}
        return list(seen.values())

    async def say(self, role: str, record: Outgoing) -> None:
        """One record stands on the topic."""
        await self._producer.send_and_wait(self.installation.topic(role), key=record.key, value=record.value)

    async def step_until(
        self, steps: list[Outgoing], run_id: str, action: str, *, timeout_s: float = 60.0
    ) -> int:
        """The run steps, one step at a time, until it is told `action`; how many steps that took.

        A little time passes after each step, so that feedback is acknowledged while the run still goes on.
        """
        until = time.monotonic() + timeout_s
        for taken, record in enumerate(steps, 1):
            await self.say("steps", record)
            self._new.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._new.wait(), 0.1)
            if action in self.of(run_id):
                return taken
            assert time.monotonic() < until, (
                f"{run_id} was told {self.of(run_id)}\n{self.installation.told()}"
            )
        return await self.wait_for(run_id, action, len(steps))

    async def wait_for(self, run_id: str, action: str, taken: int = 0, *, timeout_s: float = 20.0) -> int:
        """The run has been told `action`."""
        until = time.monotonic() + timeout_s
        while action not in self.of(run_id):
            assert time.monotonic() < until, (
                f"{run_id} was told {self.of(run_id)}\n{self.installation.told()}"
            )
            await asyncio.sleep(0.05)
        return taken
