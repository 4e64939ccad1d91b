"""What both publishers share: runs, numbering, the bounded buffer, and the count of what was dropped."""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Literal, Unpack

from detectors.events import AgentEvent, HostEvent, Limits
from detectors.rules import Rules
from stallwatch.clients import wire_values
from stallwatch.clients.buffer import Buffer, Offered
from stallwatch.clients.connection import connection
from stallwatch.clients.delivery import Delivery
from stallwatch.clients.edge import Edge, EdgeLimits
from stallwatch.clients.run_handle import RunHandle, RunOutcome
from stallwatch.clients.step_fields import StepFields
from stallwatch.clients.transport import Transport
from streams.codec import encode
from streams.settings import Settings
from streams.topics import topic

log = logging.getLogger(__name__)

DropReason = Literal["buffer_full", "rejected", "unencodable", "closed", "undelivered"]
DROP_REASONS: tuple[DropReason, ...] = ("buffer_full", "rejected", "unencodable", "closed", "undelivered")
MAX_RUNS = 10_000


class Publishing:
    """The part of a publisher that has no event loop. Thread-safe."""

    def __init__(
        self,
        bootstrap_servers: str | Sequence[str] | None = None,
        *,
        run_id: str | None = None,
        task: str | None = None,
        attempt: int | None = None,
        agent: str | None = None,
        tenant: str | None = None,
        parent_run_id: str | None = None,
        root_run_id: str | None = None,
        limits: Limits | None = None,
        content: bool = True,
        edge_limits: EdgeLimits | None = None,
        rules: Rules | None = None,
        buffer_records: int = 10_000,
        buffer_bytes: int = 32 * 1024 * 1024,
        topic_prefix: str | None = None,
        settings: Settings | None = None,
        kafka: Mapping[str, object] | None = None,
        transport: Transport | None = None,
    ) -> None:
        self.edge = Edge(content=content, limits=edge_limits or EdgeLimits(), rules=rules)
        self._buffer_bounds = (buffer_records, buffer_bytes)
        self._connection = connection(
            bootstrap_servers, settings=settings, topic_prefix=topic_prefix, kafka=kafka, transport=transport
        )
        self._runs: OrderedDict[str, RunHandle] = OrderedDict()
        self._last_attempt = -1
        self._closed = False
        self._full = False
        self._fresh_start()
        self._default = (
            self.run(
                run_id,
                task=task,
                attempt=attempt,
                agent=agent,
                tenant=tenant,
                parent_run_id=parent_run_id,
                root_run_id=root_run_id,
                limits=limits,
            )
            if run_id is not None
            else None
        )
        self._open()

    def _fresh_start(self) -> None:
        """Empty buffer, new lock, counts at zero: at the beginning, and in the child of a fork."""
        # Reentrant: an agent's signal handler may record something while the agent does.
        self._lock = threading.RLock()
        self._buffer = Buffer(max_records=self._buffer_bounds[0], max_bytes=self._buffer_bounds[1])
        self._drops: dict[DropReason, int] = dict.fromkeys(DROP_REASONS, 0)
        self._delivery: Delivery | None = None

    def run(
        self,
        run_id: str,
        *,
        task: str | None = None,
        attempt: int | None = None,
        agent: str | None = None,
        tenant: str | None = None,
        parent_run_id: str | None = None,
        root_run_id: str | None = None,
        limits: Limits | None = None,
        first_seq: int = 0,
    ) -> RunHandle:
        """The handle of a run: the open one of this id, or a new one.

        `attempt=None` takes the time in milliseconds, so that a process that crashed and came back never
        uses a number twice. A run that has ended, or another `attempt`, gets a new handle. The 10,000
        handles used last are remembered. `first_seq`: for a process that goes on with an `attempt` of an
        earlier one's. Raises `ValueError` for an id that is empty or over 512 characters.
        """
        run_id = wire_values.identifier("run_id", run_id)
        with self._lock:
            known = self._runs.get(run_id)
            if known is not None and not known.ended and attempt in (None, known.attempt):
                self._runs.move_to_end(run_id)
                return known
            if attempt is None:
                attempt = self._last_attempt = max(int(time.time() * 1000), self._last_attempt + 1)
            elif wire_values.count(attempt) is None:
                raise ValueError(
                    f"attempt is {attempt!r}: it must be a whole number from 0 to 2**53, or None"
                )
            handle = RunHandle(
                self,
                run_id,
                attempt=attempt,
                task=task,
                agent=agent,
                tenant=tenant,
                parent_run_id=parent_run_id,
                root_run_id=root_run_id,
                limits=limits,
                first_seq=first_seq,
            )
            self._runs[run_id] = handle
            self._runs.move_to_end(run_id)
            while len(self._runs) > MAX_RUNS:
                self._runs.popitem(last=False)
            return handle

    def step(self, *, tool: str, **fields: Unpack[StepFields]) -> int:
        """`RunHandle.step` of the publisher's own run."""
        return self._own().step(tool=tool, **fields)

    def run_started(self, *, limits: Limits | None = None) -> int:
        """`RunHandle.run_started` of the publisher's own run."""
        return self._own().run_started(limits=limits)

    def run_ended(self, outcome: RunOutcome, *, claim: str | None = None) -> int:
        """`RunHandle.run_ended` of the publisher's own run."""
        return self._own().run_ended(outcome, claim=claim)

    def compaction(self, *, lost: Sequence[str] | None = None) -> int:
        """`RunHandle.compaction` of the publisher's own run."""
        return self._own().compaction(lost=lost)

    def user_input(self, text: str | None = None) -> int:
        """`RunHandle.user_input` of the publisher's own run."""
        return self._own().user_input(text)

    def milestone(
        self,
        id: str,  # noqa: A002 - the field's name on the wire
        *,
        evidence: str | None = None,
        at_seq: int | None = None,
    ) -> str:
        """`RunHandle.milestone` of the publisher's own run."""
        return self._own().milestone(id, evidence=evidence, at_seq=at_seq)

    def score(self, value: float | None, *, oracle: str | None = None, at_seq: int | None = None) -> str:
        """`RunHandle.score` of the publisher's own run."""
        return self._own().score(value, oracle=oracle, at_seq=at_seq)

    def _own(self) -> RunHandle:
        if self._default is None:
            raise TypeError(
                "this publisher was made without run_id: use publisher.run(run_id) and its methods"
            )
        return self._default

    @property
    def dropped(self) -> dict[DropReason, int]:
        """Events that did not and will not arrive, by reason.

        `buffer_full`: the broker was away or slow for too long; `rejected`: by the broker; `unencodable`: a
        defect; `closed`: they came after `close`; `undelivered`: they still waited when `close` ran out of
        time.
        """
        with self._lock:
            return dict(self._drops)

    @property
    def delivered(self) -> int:
        """Events that the broker has acknowledged."""
        return self._delivery.delivered if self._delivery is not None else 0

    @property
    def waiting(self) -> int:
        """Events that are on their way."""
        return self._buffer.records

    @property
    def waiting_bytes(self) -> int:
        """Bytes of the events that are on their way; never above `buffer_bytes`."""
        return self._buffer.size_bytes

    def publish_numbered(self, run: RunHandle, event: AgentEvent) -> int:
        """See `EventSink`."""
        with self._lock:
            event.seq = seq = run.next_seq
            run.next_seq = seq + 1
            self._offer(run.key, event)
            if run.ended and self._runs.get(run.run_id) is run:
                del self._runs[run.run_id]
        return seq

    def publish_unnumbered(self, run: RunHandle, event: HostEvent) -> None:
        """See `EventSink`."""
        with self._lock:
            self._offer(run.key, event)

    def _offer(self, key: bytes, event: AgentEvent | HostEvent) -> None:
        """Encoded and buffered, or counted. Under the lock, so that the order is that of the numbers."""
        if self._closed:
            self._drops["closed"] += 1
            return
        try:
            value = encode(event)
        except Exception:
            self._drops["unencodable"] += 1
            log.exception("an event of run %s could not be encoded", run_id_of(event))
            return
        offered = self._buffer.offer(key, value)
        if offered is Offered.FULL:
            self._drops["buffer_full"] += 1
            if not self._full:
                self._full = True
                log.warning(
                    "buffer full (%d events, %d bytes): new events are dropped until the broker takes some",
                    self._buffer.records,
                    self._buffer.size_bytes,
                )
            return
        self._full = False
        if offered is Offered.FIRST:
            self._wake()

    def _open(self) -> None:
        """The publisher has been made."""
        raise NotImplementedError

    def _wake(self) -> None:
        """The delivery looks into the buffer soon. Any thread."""
        raise NotImplementedError

    def _count_rejected(self, count: int) -> None:
        with self._lock:
            self._drops["rejected"] += count

    def _shut(self) -> None:
        """No event is taken in any more."""
        with self._lock:
            self._closed = True

    def _abandon(self) -> None:
        """What is still waiting counts as undelivered."""
        left = self._buffer.abandon()
        if left:
            with self._lock:
                self._drops["undelivered"] += left
            log.warning("%d events were not delivered before the publisher closed", left)

    def _new_delivery(self) -> Delivery:
        return Delivery(
            self._buffer,
            self._connection.transport.sender(),
            topic(self._connection.topic_prefix, "steps"),
            on_rejected=self._count_rejected,
        )


def run_id_of(event: AgentEvent | HostEvent) -> str:
    """The run that an event is about."""
    return event.run_id
