"""The orchestrator's side: who must not go on, by the control topic.

    with ControlSubscriber("localhost:9092") as control:
        control.wait_ready(30)
        if control.is_halted("r-81", attempt=0):
            ...

`ControlSubscriber` reads in a thread of its own, `AsyncControlSubscriber` in the running event loop. Both
are in no consumer group: each process reads the whole compacted topic at its start and then stays at its
end.
"""

import contextlib
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from types import TracebackType
from typing import Any, Self

from detectors.events import Command
from stallwatch.clients.callbacks import Callback, CallThread, call_here
from stallwatch.clients.loop_thread import LoopThread
from stallwatch.clients.process_end import follow_process
from stallwatch.clients.subscribing import NotReadyError, Subscribing, WhenNotReady

__all__ = ["AsyncControlSubscriber", "ControlSubscriber", "NotReadyError", "WhenNotReady"]

EXIT_S = 2.0
"""What an interpreter that ends with an open subscriber waits at most for its last acknowledgements."""
STOP_S = 5.0
GRACE_S = 1.0
"""Between a coroutine's own timeout and giving up on the thread that runs it."""


class ControlSubscriber(Subscribing):
    """Reads from a daemon thread; every method may be called from any thread.

    After a fork the child's copy is not ready and stays so: make one in the child.
    """

    _thread: LoopThread | None = None
    _calls: CallThread | None = None

    def on_command(self, callback: Callback, *, existing: bool = True) -> None:
        """`callback(command)` is called once per command, ordered by (attempt, version) within a run.

        With `existing`, what the topic already holds is given first: the latest command of each run, once
        the topic has been read. Repeats of a command are not. Callbacks run one after the other in a thread
        of their own; what they raise is logged. If over 10,000 commands wait for them, of each run only the
        latest is kept.
        """
        self._in_loop(lambda: self._register(callback, existing))

    def wait_ready(self, timeout: float | None = None) -> bool:
        """Whether the control topic has been read within `timeout` seconds; None waits for ever."""
        return self.ready or (self._ask(self._waited_ready(timeout), timeout) and self.ready)

    def flush(self, timeout: float | None = None) -> bool:
        """Whether all acknowledgements so far were delivered in time; `timeout` None waits for ever."""
        return self._ask(self._flushed(timeout), timeout)

    def close(self, timeout: float = 5.0) -> bool:
        """Reading has ended; whether all acknowledgements were delivered in time. Safe to call twice.

        Callbacks that are waiting or going on may finish within `timeout`, and acknowledge.
        """
        if self._closed:
            return not self._acks.records
        inside = self._calls is not None and self._calls.current
        delivered = self._ask(self._flushed(timeout, callbacks=not inside), timeout)
        self._closed = True
        self._not_ready = "the subscriber is closed"
        self._ask(self._ended(), STOP_S)
        if self._calls is not None:
            self._calls.stop()
        if self._thread is not None:
            self._thread.stop(STOP_S)
        _opened.discard(self)
        return delivered

    def __enter__(self) -> Self:
        """The subscriber is open, and not ready yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closed, after at most 5 s for the last acknowledgements."""
        self.close()

    def _begin(self) -> None:
        self._thread = LoopThread("stallwatch-control")
        self._calls = CallThread("stallwatch-callbacks")
        self._thread.call(self._start_tasks)
        _opened.add(self)

    def _in_loop(self, function: Callable[[], object]) -> None:
        if self._thread is not None:
            self._thread.call(function)

    async def _call(self, callback: Callback, command: Command) -> None:
        assert self._calls is not None
        await self._calls.call(callback, command)

    async def _ended(self) -> bool:
        await self._end_tasks()
        return True

    def _ask(self, work: Coroutine[Any, Any, bool], timeout_s: float | None) -> bool:
        """What the coroutine gives; False if the loop has ended or does not answer in time."""
        if self._thread is None or self._thread.current:
            work.close()
            return False
        try:
            answer = self._thread.submit(work)
        except RuntimeError:
            return False
        try:
            return answer.result(None if timeout_s is None else timeout_s + GRACE_S)
        except (TimeoutError, CancelledError):
            answer.cancel()
            return False

    def _after_fork(self) -> None:
        _left_behind.append((self._thread, self._calls, self._tasks, self._tail))
        self._thread = self._calls = self._tail = None
        self._closed = True
        self._not_ready = "this process was forked from the one that reads: make a subscriber after the fork"


class AsyncControlSubscriber(Subscribing):
    """Reads in the event loop that it was started in (`async with`, or `await start()`).

    `is_halted`, `command`, `acknowledge` and `on_command` are ordinary functions, not to be awaited.
    """

    def on_command(self, callback: Callback, *, existing: bool = True) -> None:
        """As `ControlSubscriber.on_command`; the callback may also be an `async` function, which is awaited.

        Callbacks run in the event loop, so an ordinary one must not block. To be called in the loop's thread.
        """
        self._register(callback, existing)

    async def start(self) -> None:
        """Reading has begun. Safe to call twice."""
        if self._tail is None and not self._closed:
            self._start_tasks()

    async def wait_ready(self, timeout: float | None = None) -> bool:  # noqa: ASYNC109 - answers, never raises
        """Whether the control topic has been read within `timeout` seconds; None waits for ever."""
        await self.start()
        return self.ready or (not self._closed and await self._waited_ready(timeout))

    async def flush(self, timeout: float | None = None) -> bool:  # noqa: ASYNC109 - answers, never raises
        """Whether all acknowledgements so far were delivered in time; `timeout` None waits for ever."""
        return await self._flushed(timeout)

    async def close(self, timeout: float = 5.0) -> bool:  # noqa: ASYNC109 - answers, never raises
        """As `ControlSubscriber.close`."""
        if self._closed:
            return not self._acks.records
        try:
            return await self._flushed(timeout, callbacks=True)
        finally:
            self._closed = True
            self._not_ready = "the subscriber is closed"
            await self._end_tasks()

    async def __aenter__(self) -> Self:
        """Reading has begun; not ready yet."""
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closed, after at most 5 s for the last acknowledgements."""
        await self.close()

    def _begin(self) -> None:
        pass  # there may be no running loop yet

    def _in_loop(self, function: Callable[[], object]) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody will send this
                self._loop.call_soon_threadsafe(function)

    async def _call(self, callback: Callback, command: Command) -> None:
        await call_here(callback, command)


_opened: "weakref.WeakSet[ControlSubscriber]" = weakref.WeakSet()
_left_behind: list[object] = []

follow_process(_opened, EXIT_S)
