"""The two clocks of a scripted agent: the wall's, and one that runs faster, for trying an agent out."""

import threading
import time


class WallClock:
    """Time as it is."""

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    def wait(self, stop: threading.Event, seconds: float) -> None:
        """`seconds` have passed, or `stop` is set."""
        stop.wait(seconds)
