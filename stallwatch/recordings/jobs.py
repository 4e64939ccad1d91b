"""How many processes judge a recording."""

import os
from typing import NamedTuple

from stallwatch.recordings.shards import SHARDS

MAX_JOBS = SHARDS
"""More could not share the runs."""
MAX_UNASKED = 8
"""Processes that are started without being asked for: about as many as one reader can feed."""
LONE_LINES = 4_000
"""Lines after which starting processes (about 0.2 s) pays: at 100 µs each they take about 0.4 s."""


class Jobs(NamedTuple):
    """`processes` judge what comes after the first `lone_lines` lines; those the reader judges itself."""

    processes: int
    lone_lines: int


ALONE = Jobs(1, 0)


def jobs_for(asked: int | None) -> Jobs:
    """As many as were asked for, from the first line; unasked, one per usable core once the input is long."""
    if asked is not None:
        return Jobs(min(asked, MAX_JOBS), 0)
    return Jobs(min(usable_cores(), MAX_UNASKED), LONE_LINES)


def usable_cores() -> int:
    """Cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
