"""Stalls that ignore all feedback: the dry tail of each stalled case goes on for thirty rounds; who is halted?

`python -m bench.ignored`. A case that ends within its stall cannot show a halt, so its last lap is repeated until
thirty rounds have followed the first warning. The step after the last news begins the lap; where the case has a
clock, the lap's own pace goes on.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from bench.convert import case_events, case_folders, cases
from bench.verdict import judge_case
from detectors.events import Event, Step
from detectors.rules import RuleBook, Rules

ROUNDS = 30
LAP = 8
"""Steps of the tail that are repeated."""


def main() -> None:
    book = RuleBook(Rules())
    stalls = [case for folder in case_folders() for case in cases(folder) if case["kind"] == "A"]
    halted: Counter[str] = Counter()
    all_of: Counter[str] = Counter()
    for case in stalls:
        events = case_events(case)
        first = judge_case(case, events, book).first
        longer = [*events, *_tail(events, (first or len(events)) + ROUNDS - len(events))]
        verdict = judge_case(case, longer, book)
        reason = verdict.reasons[-1] if verdict.reasons else "silent"
        all_of[reason] += 1
        halted[reason] += verdict.halted is not None
        end = f"halted {verdict.halted}" if verdict.halted else f"rung {verdict.highest}"
        print(f"{case['id'][:40]:40s} warned {first!s:>4} of {len(longer):3d}  {end:12s} {reason}")
    print()
    for reason, count in sorted(all_of.items()):
        print(f"{reason:14s} {halted[reason]:3d} of {count:3d} halted")
    print(
        f"{'all':14s} {halted.total():3d} of {all_of.total():3d} halted within {ROUNDS} rounds of the first warning"
    )


def _tail(events: list[Event], wanted: int) -> Iterator[Step]:
    """The last lap again and again, numbered and timed as it would go on."""
    steps = [event for event in events if isinstance(event, Step)][-LAP:]
    last = steps[-1].seq
    start, end = _time(steps[0]), _time(steps[-1])
    lap_s = (end - start) * LAP / (LAP - 1) if start is not None and end is not None else None
    for i in range(max(0, wanted)):
        step = steps[i % len(steps)]
        changes: dict[str, Any] = {"seq": last + 1 + i, "milestone": None, "compaction": False}
        at = _time(step)
        if lap_s is not None and at is not None:
            changes["ts"] = at + lap_s * (i // len(steps) + 1)
        yield msgspec.structs.replace(step, **changes)


def _time(step: Step) -> float | None:
    return float(step.ts) if isinstance(step.ts, int | float) else None


if __name__ == "__main__":
    main()
