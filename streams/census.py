"""How many runs stand where, kept up to date by root so that a gauge costs nothing per event."""

from collections import Counter

from detectors.runs import RunState
from detectors.state import RootState

Standing = tuple[int, ...]
"""The rung of each live run; `UNHEARD` once more for each halt that nobody has acknowledged."""
UNHEARD = 5


class Census:
    """Live (not closed) runs of this worker by rung. O(runs of the root) per update.

    Read off the state, so that a restart or a moved partition changes nothing.
    """

    def __init__(self) -> None:
        self.by_rung: Counter[int] = Counter()
        self._roots: dict[int, dict[bytes, Standing]] = {}

    def update(self, partition: int, key: bytes, root: RootState) -> None:
        """The root counts as it is now."""
        roots = self._roots.setdefault(partition, {})
        live = list(root.live())
        now = (*(run.rung for run in live), *(UNHEARD for run in live if _unheard(run)))
        before = roots.get(key, ())
        if now == before:
            return
        self.by_rung.subtract(before)
        self.by_rung.update(now)
        if now:
            roots[key] = now
        else:
            roots.pop(key, None)

    def drop(self, partition: int) -> None:
        """The partition's runs are no longer ours."""
        for rungs in self._roots.pop(partition, {}).values():
            self.by_rung.subtract(rungs)

    @property
    def runs(self) -> int:
        """Live runs."""
        return sum(count for rung, count in self.by_rung.items() if rung != UNHEARD)

    @property
    def unheard(self) -> int:
        """Halts of live runs that no orchestrator has acknowledged."""
        return self.by_rung[UNHEARD]


def _unheard(run: RunState) -> bool:
    last = run.last
    return last is not None and last.action == "halt" and last.attempt == run.attempt and not last.acked
