"""Callbacks hear each command once, in order, and disturb neither each other nor the reading."""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from detectors.events import Command
from stallwatch.clients import callbacks as module
from stallwatch.clients.callbacks import Callbacks, CallThread, call_here


def command(run_id: str, version: int) -> Command:
    return Command(command_id=f"{run_id}-{version}", run_id=run_id, action="notice", version=version)


@asynccontextmanager
async def running(callbacks: Callbacks) -> AsyncIterator[None]:
    task = asyncio.create_task(callbacks.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def test_each_callback_hears_each_command_in_the_order_of_its_run() -> None:
    done = asyncio.Event()
    one: list[str] = []
    two: list[str] = []

    async def slowly(given: Command) -> None:
        await asyncio.sleep(0)
        two.append(given.command_id)
        if len(one) == len(two) == 4:
            done.set()

    callbacks = Callbacks(call_here)
    callbacks.add(lambda given: one.append(given.command_id), existing=True)
    callbacks.add(slowly, existing=True)
    for given in (command("a", 1), command("b", 1), command("a", 2), command("b", 2)):
        callbacks.give(given)
    async with running(callbacks):
        await done.wait()
    for heard in (one, two):
        assert [c for c in heard if c.startswith("a")] == ["a-1", "a-2"]
        assert [c for c in heard if c.startswith("b")] == ["b-1", "b-2"]


async def test_what_a_callback_raises_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    def failing(given: Command) -> None:
        raise OSError("cannot kill")

    callbacks = Callbacks(call_here)
    callbacks.add(failing, existing=True)
    callbacks.add(lambda given: heard.put_nowait(given.command_id), existing=True)
    async with running(callbacks):
        callbacks.give(command("a", 1))
        callbacks.give(command("b", 1))
        assert {await heard.get(), await heard.get()} == {"a-1", "b-1"}
    assert "a callback failed on command a-1 of run a" in caplog.text


async def test_existing_commands_are_a_choice() -> None:
    heard: list[tuple[str, str]] = []
    last = asyncio.Event()
    callbacks = Callbacks(call_here)
    callbacks.add(lambda given: heard.append(("with", given.command_id)), existing=True)
    callbacks.add(lambda given: heard.append(("without", given.command_id)), existing=False)
    callbacks.start([command("a", 1)])
    callbacks.add(
        lambda given: heard.append(("late", given.command_id)), existing=True, known=[command("a", 1)]
    )
    callbacks.add(lambda given: last.set() if given.run_id == "b" else None, existing=False)
    callbacks.give(command("b", 1))
    async with running(callbacks):
        await last.wait()
    assert sorted(heard) == [
        ("late", "a-1"),
        ("late", "b-1"),
        ("with", "a-1"),
        ("with", "b-1"),
        ("without", "b-1"),
    ]


async def test_more_than_can_wait_leaves_the_latest_of_each_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_WAITING", 10)
    heard: list[str] = []
    last = asyncio.Event()

    def hear(given: Command) -> None:
        heard.append(given.command_id)
        if given.run_id == "z":
            last.set()

    callbacks = Callbacks(call_here)
    callbacks.add(hear, existing=True)
    for version in range(500):
        callbacks.give(command("a", version))
    callbacks.give(command("z", 1))
    async with running(callbacks):
        await last.wait()
    assert heard[-2:] == ["a-499", "z-1"]
    assert len(heard) <= 12


async def test_the_call_thread_calls_elsewhere_and_gives_back_what_happened() -> None:
    thread = CallThread("calls")
    where: list[int] = []
    await thread.call(lambda given: where.append(threading.get_ident()), command("a", 1))
    assert where[0] != threading.get_ident()

    def failing(given: Command) -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        await thread.call(failing, command("a", 1))
    with pytest.raises(RuntimeError, match="SystemExit"):
        await thread.call(lambda given: sys.exit(3), command("a", 1))
    await thread.call(lambda given: None, command("a", 2))  # it is still there
    thread.stop()
