"""Commands to callbacks: one after the other, in order, without holding up the reading."""

import asyncio
import logging
import queue
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import NamedTuple

from detectors.events import Command

log = logging.getLogger(__name__)

Callback = Callable[[Command], object]
MAX_WAITING = 10_000
"""Commands that wait for callbacks; beyond it only the latest of each run is kept: the one that counts."""


class _Registered(NamedTuple):
    callback: Callback
    existing: bool


class Callbacks:
    """Every command that it is given goes to every callback once, in order per run. For one event loop."""

    def __init__(self, call: Callable[[Callback, Command], Awaitable[None]]) -> None:
        self._call = call
        self._registered: list[_Registered] = []
        self._waiting: dict[tuple[int, str], deque[Command]] = {}
        """(callback, run) → its commands."""
        self._count = 0
        self._some = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._task: asyncio.Task[object] | None = None

    def add(self, callback: Callback, *, existing: bool, known: Iterable[Command] = ()) -> None:
        """The callback hears every command from now on, and before it the `known` ones if `existing`."""
        self._registered.append(_Registered(callback, existing))
        if existing:
            for command in known:
                self._put(len(self._registered) - 1, command)

    def start(self, known: Iterable[Command]) -> None:
        """What the topic held at the beginning is given to those who want it."""
        for command in known:
            for number, registered in enumerate(self._registered):
                if registered.existing:
                    self._put(number, command)

    def give(self, command: Command) -> None:
        """A new command."""
        for number in range(len(self._registered)):
            self._put(number, command)

    async def run(self) -> None:
        """Calls until cancelled. What a callback raises is logged, and the next one is called."""
        self._task = asyncio.current_task()
        while True:
            await self._some.wait()
            while self._waiting:
                (number, run_id), commands = next(iter(self._waiting.items()))
                del self._waiting[number, run_id]
                self._count -= len(commands)
                for command in commands:
                    await self._call_one(self._registered[number].callback, command)
            self._some.clear()
            self._idle.set()

    async def idle(self) -> None:
        """No call is waiting or going on. At once for a callback itself, which would wait for its own end."""
        if asyncio.current_task() is not self._task:
            await self._idle.wait()

    async def _call_one(self, callback: Callback, command: Command) -> None:
        try:
            await self._call(callback, command)
        except Exception:
            log.exception("a callback failed on command %s of run %s", command.command_id, command.run_id)

    def _put(self, number: int, command: Command) -> None:
        commands = self._waiting.setdefault((number, command.run_id), deque())
        if self._count >= MAX_WAITING:
            self._count -= len(commands)
            commands.clear()
        commands.append(command)
        self._count += 1
        self._idle.clear()
        self._some.set()


class CallThread:
    """A daemon thread in which callbacks run, so that a slow one delays neither reading nor `is_halted`."""

    def __init__(self, name: str) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._main, name=name, daemon=True)
        self._thread.start()

    async def call(self, callback: Callback, command: Command) -> None:
        """The callback has returned. Raises what it raises."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()

        def finish(error: BaseException | None) -> None:
            if done.done():
                return
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)

        def job() -> None:
            failed: BaseException | None = None
            try:
                callback(command)
            except Exception as error:  # noqa: BLE001 - handed to the one who asked for the call
                failed = error
            except BaseException as error:  # noqa: BLE001 - `sys.exit()` must not end this thread
                failed = RuntimeError(f"the callback raised {type(error).__name__}")
            if not loop.is_closed():
                loop.call_soon_threadsafe(finish, failed)

        self._jobs.put(job)
        await done

    @property
    def current(self) -> bool:
        """Whether the caller is in this thread: in a callback."""
        return threading.current_thread() is self._thread

    def stop(self) -> None:
        """The thread ends after the call it is in, which is not waited for: it may take any time."""
        self._jobs.put(None)

    def _main(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()


async def call_here(callback: Callback, command: Command) -> None:
    """The callback has returned, or the awaitable that it returned is done. Raises what it raises."""
    result = callback(command)
    if isinstance(result, Awaitable):
        await result
