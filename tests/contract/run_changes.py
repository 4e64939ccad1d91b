"""The harmless changes of `case_changes` on generated runs: events that are no steps stay where they are."""

import random
from collections.abc import Callable
from copy import copy
from typing import Any

import msgspec
from case_changes import Change

from bench.generate import Run
from bench.worlds.tape import Stretch
from detectors.events import Milestone, RunEvent, Step
from stallwatch.clients.edge import Edge, EdgeLimits
from streams.codec import decode_event, encode

RunChange = Callable[[Run], Run]


def changed_run(run: Run, change: Change) -> Run:
    """A changed copy: steps numbered anew, stretches and rounds moved along with inserted steps."""
    start, case = _as_case(run)
    change(case)
    foreign: list[bool] = []
    events: list[RunEvent] = []
    timed = start is not None
    for raw in case["steps"]:
        foreign.append(bool(raw.pop("_inserted", False)))
        for event in raw.pop("_before", []):
            events.append(_renumbered(event, events))
        if not timed:
            raw.pop("ts", None)
        elif "ts" in raw:
            raw["ts"] += start
        events.append(msgspec.convert({**raw, "run_id": run.id, "seq": _next(events)}, Step))
    for event in case["after"]:
        events.append(_renumbered(event, events))
    own = [i for i, inserted in enumerate(foreign, 1) if not inserted]
    stretches = [
        Stretch(label=s.label, kind=s.kind, first=own[s.first - 1], last=own[s.last - 1])
        for s in run.stretches
    ]
    return msgspec.structs.replace(
        run, events=events, stretches=stretches, rounds=_rounds(run.rounds, foreign)
    )


def _as_case(run: Run) -> tuple[float | None, dict[str, Any]]:
    """The run's steps as a case whose clock starts at 0; other events hang on the step after them."""
    steps: list[dict[str, Any]] = []
    waiting: list[RunEvent] = []
    times = [
        event.ts for event in run.events if isinstance(event, Step) and isinstance(event.ts, int | float)
    ]
    start = times[0] if times else None
    for event in run.events:
        if not isinstance(event, Step):
            waiting.append(event)
            continue
        raw = msgspec.to_builtins(event)
        if start is not None and "ts" in raw:
            raw["ts"] -= start
        steps.append({**raw, "_before": waiting} if waiting else raw)
        waiting = []
    return start, {"id": run.id, "steps": steps, "after": waiting}


def _next(events: list[RunEvent]) -> int:
    return sum(not isinstance(event, Milestone) for event in events)


def _renumbered(event: RunEvent, events: list[RunEvent]) -> RunEvent:
    if isinstance(event, Milestone):
        return msgspec.structs.replace(event, at_seq=max(0, _next(events) - 1))
    return msgspec.structs.replace(event, seq=_next(events))


def _rounds(rounds: list[int], foreign: list[bool]) -> list[int]:
    """An inserted step is a round of its own."""
    out: list[int] = []
    own, shift = iter(rounds), 0
    last = 0
    for inserted in foreign:
        shift += inserted
        last = last if inserted else next(own)
        out.append(last + shift)
    return out


def delivered_twice(run: Run) -> Run:
    """Every fourth event comes once more, right after itself."""
    events = [
        again for i, event in enumerate(run.events) for again in ([event, event] if i % 4 == 1 else [event])
    ]
    return msgspec.structs.replace(run, events=events)


def permuted_rounds(run: Run) -> Run:
    """The calls of one turn are told in the opposite order."""
    events, by_round = list(run.events), dict[int, list[int]]()
    places = [i for i, event in enumerate(events) if isinstance(event, Step)]
    for place, number in zip(places, run.rounds, strict=True):
        by_round.setdefault(number, []).append(place)
    for same in by_round.values():
        for place, other in zip(same, reversed(same), strict=True):
            here, told = run.events[place], run.events[other]
            assert isinstance(here, Step)
            assert isinstance(told, Step)
            events[place] = msgspec.structs.replace(told, seq=here.seq, ts=here.ts)
    return msgspec.structs.replace(run, events=events)


def jittered_clock(run: Run) -> Run:
    """Turns stay turns: each call's time moves by less than 50 ms."""
    rng = random.Random(9)
    steps: list[RunEvent] = []
    last = 0.0
    for event in run.events:
        if isinstance(event, Step) and isinstance(event.ts, int | float):
            last = max(last, event.ts + rng.random() * 0.05)
            steps.append(msgspec.structs.replace(event, ts=last))
        else:
            steps.append(event)
    return msgspec.structs.replace(run, events=steps)


def features_alone(run: Run) -> Run:
    """No content leaves the agent's machine."""
    return _through(run, Edge(content=False, limits=EdgeLimits()))


def cut_at_the_edge(run: Run) -> Run:
    """Content of at most 256 bytes, the rest as features."""
    return _through(
        run, Edge(content=True, limits=EdgeLimits(args_bytes=256, result_bytes=256, text_bytes=256))
    )


def _through(run: Run, edge: Edge) -> Run:
    """As the worker decodes what the edge let through."""
    events = [copy(event) for event in run.events]
    for event in events:
        if isinstance(event, Step):
            edge.finish(event)
    return msgspec.structs.replace(run, events=[decode_event(encode(event)) for event in events])


EXACT: tuple[RunChange, ...] = (delivered_twice, features_alone, cut_at_the_edge)
"""Not one rung, step or reason may differ."""
NEAR: tuple[RunChange, ...] = (permuted_rounds, jittered_clock)
"""The same stretches are warned."""
