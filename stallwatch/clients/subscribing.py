"""What both subscribers share: answers, acknowledgements, and what is said before the topic was read."""

import asyncio
import logging
import socket
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from detectors.events import Ack, AckStatus, Command
from stallwatch.clients import wire_values
from stallwatch.clients.buffer import Buffer, Offered
from stallwatch.clients.callbacks import Callback, Callbacks
from stallwatch.clients.connection import connection
from stallwatch.clients.control_tail import ControlTail
from stallwatch.clients.delivery import Delivery
from stallwatch.clients.desired_state import DesiredStates, Read
from stallwatch.clients.transport import Transport
from streams.codec import encode, run_key
from streams.settings import Settings
from streams.topics import topic

log = logging.getLogger(__name__)

WhenNotReady = Literal["raise", "open", "closed"]
ACKS_RECORDS, ACKS_BYTES = 10_000, 8 * 1024 * 1024


class NotReadyError(RuntimeError):
    """The control topic has not been read yet, so nobody knows whether a run is halted."""


class Subscribing:
    """The part of a subscriber that answers. Its answers may be asked for from any thread."""

    def __init__(
        self,
        bootstrap_servers: str | Sequence[str] | None = None,
        *,
        when_not_ready: WhenNotReady = "raise",
        by: str | None = None,
        refresh_s: float = 30.0,
        topic_prefix: str | None = None,
        settings: Settings | None = None,
        kafka: Mapping[str, object] | None = None,
        transport: Transport | None = None,
    ) -> None:
        if when_not_ready not in get_args(WhenNotReady):
            raise ValueError(f"when_not_ready is {when_not_ready!r}: it must be 'raise', 'open' or 'closed'")
        if not refresh_s > 0:
            raise ValueError(f"refresh_s is {refresh_s!r}: it must be above 0 seconds")
        self._when_not_ready = when_not_ready
        self._by = wire_values.name(by) or socket.gethostname()
        self._refresh_s = refresh_s
        self._connection = connection(
            bootstrap_servers, settings=settings, topic_prefix=topic_prefix, kafka=kafka, transport=transport
        )
        self._states = DesiredStates()
        self._tail: ControlTail | None = None
        self._acks = Buffer(max_records=ACKS_RECORDS, max_bytes=ACKS_BYTES)
        self._acks_delivery: Delivery | None = None
        self._acks_dropped = 0
        self._early: list[tuple[Callback, bool]] = []
        """Callbacks that were registered before there was a loop."""
        self._callbacks: Callbacks | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._not_ready = (
            "the control topic has not been read yet: call wait_ready() first, or choose when_not_ready"
        )
        self._begin()

    @property
    def ready(self) -> bool:
        """Whether the control topic has been read from its beginning to where it ended at the start.

        Stays true through later losses of the connection: what was read holds until something newer is;
        `contact_age_s` tells how old it may be. False after `close`.
        """
        return not self._closed and self._tail is not None and self._tail.ready.is_set()

    @property
    def contact_age_s(self) -> float | None:
        """Seconds since the broker last told where the topic ends, asked every `refresh_s`; None: never."""
        tail, loop = self._tail, self._loop
        if tail is None or loop is None or tail.contact_at is None:
            return None
        return loop.time() - tail.contact_at

    def is_halted(self, run_id: str, attempt: int | None = None) -> bool:
        """Whether this attempt of the run must not go on. O(1), no waiting.

        True if it was halted and not released since, or if the control topic knows a higher attempt, which
        has taken its place. A halt of an attempt says nothing about later ones. Without `attempt`: the
        highest that is known. Before the topic has been read: `NotReadyError`, False
        (`when_not_ready="open"`) or True (`"closed"`).
        """
        if not self.ready:
            if self._when_not_ready == "raise":
                raise NotReadyError(self._not_ready)
            return self._when_not_ready == "closed"
        return self._states.is_halted(run_id, attempt)

    def command(self, run_id: str) -> Command | None:
        """The latest command of the run; None where nothing was ever asked of it, or it is over."""
        return self._states.command(run_id)

    def commands(self) -> list[Command]:
        """The latest command of every run: what there is to reconcile at a start. O(runs)."""
        return self._states.commands()

    @property
    def reads(self) -> Mapping[Read, int]:
        """Records read: `applied`, `superseded` (repeats, older ones), `tombstone`, `malformed` (skipped)."""
        return self._states.reads

    def acknowledge(self, command: Command, status: AckStatus, detail: str | None = None) -> bool:
        """What became of a command is on its way to the acks topic, sent until it is through; no waiting.

        `accepted`: understood, being done; `done`: so it is now; `refused`: it will not be done; `failed`:
        it could not be. False: closed, or 10,000 others wait already; then it is lost. Raises `ValueError`
        for another status.
        """
        if status not in get_args(AckStatus):
            raise ValueError(f"status is {status!r}: it must be one of {', '.join(get_args(AckStatus))}")
        ack = Ack(
            command_id=command.command_id,
            run_id=command.run_id,
            root_run_id=command.root_run_id,
            attempt=command.attempt,
            status=status,
            by=self._by,
            at=time.time(),
            detail=wire_values.text(detail, 2000),
        )
        offered = Offered.FULL if self._closed else self._acks.offer(run_key(ack), encode(ack))
        if offered is Offered.FULL:
            self._acks_dropped += 1
            log.error(
                "the acknowledgement of command %s of run %s is lost", command.command_id, command.run_id
            )
            return False
        if offered is Offered.FIRST:
            self._in_loop(self._wake_acks)
        return True

    @property
    def acks_dropped(self) -> int:
        """Acknowledgements that did not and will not arrive."""
        return self._acks_dropped

    def _begin(self) -> None:
        """The subscriber has been made."""
        raise NotImplementedError

    def _in_loop(self, function: Any) -> None:
        """`function` runs in the loop's thread."""
        raise NotImplementedError

    async def _call(self, callback: Callback, command: Command) -> None:
        raise NotImplementedError

    def _register(self, callback: Callback, existing: bool) -> None:
        if self._callbacks is None:
            self._early.append((callback, existing))
        else:
            known = self._states.commands() if self.ready else []
            self._callbacks.add(callback, existing=existing, known=known)

    def _start_tasks(self) -> None:
        """Reading and calling have begun. In the loop's thread."""
        self._loop = asyncio.get_running_loop()
        self._callbacks = callbacks = Callbacks(self._call)
        for callback, existing in self._early:
            callbacks.add(callback, existing=existing)
        name = topic(self._connection.topic_prefix, "control")
        self._tail = ControlTail(
            lambda: self._connection.transport.source(name, refresh_s=self._refresh_s),
            self._states,
            refresh_s=self._refresh_s,
            on_command=callbacks.give,
            on_ready=lambda: callbacks.start(self._states.commands()),
        )
        self._spawn(self._tail.run(), "stallwatch-control")
        self._spawn(callbacks.run(), "stallwatch-callbacks")
        if self._acks.records:
            self._wake_acks()

    def _wake_acks(self) -> None:
        if self._acks_delivery is None:
            self._acks_delivery = Delivery(
                self._acks,
                self._connection.transport.sender(),
                topic(self._connection.topic_prefix, "acks"),
                on_rejected=self._count_rejected,
            )
            self._spawn(self._acks_delivery.run(), "stallwatch-acks")
        self._acks_delivery.wake()

    def _count_rejected(self, count: int) -> None:
        self._acks_dropped += count

    def _spawn(self, work: Any, name: str) -> None:
        self._tasks.append(asyncio.create_task(work, name=name))

    async def _flushed(self, timeout_s: float | None, *, callbacks: bool = False) -> bool:
        """Whether all acknowledgements so far were delivered in time; with `callbacks`, theirs as well."""
        try:
            async with asyncio.timeout(timeout_s):
                if callbacks and self._callbacks is not None:
                    await self._callbacks.idle()
                end = self._acks.end
                if self._acks.settled_before(end):
                    return True
                self._wake_acks()
                assert self._acks_delivery is not None
                await self._acks_delivery.drained(end)
        except TimeoutError:
            return False
        return True

    async def _waited_ready(self, timeout_s: float | None) -> bool:
        assert self._tail is not None
        try:
            async with asyncio.timeout(timeout_s):
                await self._tail.ready.wait()
        except TimeoutError:
            return False
        return True

    async def _end_tasks(self) -> None:
        """Reading, calling and sending have ended; acknowledgements that still waited count as dropped."""
        current = asyncio.current_task()
        others = [task for task in self._tasks if task is not current]
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others)
        self._acks_dropped += self._acks.abandon()
        if current in self._tasks:  # closed from a callback
            current.cancel()
        self._tasks.clear()
