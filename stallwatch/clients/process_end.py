"""What open clients do when their process ends or forks, registered once for each kind of them."""

import os
import time
import weakref
from typing import Protocol, TypeVar

from stallwatch.clients.loop_thread import before_exit


class OpenClient(Protocol):
    """A client with a thread of its own."""

    def close(self, timeout: float) -> object:
        """It has ended, within `timeout` seconds."""
        ...

    def _after_fork(self) -> None:
        """In the child: nothing of the parent's thread and connections is used again."""
        ...


Client = TypeVar("Client", bound=OpenClient)


def follow_process(opened: "weakref.WeakSet[Client]", exit_s: float) -> None:
    """All of `opened` are closed at the interpreter's end, within `exit_s` seconds; a forked child starts them anew."""

    def at_exit() -> None:
        deadline = time.monotonic() + exit_s
        for client in list(opened):
            client.close(max(deadline - time.monotonic(), 0.0))

    def after_fork() -> None:
        for client in list(opened):
            client._after_fork()  # noqa: SLF001 - of the same package, and nobody else's to call

    before_exit(at_exit)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=after_fork)
