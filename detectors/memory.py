"""What one run remembers for judging: bounded, array-like so that the changelog stays small.

Every index keeps its order of insertion and is made of two generations: what is seen moves to the young one, and
when that is full the old one is dropped. So membership is exact up to the bound, the cost of a step does not depend
on the length of the run, and the same events give the same bytes.
"""

from collections.abc import Iterable
from typing import TypeVar

import msgspec

from detectors.canonical import short

T = TypeVar("T")

LINES, HEADS, TOKENS = 512, 192, 128
"""Entries of one generation; an index holds twice as many at most."""
CALLS, CAUSES, TARGETS, WRITES, RING, AGENTS = 48, 24, 48, 24, 24, 8
STATES, WINDOWS, RECENT = 6, 4, 24
VOCAB, ISSUED, THINGS = 512, 64, 96


class Index(msgspec.Struct, array_like=True):
    """A bounded set of 32-bit hashes in two generations."""

    young: dict[int, None] = {}
    old: dict[int, None] = {}

    def unseen(self, hashes: Iterable[int]) -> set[int]:
        """Those of the hashes that are not in the index. O(number of hashes)."""
        young, old = self.young, self.old
        return {item for item in hashes if item not in young and item not in old}

    def knows_any(self, hashes: Iterable[int]) -> bool:
        """Whether one of the hashes is in the index. O(number of hashes)."""
        return not (self.young.keys().isdisjoint(hashes) and self.old.keys().isdisjoint(hashes))

    def __contains__(self, item: int) -> bool:
        return item in self.young or item in self.old

    def add(self, generation: int, *groups: Iterable[int]) -> None:
        """They are in the index, as the youngest; an older generation may be gone. O(number of hashes)."""
        young = self.young
        for hashes in groups:
            for item in hashes:  # as fast as the library's way, which makes a mapping of them first
                young[item] = None
        if len(young) > generation:
            self.old = young if len(young) <= 2 * generation else dict.fromkeys(list(young)[-generation:])
            self.young = {}

    def __len__(self) -> int:
        return len(self.young) + len(self.old)


class Call(msgspec.Struct, array_like=True):
    """One call that was made before, and how its answer went."""

    answer: int = 0
    """Of the essential answer."""
    world: int = 0
    """World version at the last time."""
    repeats: int = 0
    """Equal answers in a row while the world stayed as it was."""
    rechecks: int = 0
    """Equal answers in a row across changes of the world."""
    moves: int = 0
    """How often the answer was another one, at most 255."""
    ts: float | None = None
    since: float | None = None
    """When the present answer was seen first."""
    context: int = 0
    """Compactions before the last time."""
    total: int = 0
    """Lines of the answer."""
    failed: bool = False
    flips: int = 0
    """How often it failed after it had gone well, or the other way round, while the world stayed; at most 255."""


class Fault(msgspec.Struct, array_like=True):
    """One error cause."""

    count: int = 0
    """Since the last relief."""
    world: int = 0
    call: int = 0
    ts: float | None = None
    returns: int = 0
    """How often it came back after the same call had gone well."""
    one_call: bool = True
    """Every failure of it since the last relief came of the same call."""
    tool: int = 0
    """That failed with it the last time."""
    step: int = 0


class Target(msgspec.Struct, array_like=True):
    """One resource: its windows that were read, its states that were written."""

    windows: list[tuple[int, int]] = []
    states: list[int] = []
    body: int = 0
    shapes: list[int] = []
    returns: int = 0
    world: int = 0
    """World version when it was looked at the last time."""


