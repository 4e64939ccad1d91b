"""What is said of generated runs does not hang on names, wrappers, volatile parts, order or what the edge withholds."""

import pytest
from case_changes import CHANGES, Change
from run_changes import EXACT, NEAR, RunChange, changed_run

from bench.detection import rises, seen
from bench.generate import Run, generate
from detectors.rules import RuleBook, Rules

BOOK = RuleBook(Rules())
RUNS = [run for run in generate(12, 260) if run.plan in {"healthy", "stall"}][::2]

MAY_CHANGE: dict[str, frozenset[str]] = {
    "without_ts": frozenset(
        (
            "tight_poll",
            "wait_never_started",
            "ops/heartbeats",
            "ops/nightly_job",
            "ops/pipeline_wait",
            "coding/parallel_probes",
            "ops/probes_from_everywhere",
        )
    ),
    "without_before_hash_and_after_hash": frozenset(
        ("noop_write", "dead_control", "browsing/date_picker", "browsing/keyboard_steps")
    ),
    "named_agent": frozenset(("coding/review_by_sub_agents",)),
}
"""Kinds whose verdict the change may take away or bring: waiting and turns need a clock, a silent write its hashes,
and agents that share a name share a memory."""
LOST: dict[str, int] = {
    "without_exit_code": 1,
    "without_ts": 1,
    "without_before_hash_and_after_hash": 1,
    "wrapped_as_content": 2,
    "wrapped_as_json_text": 2,
    "volatile_footer": 2,
    "stray_news_between": 3,
}
"""Stalls that a change hides, by change. It may only get shorter."""
NEW: dict[str, int] = {
    "opaque_keys": 1,
    "without_before_hash_and_after_hash": 1,
    "wrapped_as_content": 3,
    "wrapped_as_json_text": 1,
    "volatile_footer": 3,
    "todo_between": 1,
}
"""Healthy stretches that are warned under a change alone, by change. It may only get shorter."""

Told = list[tuple[str, str, bool]]


def _told(run: Run) -> Told:
    return [(part.stretch.label, part.stretch.kind, bool(part.rises)) for part in seen(run, BOOK)]


BEFORE = [_told(run) for run in RUNS]


def _differences(name: str, after: list[Told]) -> tuple[list[str], list[str]]:
    free = MAY_CHANGE.get(name, frozenset())
    pairs = [
        (label, kind, was, now)
        for old, new in zip(BEFORE, after, strict=True)
        for (label, kind, was), (_, _, now) in zip(old, new, strict=True)
        if kind not in free
    ]
    lost = [kind for label, kind, was, now in pairs if label == "stall" and was and not now]
    return lost, [kind for label, kind, was, now in pairs if label == "healthy" and now and not was]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_harmless_change_hides_no_stall_and_warns_no_work(change: Change) -> None:
    name = change.__name__
    lost, new = _differences(name, [_told(changed_run(run, change)) for run in RUNS])
    assert len(lost) <= LOST.get(name, 0), lost
    assert len(new) <= NEW.get(name, 0), new
    assert bool(lost) == (name in LOST), "nothing is hidden any more: take it off the table"
    assert bool(new) == (name in NEW), "nothing is warned any more: take it off the table"


@pytest.mark.parametrize("change", NEAR, ids=lambda change: change.__name__)
def test_order_and_jitter_within_a_turn_say_nothing(change: RunChange) -> None:
    lost, new = _differences(change.__name__, [_told(change(run)) for run in RUNS])
    assert len(lost) <= LOST.get(change.__name__, 0), lost
    assert len(new) <= NEW.get(change.__name__, 0), new


@pytest.mark.parametrize("change", EXACT, ids=lambda change: change.__name__)
def test_repeats_and_the_edge_change_nothing_at_all(change: RunChange) -> None:
    for run in RUNS:
        assert rises(run.id, change(run).events, BOOK) == rises(run.id, run.events, BOOK), run.id


def test_changes_do_change_something_and_leave_the_labels_whole() -> None:
    for change in CHANGES:
        others = [changed_run(run, change) for run in RUNS[:60]]
        assert any(other.events != run.events for other, run in zip(others, RUNS, strict=False)), (
            change.__name__
        )
        for other, run in zip(others, RUNS, strict=False):
            assert [s.kind for s in other.stretches] == [s.kind for s in run.stretches]
            assert other.stretches[-1].last <= len(other.rounds)
    for run_change in (*EXACT, *NEAR):
        assert any(run_change(run).events != run.events for run in RUNS), run_change.__name__


def test_there_is_something_to_hide() -> None:
    assert sum(was for told in BEFORE for label, _, was in told if label == "stall") >= 15
