"""The lives of runs: how one begins, is superseded and ends, and who makes room in a large family."""

from typing import Literal

from msgspec.structs import replace

from detectors import episodes
from detectors.family import last_signs
from detectors.milestones import close_segment
from detectors.occasion import Occasion
from detectors.outcome import Outcome
from detectors.runs import MAX_ENTRIES, MAX_RUNS, Life, RootState, RunState

GRACE_S = 3600.0
"""How long a finished run's command stays on the control topic for those who come late."""

Admission = Literal["begun", "live", "closed", "refused"]


def entry(root: RootState, run_id: str, at: float | None, out: Outcome) -> RunState | None:
    """The run's entry, a new one if there is room: the longest idle marker makes it. None: no room."""
    run = root.runs.get(run_id)
    if run is not None:
        return run
    if len(root.runs) >= MAX_ENTRIES:
        markers = [r for r in root.runs.values() if r.life is None]
        if not markers:
            return None
        drop(root, min(markers, key=lambda r: r.order), out)
    run = root.runs[run_id] = RunState(run_id, order=root.events, last_at=at)
    return run


def drop(root: RootState, run: RunState, out: Outcome) -> None:
    """The entry is gone, and so is its command on the control topic."""
    del root.runs[run.run_id]
    if run.last is not None and not run.tombstoned:
        out.expired.append((run.run_id, run.last.version))


def admit(occasion: Occasion, attempt: int) -> Admission:
    """Whether an event of this attempt meets a life. A higher attempt begins one, the one before is over."""
    run = occasion.run
    if attempt < run.attempt or (attempt == run.attempt and run.life is None):
        run.late = min(run.late + 1, 2**53)
        return "closed"
    if attempt > run.attempt:
        if run.life is not None:
            end(occasion, why=f"attempt {attempt} began")
        elif sum(1 for _ in occasion.root.live()) >= MAX_RUNS and not _make_room(occasion):
            return "refused"
        run.attempt = attempt
        run.version = 0
        run.issued.clear()
        run.closed_at = None
        run.life = Life(news_at=occasion.at, news_order=occasion.root.events)
        return "begun"
    return "live"


def end(occasion: Occasion, *, why: str) -> None:
    """The life is over: its episode and its segment are closed, what is left is a small marker."""
    episodes.close(occasion, why=why)
    close_segment(occasion, milestone=False)
    occasion.run.life = None
    occasion.run.closed_at = occasion.at if occasion.at is not None else occasion.run.last_at


def pin(occasion: Occasion, task: str | None) -> Occasion:
    """The life keeps the rules that its scenario has now, whatever is loaded later."""
    life = occasion.life
    if life.rules:
        return occasion
    life.rules, rules = occasion.book.for_new_run(task)
    return replace(occasion, rules=rules)


def _make_room(occasion: Occasion) -> bool:
    """The longest idle live run gives way, if nothing was heard of it or below it for its silence limit."""
    if occasion.at is None:
        return False
    heard = last_signs(occasion.root)
    for run in sorted(occasion.root.live(), key=lambda other: other.order):
        idle = occasion.of(run)
        if occasion.at - heard.get(run.run_id, occasion.at) >= idle.rules.silence_s:
            end(idle, why="nothing was heard of the run, and another one needed its place")
            occasion.root.sizes.pop(run.run_id, None)
            return True
    return False
