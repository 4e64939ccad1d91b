"""Runs and their sub-agents: a parent is neither silent nor stalled while a child run gets on."""

from collections.abc import Iterator

from detectors.runs import MAX_RUNS, RootState, RunState

NEWS_LASTS_S = 600.0
"""How long a child's last news carries its parents, in seconds of arrival time."""
NEWS_LASTS_EVENTS = 32
"""The same without a clock, in events of the whole family."""


def ancestors(root: RootState, run: RunState) -> Iterator[RunState]:
    """The runs above a run, the nearest first. O(depth), at most 32."""
    # A family of n runs has no line longer than n: parents that name each other in a ring end the walk too.
    for _ in range(MAX_RUNS):
        above = root.runs.get(run.parent) if run.parent is not None else None
        if above is None:
            return
        yield above
        run = above


def descendants(root: RootState, run: RunState) -> Iterator[RunState]:
    """The live runs below a run, in order of their first event. O(runs × depth)."""
    if len(root.runs) > 1:
        for other in root.live():
            if other is not run and any(above is run for above in ancestors(root, other)):
                yield other


def carried(root: RootState, run: RunState, at: float | None) -> bool:
    """Whether some run below brought news lately and is itself at rung 0: then the rung does not rise."""
    return any(_brings_news(root, child, at) for child in descendants(root, run))


def _brings_news(root: RootState, child: RunState, at: float | None) -> bool:
    life = child.life
    if life is None or life.halted or life.ladder.rung > 0:
        return False
    if at is None or life.news_at is None:
        return root.events - life.news_order < NEWS_LASTS_EVENTS
    return at - life.news_at < NEWS_LASTS_S


def last_signs(root: RootState) -> dict[str, float]:
    """Arrival time of the last event of each live run or of any live run below it. O(runs × depth)."""
    heard = {run.run_id: run.last_at for run in root.live() if run.last_at is not None}
    for run_id, at in list(heard.items()):
        for above in ancestors(root, root.runs[run_id]):
            if above.run_id in heard:
                heard[above.run_id] = max(heard[above.run_id], at)
    return heard
