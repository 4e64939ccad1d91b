"""What a worker knows of its own health, and the two questions an orchestrator asks: alive? ready?

Liveness never depends on Kafka: restarting a worker does not bring a broker back, it only adds a recovery.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec


class Answer(msgspec.Struct, frozen=True):
    """The answer of a probe."""

    ok: bool
    reasons: list[str] = []
    """One sentence for each thing that is not as it should be."""


@dataclass(slots=True)
class Health:
    """Set by the worker as things happen, read by the probes. Times are of `clock`, seconds."""

    clock: Callable[[], float]
    """Monotonic."""
    max_loop_lag_s: float = 10.0
    """An event loop that is later than this is stuck."""
    max_idle_s: float = 120.0
    """No batch finished for so long, with batches in hand and the broker answering: stuck."""
    started: bool = False
    """The service runs: Faust is up, its first assignment may still be under way."""
    assigned: frozenset[int] | None = None
    """Partitions owned; None before the first assignment. Empty is fine: a spare worker."""
    recovering: bool = False
    """State is being read back."""
    pending: int = 0
    """Batches fetched and not finished."""
    waiting_for_broker: bool = False
    """Something waits for an acknowledgement, so that no progress is not the worker's fault."""
    loop_lag_s: float = 0.0
    """Largest delay of the event loop lately."""
    stopping: bool = False
    last_progress: float = field(default=0.0)

    def __post_init__(self) -> None:
        self.last_progress = self.clock()

    def progressed(self) -> None:
        """A batch was finished, or there was nothing to do."""
        self.last_progress = self.clock()

    def live(self) -> Answer:
        """Whether the process can still do its work; if not, a restart is the remedy."""
        reasons = []
        if self.loop_lag_s > self.max_loop_lag_s:
            reasons.append(f"the event loop is {self.loop_lag_s:.1f} s late")
        idle = self.clock() - self.last_progress
        if self.pending and not self.waiting_for_broker and not self.recovering and idle > self.max_idle_s:
            reasons.append(f"no batch was finished for {idle:.0f} s, with {self.pending} in hand")
        return Answer(not reasons, reasons)

    def ready(self) -> Answer:
        """Whether the worker does its part of the work now."""
        reasons = []
        if not self.started:
            reasons.append("not started yet")
        elif self.assigned is None:
            reasons.append("no partitions assigned yet")
        if self.recovering:
            reasons.append("reading state back")
        if self.stopping:
            reasons.append("stopping")
        return Answer(not reasons, reasons)
