"""The halt breaker: no bug and no poisoned fleet may halt everything. It acts after the decision, on this worker."""

from collections import deque


class Breaker:
    """Open while more than `share` of the live runs (and at least `least`) were halted within `window_s` seconds.

    Commands are withheld while it is open, kept in the outbox, and go out when it closes.
    """

    def __init__(self, share: float, window_s: float, least: int) -> None:
        self._share, self._window_s, self._least = share, window_s, least
        self._halts: deque[float] = deque()
        self.withheld = 0
        """Commands held back since the start."""

    def decide(self, now: float, live_runs: int) -> bool:
        """A halt was decided at `now`: whether it may go out. O(1) amortised."""
        self._halts.append(now)
        held = self.open(now, live_runs)
        self.withheld += held
        return not held

    def open(self, now: float, live_runs: int) -> bool:
        """Whether halts are withheld at `now` (seconds, monotonic or epoch, but always the same)."""
        while self._halts and self._halts[0] <= now - self._window_s:
            self._halts.popleft()
        halts = len(self._halts)
        return halts > self._least and halts > self._share * max(live_runs, 1)
