"""What a worker holds of one partition: its roots, decoded while they are busy, and how far everything is."""

import asyncio
import heapq
from collections import OrderedDict
from dataclasses import dataclass, field

from detectors import state
from detectors.state import RootState, StateError
from streams.record import (
    PROGRESS_KEY,
    TIMER,
    Entry,
    Progress,
    RecordError,
    decode_progress,
    decode_state,
    encode_progress,
    encode_state,
)

MAX_DECODED = 4096
"""Roots of one partition that stay decoded; the others are decoded again when a record of theirs comes."""


@dataclass(slots=True)
class Live:
    """A root in memory."""

    key: bytes
    root: RootState
    applied: list[int] = field(default_factory=lambda: [-1, -1, -1])
    outbox: list[Entry] = field(default_factory=list)
    misrouted: bool = False
    """Its key does not hash to this partition: the publisher uses another partitioner."""


@dataclass(slots=True)
class Partition:
    """One partition number of the three inputs and the changelog. `values` belongs to the Faust table."""

    number: int
    values: dict[bytes, bytes]
    judged: list[int] = field(default_factory=lambda: [0, 0, 0])
    settled: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    ticks: int = 0
    stream_time: list[float | None] = field(default_factory=lambda: [None, None, None])
    """Arrival time of the last judged record of each input, seconds; None before the first."""
    live: OrderedDict[bytes, Live] = field(default_factory=OrderedDict)
    tail: "asyncio.Task[None] | None" = None
    """The last settle task: the next one waits for it."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held from the judging until the states are handed over, so that the changelog's order is the judging's."""
    held: set[bytes] = field(default_factory=set)
    """Roots with commands that the breaker holds back."""
    resets: dict[str, int] = field(default_factory=dict)
    _deadlines: list[tuple[float, bytes]] = field(default_factory=list)
    _due: dict[bytes, float] = field(default_factory=dict)

    def open(self) -> None:
        """The progress of the recovered partition is known. Raises `RecordError` if it cannot be read."""
        value = self.values.get(PROGRESS_KEY)
        if value is not None:
            progress = decode_progress(value)
            self.judged, self.settled = progress.judged, progress.settled
            self.ticks = self.settled[TIMER]

    def root_keys(self) -> list[bytes]:
        """Keys of the roots that the partition holds, in insertion order. O(roots)."""
        return [key for key in self.values if key != PROGRESS_KEY]

    def load(self, key: bytes) -> Live:
        """The root's state, from memory, the store, or new. A state that cannot be read is given up and counted."""
        live = self.live.get(key)
        if live is not None:
            self.live.move_to_end(key)
            return live
        value = self.values.get(key)
        live = self.fresh(key) if value is None else self.thaw(key, value)
        self.live[key] = live
        return live

    def fresh(self, key: bytes) -> Live:
        """A root that nothing is known of."""
        return Live(key, RootState(key.decode("utf-8", "replace")))

    def thaw(self, key: bytes, value: bytes) -> Live:
        """A root from its changelog value; a fresh one (and a reset counted) if the value cannot be read."""
        try:
            applied, body = decode_state(value)
            return Live(key, state.decode(body.root), applied, body.outbox)
        except (RecordError, StateError):
            self.resets["unreadable"] = self.resets.get("unreadable", 0) + 1
            return self.fresh(key)

    def freeze(self, live: Live) -> bytes:
        """The root's changelog value is in the store as well; effects that are settled have left its outbox."""
        settled = self.settled
        if live.outbox:
            live.outbox = [e for e in live.outbox if e.held or e.offset >= settled[e.input]]
        value = encode_state(live.applied, live.outbox, state.encode(live.root))
        self.values[live.key] = value
        return value

    def forget(self, key: bytes) -> None:
        """The root is gone from memory and store."""
        self.live.pop(key, None)
        self.values.pop(key, None)
        self._due.pop(key, None)

    def trim(self) -> None:
        """At most `MAX_DECODED` roots stay decoded; the least recently used go (their values stay)."""
        while len(self.live) > MAX_DECODED:
            self.live.popitem(last=False)

    def progress(self) -> bytes:
        """The progress record's value as of now; it is in the store as well."""
        value = encode_progress(Progress(self.judged, self.settled))
        self.values[PROGRESS_KEY] = value
        return value

    def schedule(self, key: bytes, due: float | None) -> None:
        """The root is looked at again at `due` (seconds); None: not by time. O(log n)."""
        if due is None:
            self._due.pop(key, None)
            return
        if self._due.get(key) != due:
            self._due[key] = due
            heapq.heappush(self._deadlines, (due, key))

    def due(self, now: float, limit: int) -> list[bytes]:
        """Keys whose time has come, earliest first, at most `limit`; they are no longer scheduled."""
        keys: list[bytes] = []
        while self._deadlines and self._deadlines[0][0] <= now and len(keys) < limit:
            when, key = heapq.heappop(self._deadlines)
            if self._due.get(key) == when:  # otherwise it was scheduled anew meanwhile
                del self._due[key]
                keys.append(key)
        return keys

    def unsettled(self) -> list[Entry]:
        """Effects in the recovered states that may not have been sent, in the order of their decision. O(roots)."""
        entries: list[Entry] = []
        for key in self.root_keys():
            try:
                _, body = decode_state(self.values[key])
            except RecordError:
                continue  # counted when the root is loaded
            entries += [e for e in body.outbox if not e.held and e.offset >= self.settled[e.input]]
        entries.sort(key=lambda e: (e.input, e.offset))
        return entries
