"""How many runs stand on which rung, kept up to date by root so that a gauge costs nothing per event."""

from collections import Counter

from detectors.state import RootState

Rungs = tuple[int, ...]


class Census:
    """Live (not closed) runs of this worker by rung. O(runs of the root) per update."""

    def __init__(self) -> None:
        self.by_rung: Counter[int] = Counter()
        self._roots: dict[int, dict[bytes, Rungs]] = {}

    def update(self, partition: int, key: bytes, root: RootState) -> None:
        """The root counts as it is now."""
        roots = self._roots.setdefault(partition, {})
        now = tuple(run.life.ladder.rung for run in root.runs.values() if run.life is not None)
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
        return sum(self.by_rung.values())
