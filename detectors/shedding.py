"""Keeping one root within its bound: who gives up what when a family grows too large.

A family of one or two fits by the bounds of its parts. From two on the touched run is measured at every event, so
that what is given up depends on the events alone, never on when somebody encodes the state. In this order, the
longest idle first, the run that is speaking last: memories of live runs (their counters stay, what they have seen
is forgotten: a stall may be found later, never too soon), markers of ended runs, what live runs have
earned and said, and at the very end whole runs.
"""

from collections.abc import Callable, Iterator

from detectors.memory import Memory
from detectors.outcome import Outcome
from detectors.runs import MAX_BYTES, Life, RootState, RunState, run_size

LIMIT = MAX_BYTES - 512
"""Leaves room for the record around the runs."""
KEPT = (
    "steps",
    "rounds",
    "since_news",
    "since_milestone",
    "milestones",
    "longest_gap",
    "limits",
    "tokens_spent",
    "cost_spent",
)
"""What a memory keeps when it is given up."""


def keep_within_bound(root: RootState, run: RunState, out: Outcome) -> None:
    """The encoded root stays under its bound whatever came in. O(size of the run) for a family, O(1) for one run."""
    root.sizes.pop(run.run_id, None)
    if len(root.runs) > 1 and _total(root) > _room(root):
        shed(root, out)


def shed(root: RootState, out: Outcome) -> None:
    """As much is given up as it takes, and no more. O(size). Deterministic."""
    for give_up in (_memory, _marker, _belongings, _life, _marker):
        for run in _idle_first(root):
            if _total(root) <= _room(root):
                return
            if give_up(root, run, out):
                root.sizes.pop(run.run_id, None)
                root.shed = min(root.shed + 1, 2**53)


def _idle_first(root: RootState) -> Iterator[RunState]:
    yield from sorted(root.runs.values(), key=lambda run: run.order)


def _total(root: RootState) -> int:
    sizes = root.sizes
    for run_id, run in root.runs.items():
        if run_id not in sizes:
            sizes[run_id] = run_size(run)
    if len(sizes) > len(root.runs):
        for run_id in [key for key in sizes if key not in root.runs]:
            del sizes[run_id]
    return sum(sizes.values())


def _room(root: RootState) -> int:
    return LIMIT - 4 * len(root.root_id)


Giving = Callable[[RootState, RunState, Outcome], bool]


def _memory(root: RootState, run: RunState, out: Outcome) -> bool:
    life = run.life
    if life is None:
        return False
    fresh = Memory()
    for name in KEPT:
        setattr(fresh, name, getattr(life.memory, name))
    life.memory = fresh
    life.guard, life.turn = None, None
    return True


def _marker(root: RootState, run: RunState, out: Outcome) -> bool:
    if run.life is not None:
        return False
    _forget(root, run, out)
    return True


def _belongings(root: RootState, run: RunState, out: Outcome) -> bool:
    life = run.life
    if life is None:
        return False
    run.words.clear()
    _lighten(life)
    return True


def _lighten(life: Life) -> None:
    life.earned = life.earned[-1:]
    life.host_events = []
    if life.stall is not None:
        life.stall.lost = []
        life.stall.evidence = None


def _life(root: RootState, run: RunState, out: Outcome) -> bool:
    speaking = max(root.runs.values(), key=lambda other: other.order)
    if run.life is None or run is speaking:
        return False
    run.life = None
    run.closed_at = run.last_at
    return True


def _forget(root: RootState, run: RunState, out: Outcome) -> None:
    del root.runs[run.run_id]
    if run.last is not None and not run.tombstoned:
        out.expired.append((run.run_id, run.last.version))
