"""News and dryness per step of a reported stall beside the healthy case that comes nearest, for each reason."""

from functools import cache
from typing import Any

import msgspec

from bench.convert import case_events, cases
from detectors import dryness
from detectors.engine import Engine
from detectors.events import Step
from detectors.features import features
from detectors.memory import Memory
from detectors.rules import RuleBook, Rules
from detectors.state import RootState

_WIDE = 60
"""Steps that are drawn."""


class Drawn(msgspec.Struct):
    """One case, step by step."""

    id: str
    kind: str
    news: str = ""
    """New lines of each step, 9 for nine and more."""
    level: str = ""
    """Dryness after it in tenths, 9 for nine and more."""
    told: list[tuple[int, str]] = []
    """Step and reason of the first notice."""
    peaks: dict[str, float] = {}
    """The most that each reason made of the dryness."""


def figure(reason: str) -> str:
    """The block for one reason, empty where no reported stall has it."""
    all_drawn = drawn()
    told = [case for case in all_drawn if case.kind == "A" and case.told]
    stalls = [case for case in told if case.told[0][1] == reason]
    stalls += sorted((case for case in told if reason in case.peaks), key=lambda case: -case.peaks[reason])[
        :1
    ]
    calm = [case for case in all_drawn if case.kind == "B" and not case.told]
    if not stalls:
        return ""
    near = max(calm, key=lambda case: (case.peaks.get(reason, 0.0), len(case.news)))
    return (
        "```text\n"
        + _rows(stalls[0], f"notice at step {stalls[0].told[0][0]}")
        + _rows(near, "silent")
        + "```\n"
    )


def _rows(case: Drawn, end: str) -> str:
    number = case.id.split("-")[0]
    news = f"{'stall' if case.kind == 'A' else 'healthy':8s}{number}  new lines  {case.news[:_WIDE]}  {end}\n"
    return news + f"{'':13s}dryness    {case.level[:_WIDE]}\n"


@cache
def drawn() -> tuple[Drawn, ...]:
    """All reported cases."""
    return tuple(_draw(case) for case in cases())


def _draw(case: dict[str, Any]) -> Drawn:
    rules = Rules()
    engine = Engine(RuleBook(rules), assume_delivery=True)
    root = RootState("figure")
    out = Drawn(case["id"], case["kind"], told=[], peaks={})
    for event in case_events(case):
        memory = _memory(root)
        if isinstance(event, Step):
            new = len((memory or Memory()).lines.unseen(features(event, rules).shapes))
        changes = engine.apply(root, event).changes
        if not isinstance(event, Step):
            continue
        out.news += str(min(new, 9))
        memory = _memory(root)
        if memory is not None:
            level = dryness.dryness(memory)
            out.level += str(min(int(level * 10), 9))
            for reason, share in dryness.shares(memory).items():
                out.peaks[reason] = max(out.peaks.get(reason, 0.0), round(share * level, 6))
        out.told += [(len(out.news), change.reason) for change in changes if change.action == "notice"][:1]
    return out


def _memory(root: RootState) -> Memory | None:
    run = next(iter(root.runs.values()), None)
    return run.life.memory if run is not None and run.life is not None else None
