"""The states of the runs in a replay: hot ones as objects, cold ones as bytes, ended ones as markers."""

from collections.abc import Iterator

from detectors import state
from detectors.state import RootState
from stallwatch.recordings.tally import Tally

HOT = 512
"""Roots kept as objects. A state takes several times its encoding; decoding one costs tens of µs."""
ENDED = 10_000
"""Markers of ended roots that are kept, so that a late step does not begin its run anew."""


class Tracked:
    """One root: its state, and what was counted of each of its runs."""

    __slots__ = ("state", "tallies")

    def __init__(self, root: RootState, tallies: dict[str, Tally]) -> None:
        self.state = root
        self.tallies = tallies


class LiveRuns:
    """States by root key. Memory: O(runs that have not ended), encoded beyond the `HOT` latest used."""

    def __init__(self, hot: int = HOT, ended: int = ENDED) -> None:
        self._hot_limit = hot
        self._ended_limit = ended
        self._hot: dict[str, Tracked] = {}
        self._cold: dict[str, tuple[bytes, dict[str, Tally]]] = {}
        self._ended: dict[str, bytes] = {}

    def get(self, root_id: str) -> Tracked:
        """The root's state, new if it was not seen (or ended too long ago). O(1), or decoding a cold one."""
        found = self._hot.pop(root_id, None)
        if found is None:
            found = self._thaw(root_id)
            if len(self._hot) >= self._hot_limit:
                self._freeze(next(iter(self._hot)))
        self._hot[root_id] = found
        return found

    def end(self, root_id: str) -> None:
        """All runs of the root are closed: only a marker is kept, and not for ever."""
        found = self._hot.pop(root_id)
        if len(self._ended) >= self._ended_limit:
            del self._ended[next(iter(self._ended))]
        self._ended[root_id] = state.encode(found.state)

    def rest(self) -> Iterator[dict[str, Tally]]:
        """The tallies of the roots that have not ended, longest unused first."""
        for _, tallies in self._cold.values():
            yield tallies
        for found in self._hot.values():
            yield found.tallies

    def _thaw(self, root_id: str) -> Tracked:
        cold = self._cold.pop(root_id, None)
        if cold is not None:
            return Tracked(state.decode(cold[0]), cold[1])
        marker = self._ended.pop(root_id, None)
        if marker is not None:
            return Tracked(state.decode(marker), {})
        return Tracked(RootState(root_id), {})

    def _freeze(self, root_id: str) -> None:
        found = self._hot.pop(root_id)
        self._cold[root_id] = (state.encode(found.state), found.tallies)
