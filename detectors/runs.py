"""What is kept of a root run and its sub-agents.

A run has a `Life` while an attempt of it lasts, and is a small marker afterwards: its number and the last
command stay until the retention has passed, so that a late step cannot start the count anew.
"""

from collections.abc import Iterator
from typing import Literal

import msgspec

from detectors.classic import Guard
from detectors.events import Evidence, Lost, Reached
from detectors.ladder import Ladder
from detectors.memory import Memory
from detectors.sequence import Sequence

MAX_BYTES = 64 * 1024
"""Hard bound of one encoded root, whatever comes in."""
MAX_RUNS = 32
"""Live runs of one root."""
MAX_ENTRIES = 64
"""Live runs and markers of one root."""


class Stall(msgspec.Struct, array_like=True):
    """The open episode of a run."""

    episode_id: str
    reason: str
    seq_from: int
    seq_to: int
    told_at: int
    """The run's step count when the last verdict about it was given."""
    rung: int = 0
    shares: dict[str, float] = {}
    remedy: Literal["amnesia", "no_gradient", "unclear"] = "unclear"
    people: str = ""
    model: str = ""
    tokens: int = 0
    cost_usd: float = 0.0
    lost: list[Lost] = []
    evidence: Evidence | None = None


class Spent(msgspec.Struct, array_like=True):
    """Steps, tokens and cost since some moment."""

    steps: int = 0
    tokens: int = 0
    cost_usd: float = 0.0


class Turn(msgspec.Struct, array_like=True):
    """The turn that is under way, for judgement once per turn."""

    key: str
    """Digest of the event's `turn`, empty without one."""
    ts: float | None
    seq: int


class Life(msgspec.Struct, array_like=True):
    """What one attempt of a run has while it lasts. Fresh for every attempt."""

    rules: str = ""
    """Digest of the rule set it started with; empty until its first own event."""
    sequence: Sequence = msgspec.field(default_factory=Sequence)
    steps: int = 0
    memory: Memory = msgspec.field(default_factory=Memory)
    ladder: Ladder = msgspec.field(default_factory=Ladder)
    halted: bool = False
    """A halt was published: only a release follows."""
    asked_at: float | None = None
    """Arrival time of the event that led to the open question."""
    delivered: bool = False
    """Feedback of the open episode was acknowledged as done; it counts from the next round on."""
    feedback: list[str] = []
    """Ids of the open episode's notices and replans that are not acknowledged yet, the last few."""
    last_seq: int = 0
    """Of the last step."""
    news_seq: int = -1
    """Of the last step that brought news."""
    news_at: float | None = None
    """Arrival time of the last news, or of the start."""
    news_order: int = 0
    """The root's event count at the last news."""
    earned: list[Reached] = []
    segment: Spent = msgspec.field(default_factory=Spent)
    """Since the last verified milestone."""
    dry: Spent = msgspec.field(default_factory=Spent)
    """Since the last news."""
    stall: Stall | None = None
    stalls: int = 0
    """Episodes opened so far."""
    silent: bool = False
    """People were told that nothing comes any more."""
    host_events: list[int] = []
    """Digests of the last host events' ids."""
    guard: Guard | None = None
    turn: Turn | None = None


class LastCommand(msgspec.Struct, array_like=True):
    """What stands on the control topic for a run."""

    command_id: str
    attempt: int
    version: int
    action: str
    rung: int
    acked: str = ""
    """The best acknowledgement so far."""


class Word(msgspec.Struct, array_like=True):
    """What is kept of a person's word until the state has reached the command it answers."""

    kind: str
    """release, go, stop or halt."""
    attempt: int | None
    command_id: str | None
    mode: str
    at: float | None
    by: str


class RunState(msgspec.Struct, array_like=True):
    """One run: its current attempt, or the small marker of its last one."""

    run_id: str
    attempt: int = -1
    """The current attempt; −1 before the first event of any (a person's word came first)."""
    version: int = 0
    """Version of the last command within the attempt."""
    parent: str | None = None
    order: int = 0
    """The root's event count at its last event: who was idle longest."""
    last_at: float | None = None
    """Arrival time of its last event, seconds."""
    closed_at: float | None = None
    """Arrival time of its end."""
    last: LastCommand | None = None
    tombstoned: bool = False
    issued: list[str] = []
    """Ids of the attempt's last commands."""
    answered: list[int] = []
    """Digests of the last words that were applied."""
    words: list[Word] = []
    """Words that wait for a command."""
    late: int = 0
    """Events that came after the end of their attempt."""
    life: Life | None = None

    @property
    def closed(self) -> bool:
        """Whether its last attempt is over."""
        return self.life is None and self.attempt >= 0

    @property
    def rung(self) -> int:
        """Where it stands, 0 when closed."""
        return self.life.ladder.rung if self.life is not None else 0


class RootState(msgspec.Struct):
    """Everything that one key of the steps topic has."""

    root_id: str
    runs: dict[str, RunState] = {}
    """In order of their first event."""
    events: int = 0
    """Events applied so far."""
    refused: int = 0
    """Events of runs for which there was no room."""
    shed: int = 0
    """Parts given up to stay within the bound."""
    sizes: dict[str, int] = {}
    """Encoded sizes of the runs that were measured and have not changed since; not part of the record."""

    def live(self) -> Iterator[RunState]:
        """The runs whose attempt lasts."""
        return (run for run in self.runs.values() if run.life is not None)

    def rules(self) -> list[str]:
        """Digests of the rule sets that the live runs are pinned to, each once."""
        pinned = (run.life.rules for run in self.runs.values() if run.life is not None)
        return list(dict.fromkeys(digest for digest in pinned if digest))


_encoder = msgspec.msgpack.Encoder()


def run_size(run: RunState) -> int:
    """Bytes of the run within the record. O(size)."""
    return len(_encoder.encode(run))
