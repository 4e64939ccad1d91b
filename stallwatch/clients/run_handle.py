"""One run's pen: numbers what the agent does and hands it to the publisher."""

import time
import uuid
from collections.abc import Callable, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, Protocol, Self

import msgspec

from detectors.events import (
    AgentEvent,
    Compaction,
    HostEvent,
    Limits,
    Milestone,
    RunEnded,
    RunStarted,
    Score,
    Step,
    UserInput,
)
from detectors.feature_types import Features
from stallwatch.clients import wire_values
from stallwatch.clients.edge import Edge
from streams.codec import BadRecord
from streams.number_bounds import check_numbers

MAX_LOST = 4096
"""Digests that one compaction may name."""
RunOutcome = Literal["completed", "failed", "cancelled"]


class EventSink(Protocol):
    """Where a run's events go."""

    edge: Edge

    def publish_numbered(self, run: "RunHandle", event: AgentEvent) -> int:
        """`event` got the run's next `seq` and is on its way, or counted as dropped. Never raises."""
        ...

    def publish_unnumbered(self, run: "RunHandle", event: HostEvent) -> None:
        """`event` is on its way, or counted as dropped. Never raises."""
        ...

    def run(
        self,
        run_id: str,
        *,
        task: str | None = None,
        agent: str | None = None,
        parent_run_id: str | None = None,
        root_run_id: str | None = None,
    ) -> "RunHandle":
        """The handle of another run."""
        ...


