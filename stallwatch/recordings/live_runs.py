"""The states of the runs in a replay: hot ones as objects, cold ones as bytes, ended ones as markers."""

from collections.abc import Iterator

import msgspec

from detectors import state
from detectors.state import RootState
from stallwatch.recordings.shards import SHARDS, shard_of
from stallwatch.recordings.tally import Tally

HOT = 1024
"""Roots that each process keeps as objects: about 60 to 190 kB each, some ten times their encoding.

Decoding one costs 0.2 ms, twice of what judging a step does: a fleet should fit."""
ENDED = 10_000
"""Markers of ended roots that are kept, so that a late step does not begin its run anew."""


class Kept(msgspec.Struct, array_like=True, tag=True):
    """One root as it is put away, or moves to another process."""

    root_id: str
    state: bytes
    tallies: dict[str, Tally]
    """Of the runs that have not ended, by run."""
    used: int
    """The place of its latest event in the input."""
    ended: bool = False


class Tracked:
    """One root: its state, and what was counted of each of its runs."""

    __slots__ = ("state", "tallies", "used")

    def __init__(self, root: RootState, tallies: dict[str, Tally], used: int = 0) -> None:
        self.state = root
        self.tallies = tallies
        self.used = used


class LiveRuns:
    """States by root key. Memory: O(runs that have not ended), encoded beyond the `hot` latest used.

    Markers are bounded share by share, so that one process that judges all shares forgets what several forget.
    """

    def __init__(self, hot: int = HOT, ended: int = ENDED) -> None:
        self._hot_limit = hot
        self._ended_limit = max(ended // SHARDS, 1)
        self._hot: dict[str, Tracked] = {}
        self._cold: dict[str, Kept] = {}
        self._ended: list[dict[str, bytes]] = [{} for _ in range(SHARDS)]

    def get(self, root_id: str) -> Tracked:
        """The root's state, new if it was not seen (or ended too long ago). O(1), or decoding a cold one."""
        found = self._hot.pop(root_id, None)
        if found is None:
            found = self._thaw(root_id)
            if len(self._hot) >= self._hot_limit:
                coldest = next(iter(self._hot))
                self._cold[coldest] = self._packed(coldest)
        self._hot[root_id] = found
        return found

    def end(self, root_id: str) -> None:
        """All runs of the root are closed: only a marker is kept, and not for ever."""
        self._mark(root_id, state.encode(self._hot.pop(root_id).state))

    def rest(self) -> Iterator[Tracked | Kept]:
        """The roots that have not ended, longest unused first."""
        # Whatever is cold was used before anything that is hot, and both are in the order of their last use.
        yield from self._cold.values()
        yield from self._hot.values()

    def hand_over(self) -> Iterator[Kept]:
        """Everything leaves, one by one, in an order that `take_over` keeps."""
        for shard in self._ended:
            while shard:
                root_id = next(iter(shard))
                yield Kept(root_id, shard.pop(root_id), {}, 0, ended=True)
        while self._cold:
            yield self._cold.pop(next(iter(self._cold)))
        while self._hot:
            yield self._packed(next(iter(self._hot)))

    def take_over(self, kept: Kept) -> None:
        """The root is here, as it was where it left."""
        if kept.ended:
            self._mark(kept.root_id, kept.state)
        else:
            self._cold[kept.root_id] = kept

    def _mark(self, root_id: str, marker: bytes) -> None:
        shard = self._ended[shard_of(root_id)]
        if len(shard) >= self._ended_limit:
            del shard[next(iter(shard))]
        shard[root_id] = marker

    def _thaw(self, root_id: str) -> Tracked:
        cold = self._cold.pop(root_id, None)
        if cold is not None:
            return Tracked(state.decode(cold.state), cold.tallies, cold.used)
        marker = self._ended[shard_of(root_id)].pop(root_id, None)
        return Tracked(RootState(root_id) if marker is None else state.decode(marker), {})

    def _packed(self, root_id: str) -> Kept:
        found = self._hot.pop(root_id)
        return Kept(root_id, state.encode(found.state), found.tallies, found.used)