class Memory(msgspec.Struct, array_like=True):
    """Fresh for every attempt."""

    steps: int = 0
    rounds: int = 0
    turn: int = 0
    """Hash of the round's turn, 0 without one."""
    ts: float | None = None
    world: int = 0
    """Counts effective writes."""
    acted: int = 0
    """Acts since the last milestone or user input, at most 255."""
    context: int = 0
    """Compactions so far."""
    passes: int = 0
    """Passes over the working set that are still free in this context."""
    wrote: bool = False
    """Something was written or reached since the last compaction."""
    since_news: int = 0
    since_milestone: int = 0
    milestones: int = 0
    longest_gap: int = 0
    """Steps of the longest segment that ended in a milestone."""
    masses: list[float] = []
    """Dryness by reason, in the order of the catalog."""
    families: list[float] = []
    base: list[float] = []
    """Both before the present round, which has one weight however many calls it has."""
    weight: float = -1.0
    """Of the present round; negative while it is neutral."""
    label: int = 0
    lines: Index = msgspec.field(default_factory=Index)
    heads: Index = msgspec.field(default_factory=Index)
    tokens: Index = msgspec.field(default_factory=Index)
    calls: dict[int, Call] = {}
    faults: dict[int, Fault] = {}
    targets: dict[int, Target] = {}
    numbers: dict[int, list[int]] = {}
    """Of short answers by shape: their numbers the last time."""
    ring: list[int] = []
    """Fingerprints of the last rounds, for cycles."""
    round_print: int = 0
    last_call: int = 0
    planned: int = 0
    """Plans and thoughts in a row, at most 255."""
    recent: dict[int, int] = {}
    """Ids of arguments → step at which they came up: one item may take several calls."""
    agents: list[int] = []
    best: float | None = None
    scored: int = 0
    """Scored rounds since the best score rose."""
    scores: list[float | None] = []
    waited_from: float | None = None
    """When the waiting began that still lasts."""
    lost: dict[int, str] = {}
    """Answers that were read again after a compaction: target or call → answer digest."""
    dry_from: int = 0
    """Sequence number at which the present dry stretch began."""
    varied: float = 0.0
    """Exponential mean: dry calls never made before."""
    reread: float = 0.0
    """Exponential mean: dry re-reads of what a compaction took."""
    leading: list[str] = []
    """Digests of the calls of the dry stretch, the last few."""
    answers: list[str] = []
    tools: list[str] = []
    limits: tuple[int, int, float] = (0, 0, 0.0)
    tokens_spent: int = 0
    cost_spent: float = 0.0
    cause: str = ""
    errors: int = 0
    no_clock: bool = False
    said: int = 0
    """Reason whose words are known as our own, counted from 1."""
    said_at: int = 0
    compacted_at: int = 0
    """Step count at the last compaction."""
    idle: bool = False
    """Nothing was running after the last call."""
    ran: float = 0.0
    """Seconds that the last call took."""
    dry_step: int = 0
    """The same as a step of the run, counted from 1."""
    failing: list[str] = []
    """Tools whose calls failed with the present cause, the last few."""
    news_ts: float | None = None
    """When something was brought the last time."""
    actors: list[int] = []
    """Tools that have changed something, the last few."""
    last_numbers: list[int] = []
    """Numbers of the last short answer that had some, as hashes."""
    pause: float | None = None
    """Seconds between the end of the step before and the present one."""
    last_numbered: int = 0
    """Shape of that answer."""
    serial: int = 0
    """Answers in a row whose number was one above the last answer's, whatever was asked; at most 255."""
    last_tool: int = 0
    """Tool of the step before."""
    changed_by: int = 0
    """Tool that changed something the last time."""
    vocab: Index = msgspec.field(default_factory=Index)
    """Words of arguments and short answers."""
    issued: dict[int, int] = {}
    """Serial numbers that answers gave for what was just made or opened → step."""
    things: dict[int, int] = {}
    """Ids of arguments → calls that named them, whatever tool, at most 255."""


def fault_of(memory: Memory, cause: str) -> Fault | None:
    """What is known of the cause. O(length)."""
    return memory.faults.get(short(cause.encode()))


def last_fault(memory: Memory) -> Fault | None:
    """What is known of the cause of the last failure. O(length)."""
    return fault_of(memory, memory.cause) if memory.cause else None


def put(entries: dict[int, T], key: int, value: T, bound: int) -> None:
    """The entry is the youngest; the oldest is gone where there were too many. O(1) on average."""
    entries.pop(key, None)
    entries[key] = value
    if len(entries) > bound:
        del entries[next(iter(entries))]