class RunHandle:
    """One attempt of one run. Made by `publisher.run(…)`; to be used from any thread.

    Every event of the agent's side takes the next `seq`, whether or not it could be sent: what was dropped
    is a gap that the detection sees. No method raises for what the agent or Kafka does; a `TypeError` (an
    argument forgotten or unknown) or a `ValueError` (an outcome that does not exist) is a mistake in the
    calling code.
    """

    def __init__(
        self,
        sink: EventSink,
        run_id: str,
        *,
        attempt: int,
        task: str | None = None,
        agent: str | None = None,
        tenant: str | None = None,
        parent_run_id: str | None = None,
        root_run_id: str | None = None,
        limits: Limits | None = None,
        first_seq: int = 0,
    ) -> None:
        self._sink = sink
        self.run_id = wire_values.identifier("run_id", run_id)
        self.attempt = attempt
        self.parent_run_id = (
            wire_values.identifier("parent_run_id", parent_run_id) if parent_run_id is not None else None
        )
        self.root_run_id = (
            wire_values.identifier("root_run_id", root_run_id) if root_run_id is not None else None
        )
        self.limits = _checked(limits)
        self.key = (self.root_run_id or self.run_id).encode()
        """Key of the run's records: its root, or itself."""
        if wire_values.count(first_seq) is None:
            raise ValueError(f"first_seq is {first_seq!r}: it must be a whole number from 0")
        self.next_seq = first_seq
        """`seq` that the next event will get."""
        self.ended = False
        self._identity: dict[str, Any] = {
            "run_id": self.run_id,
            "attempt": attempt,
            "task": wire_values.name(task),
            "agent": wire_values.name(agent),
            "tenant": wire_values.name(tenant),
            "parent_run_id": self.parent_run_id,
            "root_run_id": self.root_run_id,
        }

    def step(
        self,
        *,
        tool: str,
        args: object = None,
        result: object = None,
        turn: int | str | None = None,
        call_id: str | None = None,
        ts: float | datetime | str | None = None,
        duration_s: float | None = None,
        exit_code: int | None = None,
        error: str | bool | BaseException | None = None,
        effect: str | None = None,
        target: str | None = None,
        before_hash: str | None = None,
        after_hash: str | None = None,
        score: float | None = None,
        milestone: str | None = None,
        compaction: bool = False,
        tokens: int | None = None,
        cost_usd: float | None = None,
        features: Features | None = None,
    ) -> int:
        """A finished tool call with its result is on its way; returns its `seq`.

        `args` and `result`: any value. `turn`: which answer of the model the call came from, equal for
        parallel calls. `ts`: when the call was issued; by default now, less `duration_s`. `error`: text, an
        exception, or true. `milestone`: an id that your side verified, never the model's claim. A value that
        a field cannot hold is left out. O(size of args and result), tens of microseconds for ordinary ones;
        nothing is waited for.
        """
        spent = wire_values.amount(duration_s)
        step = Step(
            **self._identity,
            seq=0,
            ts=_when(ts, spent),
            tool=wire_values.name(tool) or "unknown",
            turn=wire_values.integer(turn) if isinstance(turn, int) else wire_values.text(turn, 256),
            call_id=wire_values.name(call_id, wire_values.MAX_ID),
            duration_s=spent,
            args=args,
            result=result,
            exit_code=wire_values.integer(exit_code),
            error=wire_values.error(error),
            effect=wire_values.name(effect),
            target=wire_values.name(target, 4096),
            before_hash=wire_values.name(before_hash),
            after_hash=wire_values.name(after_hash),
            score=wire_values.number(score),
            milestone=wire_values.name(milestone),
            compaction=compaction is True,
            tokens=wire_values.count(tokens),
            cost_usd=wire_values.amount(cost_usd),
            features=features if isinstance(features, Features) else None,
        )
        self._sink.edge.finish(step)
        return self._sink.publish_numbered(self, step)

    def run_started(self, *, limits: Limits | None = None) -> int:
        """The run began; returns the event's `seq`. `limits`: its budgets, by default those of the handle."""
        return self._numbered(RunStarted, limits=_checked(limits) or self.limits)

    def run_ended(self, outcome: RunOutcome, *, claim: str | None = None) -> int:
        """The run is over; returns the `seq`. `claim`: what the agent says of itself, never believed."""
        if outcome not in ("completed", "failed", "cancelled"):
            raise ValueError(f"outcome is {outcome!r}: it must be 'completed', 'failed' or 'cancelled'")
        self.ended = True
        return self._numbered(RunEnded, outcome=outcome, claim=self._sink.edge.free_text(claim))

    def compaction(self, *, lost: Sequence[str] | None = None) -> int:
        """The agent's context was compacted; returns the `seq`. `lost`: digests of the answers dropped."""
        digests = (
            None if lost is None else [d for d in (wire_values.name(d, 64) for d in lost[:MAX_LOST]) if d]
        )
        return self._numbered(Compaction, lost=digests)

    def user_input(self, text: str | None = None) -> int:
        """A person spoke to the agent: a fresh episode begins; returns the `seq`. The text is never kept."""
        return self._numbered(UserInput, text=self._sink.edge.free_text(text))

    def milestone(
        self,
        id: str,  # noqa: A002 - the field's name on the wire
        *,
        evidence: str | None = None,
        at_seq: int | None = None,
        event_id: str | None = None,
        ts: float | datetime | str | None = None,
    ) -> str:
        """Something verified was reached; returns the event's id.

        `at_seq`: the step that reached it, by default the last one. `event_id`: give your own where the same
        milestone may be told twice; a second telling is then recognised. `evidence`: a reference, not the
        thing.
        """
        return self._unnumbered(
            Milestone,
            event_id,
            at_seq,
            ts,
            id=wire_values.name(id) or "unnamed",
            evidence=self._sink.edge.free_text(evidence),
        )

    def score(
        self,
        value: float | None,
        *,
        oracle: str | None = None,
        oracle_version: str | None = None,
        at_seq: int | None = None,
        event_id: str | None = None,
        ts: float | datetime | str | None = None,
    ) -> str:
        """An oracle valued the state after a step; returns the event's id. NaN is "no sample"."""
        return self._unnumbered(
            Score,
            event_id,
            at_seq,
            ts,
            value=wire_values.number(value),
            oracle=wire_values.name(oracle),
            oracle_version=wire_values.name(oracle_version),
        )

    def child(self, run_id: str, *, agent: str | None = None, task: str | None = None) -> "RunHandle":
        """The handle of a sub-agent's run, under this one: its news count for its parent."""
        return self._sink.run(
            run_id,
            agent=agent,
            task=task,
            parent_run_id=self.run_id,
            root_run_id=self.root_run_id or self.run_id,
        )

    def __enter__(self) -> Self:
        """The run has started."""
        self.run_started()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """The run has ended: completed, failed (an exception), or cancelled (an interrupt)."""
        if self.ended:
            return
        if kind is None:
            self.run_ended("completed")
        else:
            self.run_ended("failed" if issubclass(kind, Exception) else "cancelled")

    def _numbered(self, make: Callable[..., AgentEvent], **fields: Any) -> int:
        return self._sink.publish_numbered(self, make(**self._identity, seq=0, ts=time.time(), **fields))

    def _unnumbered(
        self,
        make: Callable[..., HostEvent],
        event_id: str | None,
        at_seq: int | None,
        ts: float | datetime | str | None,
        **fields: Any,
    ) -> str:
        known = wire_values.name(event_id, wire_values.MAX_ID) or uuid.uuid4().hex
        last = self.next_seq - 1 if self.next_seq > 0 else None
        event = make(
            run_id=self.run_id,
            attempt=self.attempt,
            root_run_id=self.root_run_id,
            event_id=known,
            at_seq=wire_values.count(at_seq) if at_seq is not None else last,
            ts=_when(ts, None),
            **fields,
        )
        self._sink.publish_unnumbered(self, event)
        return known


def _when(ts: object, spent_s: float | None) -> float:
    given = wire_values.seconds(ts) if ts is not None else None
    return given if given is not None else max(time.time() - (spent_s or 0.0), 0.0)


def _checked(limits: Limits | None) -> Limits | None:
    if limits is not None:
        try:
            check_numbers(msgspec.convert(msgspec.to_builtins(limits), Limits))
        except (msgspec.ValidationError, BadRecord) as error:
            raise ValueError(f"limits: {error}") from None
    return limits
