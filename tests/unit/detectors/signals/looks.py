"""A look with defaults, for testing one signal at a time."""

from typing import Any

from detectors.feature_types import Features
from detectors.look import Look
from detectors.memory import Call, Fault

WORLD = 3


def look(*, features: dict[str, Any] | None = None, **facts: Any) -> Look:
    """A known, varied call of a reader; each fact can be set."""
    defaults: dict[str, Any] = {
        "call": 1,
        "answer": 2,
        "before": None,
        "unseen": 0,
        "unseen_forms": 0,
        "numeric": "",
        "act": False,
        "bare": False,
        "in_row": True,
        "silent": False,
        "novelty": 0.0,
        "new_ids": 0,
        "new_numbers": 0,
        "new_pair": False,
        "since_news": 9,
        "planned": 0,
        "worklist": False,
        "new_target": False,
        "new_window": False,
        "stale": False,
        "covered": False,
        "known_place": False,
        "write": "",
        "fault": None,
        "gap_s": None,
        "pause_s": None,
        "patience": "",
        "excused": False,
        "lost": False,
        "world": WORLD,
        "tokens": [],
        "unmet": set(),
    }
    shape: dict[str, Any] = {"total": 4, "lines": [1, 2, 3, 4], "shapes": [1, 2, 3, 4]}
    return Look(features=Features(**(shape | (features or {}))), **(defaults | facts))


def again(*, repeats: int = 1, rechecks: int = 0, world: int = WORLD, moves: int = 0) -> Call:
    """The same call with the same answer before."""
    return Call(2, world, repeats, rechecks, moves, 10.0, 10.0, 0)


def fault(count: int, *, world: int = WORLD, call: int = 9, returns: int = 0) -> Fault:
    """The same cause before."""
    return Fault(count, world, call, 10.0, returns)
