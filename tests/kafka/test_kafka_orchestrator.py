"""An orchestrator that starts late, or again, learns what is true of every run."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from installation import Installation
from wire_steps import stuck, working

from detectors.events import Command
from stallwatch import AsyncControlSubscriber

pytestmark = pytest.mark.kafka
Install = Callable[..., Awaitable[Installation]]


def subscriber(installation: Installation) -> AsyncControlSubscriber:
    """One process's view of the control topic."""
    return AsyncControlSubscriber(installation.bootstrap, topic_prefix=installation.prefix)


async def test_one_that_starts_late_or_again_sees_the_halt(install: Install) -> None:
    installation = await install()
    worker = installation.worker().start().ready()
    await installation.write("steps", working("good", 20) + stuck("bad", 20))
    await installation.caught_up()
    worker.terminate()
    for _ in range(2):  # late, and then again after a restart
        async with subscriber(installation) as control:
            assert await control.wait_ready(30)
            assert control.is_halted("bad", 0)
            assert not control.is_halted("bad", 1)
            assert not control.is_halted("good", 0)


async def test_one_that_is_there_is_called_once_per_command_and_what_it_acknowledges_arrives(
    install: Install,
) -> None:
    installation = await install()
    worker = installation.worker().start().ready()
    called: list[Command] = []
    halted = asyncio.Event()
    async with subscriber(installation) as control:

        def obey(command: Command) -> None:
            called.append(command)
            assert control.acknowledge(command, "done", "stopped its process")
            if command.action == "halt":
                halted.set()

        control.on_command(obey)
        assert await control.wait_ready(30)
        await installation.write("steps", stuck("bad", 20))
        await asyncio.wait_for(halted.wait(), 30)
        assert control.is_halted("bad", 0)
        assert await control.flush(30)
    await installation.caught_up()
    assert len({c.command_id for c in called}) == len(called)
    assert {c.command_id for c in called} == (await installation.commands("bad")).keys()
    assert worker.metric("stallwatch_halts_unacknowledged") == 0
    assert worker.metric("stallwatch_halt_ack_duration_seconds_count") == 1
