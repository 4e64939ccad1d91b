"""What the engine says of the scripted agents under the demo's own rules, without a broker."""

from collections.abc import Callable
from importlib import resources

import pytest
from agent_life import Kept, Lived

from detectors import rulefile
from detectors.engine import Engine
from detectors.events import Change, Step
from detectors.state import RootState
from stallwatch.demo.agents import BEHAVIOURS
from stallwatch.demo.agents.behaviour import Behaviour

Lives = Callable[[str], Lived]
RULES = rulefile.parse(
    (resources.files("stallwatch.demo") / "rules.toml").read_text(encoding="utf-8"), "rules.toml"
)
NOTICE, HALT = 1, 4


def judged(kept: Kept) -> list[Change]:
    """Every change of rung; nobody hears the feedback, and a question is not answered."""
    engine, root = Engine(RULES, assume_delivery=True), RootState(kept.events[0].run_id)
    changes: list[Change] = []
    for event in kept.events:
        at = event.ts if isinstance(event.ts, float) else None
        if at is not None:
            changes += engine.tick(root, now=at).changes
        changes += engine.apply(root, event, at=at).changes
    return changes


def name_of(behaviour: Behaviour) -> str:
    return behaviour.name


@pytest.mark.parametrize("behaviour", [b for b in BEHAVIOURS.values() if b.healthy], ids=name_of)
def test_a_healthy_agent_hears_a_notice_at_most(behaviour: Behaviour, lived: Lives) -> None:
    changes = judged(lived(behaviour.name).kept)
    assert max((change.rung for change in changes), default=0) <= NOTICE, changes


@pytest.mark.parametrize("behaviour", [b for b in BEHAVIOURS.values() if not b.healthy], ids=name_of)
def test_a_stuck_agent_is_halted_well_before_its_limit(behaviour: Behaviour, lived: Lives) -> None:
    kept = lived(behaviour.name).kept
    changes = judged(kept)
    assert [change.rung for change in changes][-1] == HALT, changes
    assert changes[-1].step <= 0.6 * behaviour.limit
    # What it had earned by then was earned by verified work before the stall.
    last = next(index for index, step in enumerate(kept.steps, 1) if step.milestone)
    assert last < changes[0].step


@pytest.mark.parametrize(
    ("name", "reasons"),
    [
        ("poll-dead-job", {"idle_wait", "exact_repeat"}),
        ("flip-flop", {"write_churn", "oscillation", "same_error"}),
        ("reread", {"rereading"}),
        ("dry-search", {"no_news"}),
        ("retry-one-cause", {"same_error"}),
    ],
)
def test_the_reason_is_the_kind_of_stall(name: str, reasons: set[str], lived: Lives) -> None:
    assert {change.reason for change in judged(lived(name).kept)} <= reasons


def test_the_stall_after_compactions_is_called_amnesia(lived: Lives) -> None:
    assert judged(lived("reread").kept)[-1].kind == "amnesia"


def test_every_step_is_read_as_it_was_made(lived: Lives) -> None:
    kept = lived("flip-flop").kept
    engine, root = Engine(RULES, assume_delivery=True), RootState("flip-flop")
    outcomes = [engine.apply(root, event) for event in kept.events]
    assert {outcome.status for outcome in outcomes} == {"applied"}
    measured = [outcome.since_news for outcome in outcomes]
    assert [value is not None for value in measured] == [isinstance(event, Step) for event in kept.events]
