"""Kinds of runs, each in words of its own: healthy ones stay silent, stalls are warned of in time."""

from typing import Any

import msgspec
import pytest
from kinds import HEALTHY, STALLS, Kind, steps
from kinds_fields import FIELDS, USER
from kinds_late import LATE, WARNED

from bench.verdict import Verdict, judge_case
from detectors.events import Event, Step, UserInput
from detectors.features import features
from detectors.rules import RuleBook, Rules

BOOK = RuleBook(Rules())


def _judge(events: list[Step]) -> Verdict:
    return judge_case({"id": events[0].run_id}, list[Event](events), BOOK)


@pytest.mark.parametrize("kind", HEALTHY, ids=lambda kind: kind.__name__)
def test_healthy_work_is_left_alone(kind: Kind) -> None:
    verdict = _judge(steps(kind))
    assert verdict.highest == 0, (verdict.first, verdict.texts)


@pytest.mark.parametrize("kind", FIELDS, ids=lambda kind: kind.__name__)
def test_healthy_work_of_other_fields_is_left_alone(kind: Kind) -> None:
    events = [UserInput(run_id=e.run_id, seq=e.seq) if e.tool == USER else e for e in steps(kind)]
    verdict = judge_case({"id": kind.__name__}, events, BOOK)
    assert verdict.highest == 0, (verdict.first, verdict.texts)


@pytest.mark.parametrize("kind", LATE, ids=lambda kind: kind.__name__)
def test_a_third_batch_is_left_alone_but_for_one(kind: Kind) -> None:
    verdict = _judge(steps(kind))
    assert (verdict.highest > 0) == (kind.__name__ in WARNED), (verdict.first, verdict.texts)
    assert verdict.halted is None


@pytest.mark.parametrize(("kind", "by"), STALLS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_stall_is_warned_of_in_time(kind: Kind, by: int) -> None:
    verdict = _judge(steps(kind))
    assert verdict.first is not None
    assert verdict.first <= by


@pytest.mark.parametrize("kind", [*HEALTHY, *(kind for kind, _ in STALLS)], ids=lambda kind: kind.__name__)
def test_features_computed_at_the_edge_lead_to_the_same_verdict(kind: Kind) -> None:
    """Without content, after a way over JSON: the same rungs at the same steps."""
    plain = steps(kind)
    bare = [_without_content(step) for step in plain]
    one, other = _judge(plain), _judge(bare)
    assert (one.first, one.halted, one.reasons, one.texts) == (
        other.first,
        other.halted,
        other.reasons,
        other.texts,
    )


@pytest.mark.parametrize("kind", [*HEALTHY, *(kind for kind, _ in STALLS)], ids=lambda kind: kind.__name__)
def test_opaque_names_change_nothing_for_the_better_or_worse(kind: Kind) -> None:
    """Tools renamed consistently: healthy work stays silent, a stall is still warned of."""
    plain = steps(kind)
    names = {step.tool: f"x{i}" for i, step in enumerate(plain)}
    renamed = [msgspec.structs.replace(step, tool=names[step.tool]) for step in plain]
    one, other = _judge(plain), _judge(renamed)
    assert (one.highest == 0) == (other.highest == 0)


@pytest.mark.parametrize("kind", HEALTHY, ids=lambda kind: kind.__name__)
def test_turns_instead_of_a_clock_never_halt_healthy_work(kind: Kind) -> None:
    verdict = _judge(steps(kind, turns=True, clock=False))
    assert verdict.halted is None


def _without_content(step: Step) -> Step:
    found = msgspec.json.decode(
        msgspec.json.encode(features(step, Rules())), type=type(features(step, Rules()))
    )
    fields: dict[str, Any] = {"args": None, "result": None, "features": found}
    return msgspec.structs.replace(step, **fields)
