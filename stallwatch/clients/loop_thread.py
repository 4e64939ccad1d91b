"""An event loop in a thread of its own, for clients whose user has none, and what happens to it at the end."""

import asyncio
import atexit
import concurrent.futures.thread
import contextlib
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class LoopThread:
    """A daemon thread that runs an event loop until `stop`."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._main, name=name, daemon=True)
        self._thread.start()

    def call(self, function: Callable[[], object]) -> None:
        """`function` runs soon in the loop; not at all once the loop has ended."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(function)

    def submit(self, work: Coroutine[Any, Any, T]) -> "concurrent.futures.Future[T]":
        """The coroutine's result, as a future of threads. Raises `RuntimeError` once the loop has ended."""
        try:
            return asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:
            work.close()
            raise

    @property
    def current(self) -> bool:
        """Whether the caller is in this thread, where waiting for it would never end."""
        return threading.current_thread() is self._thread

    def stop(self, timeout_s: float) -> None:
        """All tasks are cancelled and the thread has ended, or `timeout_s` has passed."""
        self.call(self._loop.stop)
        if not self.current:
            self._thread.join(max(timeout_s, 0.0))

    def _main(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()


def before_exit(function: Callable[[], None]) -> None:
    """`function` runs when the interpreter ends, while threads and thread pools still work.

    A client that is still connecting looks up names in a thread pool; pools refuse work in ordinary exit
    hooks. Their own hook is registered when their module is loaded, above, and hooks of this kind run last
    in, first out.
    """
    register = getattr(threading, "_register_atexit", atexit.register)
    with contextlib.suppress(RuntimeError):  # the interpreter is ending already
        register(function)
