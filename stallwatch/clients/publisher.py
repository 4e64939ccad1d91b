"""The fleet's side: publishers of step events that neither block nor break the agent.

    with StepPublisher("localhost:9092", run_id="r-81", task="fix-login") as publisher:
        publisher.step(tool="bash", args={"command": "pytest -q"}, result="3 failed", exit_code=1)

`StepPublisher` sends from a thread of its own, `AsyncStepPublisher` from the running event loop; the methods
that record something are the same ordinary functions in both. An event is encoded at once and put into a
bounded buffer; where that is full, because the broker is away or slow for too long, the newest event is
dropped, counted in `dropped`, and its `seq` stays unused, so that the detection knows of the gap.
"""

import asyncio
import concurrent.futures
import contextlib
import weakref
from types import TracebackType
from typing import Self

from stallwatch.clients.loop_thread import LoopThread
from stallwatch.clients.process_end import follow_process
from stallwatch.clients.publishing import DROP_REASONS, DropReason, Publishing
from stallwatch.clients.run_handle import RunHandle, RunOutcome
from stallwatch.clients.step_fields import StepFields

__all__ = [
    "DROP_REASONS",
    "AsyncStepPublisher",
    "DropReason",
    "RunHandle",
    "RunOutcome",
    "StepFields",
    "StepPublisher",
]

EXIT_S = 2.0
"""What an interpreter that ends with an open publisher waits at most for its last events."""
STOP_S = 5.0


class StepPublisher(Publishing):
    """Publishes from a daemon thread; every method may be called from any thread.

    After a fork the child begins with an empty buffer and a connection of its own. It must not go on with a
    run of its parent's (both would give the same numbers): give it a run of its own, or make the publisher
    after the fork.
    """

    _thread: LoopThread | None = None

    def flush(self, timeout: float | None = None) -> bool:
        """Whether all events so far were delivered (or given up) in time; `timeout` None waits for ever."""
        thread, delivery = self._thread, self._delivery
        if thread is None or delivery is None or self._buffer.settled_before(self._buffer.end):
            return not self._buffer.records
        try:
            done = thread.submit(delivery.drained(self._buffer.end))
        except RuntimeError:
            return False
        try:
            done.result(timeout)
        except (TimeoutError, concurrent.futures.CancelledError):
            done.cancel()
            return False
        return True

    def close(self, timeout: float = 5.0) -> bool:
        """No event is taken any more; whether all were delivered in time. Safe to call twice."""
        self._shut()
        delivered = self.flush(timeout)
        self._abandon()
        _opened.discard(self)
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.stop(STOP_S)
        return delivered

    def __enter__(self) -> Self:
        """The publisher is open."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closed, after at most 5 s for the last events."""
        self.close()

    def _open(self) -> None:
        _opened.add(self)
        self._start()

    def _start(self) -> None:
        self._delivery = self._new_delivery()
        self._thread = LoopThread("stallwatch-publisher")
        self._thread.submit(self._delivery.run())

    def _wake(self) -> None:
        if self._thread is None:  # the first event in the child of a fork
            self._start()
        assert self._thread is not None
        assert self._delivery is not None
        self._thread.call(self._delivery.wake)

    def _after_fork(self) -> None:
        # The parent's thread and connection do not exist here; collecting what is left of them would
        # complain.
        _left_behind.append((self._thread, self._delivery))
        self._thread = None
        self._fresh_start()


class AsyncStepPublisher(Publishing):
    """Publishes from the event loop that it was started in (`async with`, or `await start()`).

    `step` and its like are ordinary functions, not to be awaited, and may be called from any thread; what is
    recorded before the start waits in the buffer.
    """

    _loop: asyncio.AbstractEventLoop | None = None
    _task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Sending has begun; connecting goes on in the background. Safe to call twice."""
        if self._task is None and not self._closed:
            self._loop = asyncio.get_running_loop()
            self._delivery = self._new_delivery()
            self._delivery.wake()
            self._task = asyncio.create_task(self._delivery.run(), name="stallwatch-publisher")

    async def flush(self, timeout: float | None = None) -> bool:  # noqa: ASYNC109 - answers, never raises
        """Whether all events so far were delivered (or given up) in time; `timeout` None waits for ever."""
        if self._delivery is None:
            return not self._buffer.records
        try:
            async with asyncio.timeout(timeout):
                await self._delivery.drained(self._buffer.end)
        except TimeoutError:
            return False
        return True

    async def close(self, timeout: float = 5.0) -> bool:  # noqa: ASYNC109 - answers, never raises
        """No event is taken any more; whether all were delivered in time. Safe to call twice."""
        self._shut()
        try:
            return await self.flush(timeout)
        finally:
            self._abandon()
            task, self._task = self._task, None
            if task is not None:
                task.cancel()
                await asyncio.wait([task])

    async def __aenter__(self) -> Self:
        """Sending has begun."""
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closed, after at most 5 s for the last events."""
        await self.close()

    def _open(self) -> None:
        pass  # there may be no running loop yet

    def _wake(self) -> None:
        if self._delivery is not None and self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody will send this
                self._loop.call_soon_threadsafe(self._delivery.wake)


_opened: "weakref.WeakSet[StepPublisher]" = weakref.WeakSet()
_left_behind: list[object] = []

follow_process(_opened, EXIT_S)
