"""One unit of the commit protocol: what a batch, or a tick of the timers, led to."""

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from detectors.events import Ack
from detectors.outcome import Outcome
from streams.record import Entry

if TYPE_CHECKING:
    from streams.batches import Batch


@dataclass(slots=True)
class DeadLetter:
    """A record that could not be read, byte for byte, and why."""

    record: Any
    """The raw aiokafka record: key, value, headers, topic, partition, offset, timestamp."""
    reason: str
    detail: str


@dataclass(slots=True)
class Decided:
    """An outcome worth telling metrics and logs about, with what they need to place it."""

    outcome: Outcome
    at: float | None
    """Arrival time of the record, seconds."""
    ack: Ack | None = None
    """The event itself where it acknowledged a command."""


@dataclass(slots=True)
class Work:
    """Judged in memory, not yet durable. `input` and `upto` say which watermark moves once it is."""

    partition: int
    input: int
    upto: int
    """Position (or tick number) that is settled when this work is."""
    batch: "Batch | None" = None
    states: list[tuple[bytes, bytes | None]] = field(default_factory=list)
    """Changelog records in order: (key, value), the progress record last."""
    entries: list[Entry] = field(default_factory=list)
    dead: list[DeadLetter] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    """Outcomes of the records: applied, duplicate, late, closed, waiting, ignored, replayed, misrouted, malformed."""
    decided: list[Decided] = field(default_factory=list)
    withheld: set[str] = field(default_factory=set)
    """Ids of halts that the breaker held back."""
    gaps: int = 0
    oldest: float | None = None
    """Arrival time of the oldest record, seconds."""
    since_news: list[int] = field(default_factory=list)
    since_milestone: list[int] = field(default_factory=list)
    state_bytes: list[int] = field(default_factory=list)
    resets: Counter[str] = field(default_factory=Counter)
    """States that had to be given up, by reason: unreadable, oversized."""
