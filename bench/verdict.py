"""What the engine says of one run, and whether that is right for a case with a known answer."""

from collections.abc import Iterable
from typing import Any

import msgspec

from detectors.engine import Engine
from detectors.events import Event, Step
from detectors.rules import RuleBook
from detectors.state import RootState


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The rungs that a run reached. Steps are counted from 1."""

    case: dict[str, Any]
    first: int | None
    """Step of the first warning."""
    halted: int | None
    highest: int
    reasons: list[str]
    """Of each rung, in order."""
    texts: list[str] = []
    steps: int = 0
    after_first: int = 0
    """Steps after the first warning."""

    @property
    def right(self) -> bool:
        """A: warned in time, not halted too soon. B: silent, or one notice where the case allows it."""
        expect = self.case["expect"]
        if self.case["kind"] == "A":
            too_soon = self.halted is not None and self.halted < expect["never_before"]
            return self.first is not None and self.first <= expect["by_step"] and not too_soon
        if self.halted is not None:
            return False
        return self.highest == 0 or (
            bool(expect.get("soft_ok")) and self.highest == 1 and len(self.reasons) == 1
        )


def judge_case(case: dict[str, Any], events: Iterable[Event], book: RuleBook) -> Verdict:
    """The events of one run through the engine, feedback taken as delivered at the next round. O(events)."""
    engine = Engine(book, assume_delivery=True)
    root = RootState(case["id"])
    step = 0
    first = halted = None
    highest = 0
    reasons: list[str] = []
    texts: list[str] = []
    for event in events:
        step += isinstance(event, Step)
        for change in engine.apply(root, event).changes:
            if change.action != "clear" and change.rung > 0:
                first = step if first is None else first
            if change.action == "halt":
                halted = step if halted is None else halted
            if change.rung > 0:
                reasons.append(change.reason)
                texts.append(change.text)
            highest = max(highest, change.rung)
    return Verdict(
        case=case,
        first=first,
        halted=halted,
        highest=highest,
        reasons=reasons,
        texts=texts,
        steps=step,
        after_first=step - first if first is not None else 0,
    )
