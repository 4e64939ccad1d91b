"""The classic profile against a straightforward reading of the published guard, over the cases and random runs.

The version here keeps every call for ever and computes each verdict anew from the whole list; it shares nothing
with `detectors.classic`.
"""

import hashlib
import json
import math
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.classic import Guard
from detectors.engine import Engine
from detectors.events import RunEnded, Step
from detectors.parameters import Classic
from detectors.rulefile import profile
from detectors.state import RootState

CASES = sorted((Path(__file__).parents[1] / "cases").glob("*.json"))
CLASSIC = Classic()


class Call(NamedTuple):
    """One call as the guard sees it."""

    tool: str
    args: Any
    result: Any
    score: float | None


class Told(NamedTuple):
    """A verdict with its evidence."""

    reason: str
    best: float | None
    since: int
    novelty: float
    calls: list[str]
    scores: list[float | None]


def _without_volatile(value: Any) -> Any:
    if isinstance(value, dict):
        dropped = ("timestamp", "request_id", "trace_id", "elapsed_ms", "nonce")
        return {k: _without_volatile(v) for k, v in value.items() if k not in dropped}
    if isinstance(value, list):
        return [_without_volatile(v) for v in value]
    return value


def _hex(value: Any) -> str:
    text = json.dumps(_without_volatile(value), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _three(score: float | None) -> float | None:
    return None if score is None or not math.isfinite(score) else round(score, 3)


def straightforward(turns: list[list[Call]]) -> list[Told | None]:
    """The verdict after each turn."""
    verdicts: list[Told | None] = []
    calls: list[Call] = []
    for number, turn in enumerate(turns, start=1):
        calls += turn
        prints = [_hex({"tool": c.tool, "input": c.args}) for c in calls]
        pairs = list(zip(prints, [_hex(c.result) for c in calls], strict=True))[-64:]
        scores: list[float | None] = []
        for call in calls:
            scores.append(call.score if call.score is not None else scores[-1] if scores else None)
        best, since = -math.inf, 0
        for score in scores:
            if score is None:
                continue
            better = score > best + 1e-9
            best, since = (score, 0) if better else (best, since + 1)
        tail = prints[-8:]
        novelty = len(set(tail)) / 8 if len(tail) == 8 else 1.0
        reason = None
        if pairs.count(pairs[-1]) >= 3:
            reason = "exact_repeat"
        elif (len(tail) >= 4 and tail[-2:] == tail[-4:-2]) or (len(tail) >= 6 and tail[-3:] == tail[-6:-3]):
            reason = "oscillation"
        elif novelty < 0.34:
            reason = "low_novelty"
        elif since >= 6:
            reason = "no_progress"
        elif number >= 50:
            reason = "turn_limit"
        told = None
        if reason is not None:
            told = Told(
                reason, _three(best), since, round(novelty, 3), tail, [_three(s) for s in scores[-8:]]
            )
        verdicts.append(told)
    return verdicts


def _by_guard(turns: list[list[Call]]) -> list[Told | None]:
    guard = Guard()
    verdicts: list[Told | None] = []
    for turn in turns:
        for call in turn:
            guard.record(call.tool, call.args, call.result, call.score, CLASSIC)
        v = guard.end_turn(CLASSIC)
        told = None
        if v is not None:
            told = Told(
                v.reason,
                v.best_score,
                v.steps_since_improved,
                v.novelty_ratio,
                v.recent_fingerprints,
                v.recent_scores,
            )
        verdicts.append(told)
    return verdicts


def _by_engine(turns: list[list[Call]], *, by_clock: bool) -> tuple[list[str], Told | None, int | None]:
    """(reasons in order, evidence of the halt, step at which the halted turn ended)."""
    engine, root = Engine(profile("classic")), RootState("r")
    reasons: list[str] = []
    halt, step_of_halt, seq = None, None, 0
    for number, turn in enumerate(turns):
        for place, call in enumerate(turn):
            when: dict[str, Any] = {"ts": 10.0 * number + 0.05 * place} if by_clock else {"turn": number}
            step = Step(
                run_id="r",
                seq=seq,
                tool=call.tool,
                args=call.args,
                result=call.result,
                score=call.score,
                **when,
            )
            out = engine.apply(root, step)
            reasons += out.signals
            for command in out.commands:
                evidence = command.evidence
                assert halt is None
                assert evidence is not None
                halt = Told(
                    command.reason,
                    evidence.best_score,
                    evidence.rounds_since_best,
                    evidence.novelty_ratio or 0.0,
                    evidence.calls,
                    evidence.scores,
                )
                step_of_halt = out.changes[0].step
            seq += 1
    reasons += engine.apply(root, RunEnded(run_id="r", seq=seq, outcome="completed")).signals
    return reasons, halt, step_of_halt


def _agree(turns: list[list[Call]], *, by_clock: bool = False) -> None:
    expected = straightforward(turns)
    assert _by_guard(turns) == expected
    reasons, halt, step = _by_engine(turns, by_clock=by_clock)
    assert reasons == [told.reason for told in expected if told is not None]
    first = next((n for n, told in enumerate(expected) if told is not None), None)
    # The stream learns that a turn is over from the next one; after the last there is nothing left to halt.
    if first is None or first == len(turns) - 1:
        assert halt is None
    else:
        assert halt == expected[first]
        assert step == sum(len(turn) for turn in turns[: first + 1])


def _turns_of(case: dict[str, Any]) -> list[list[Call]]:
    turns: list[list[Call]] = []
    before = None
    for step in case["steps"]:
        call = Call(step["tool"], step.get("args"), step.get("result"), step.get("score"))
        if before is not None and step["ts"] - before <= 0.1:
            turns[-1].append(call)
        else:
            turns.append([call])
        before = step["ts"]
    return turns


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_over_the_cases(path: Path) -> None:
    _agree(_turns_of(json.loads(path.read_text("utf-8"))))


def test_the_cases_are_there_and_give_verdicts_of_more_than_one_kind() -> None:
    assert len(CASES) == 47
    told = [straightforward(_turns_of(json.loads(path.read_text("utf-8")))) for path in CASES]
    reasons = {verdict.reason for verdicts in told for verdict in verdicts if verdict is not None}
    assert {"exact_repeat", "oscillation", "low_novelty"} <= reasons


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 6), st.integers(1, 70), st.booleans(), st.booleans())
def test_over_random_runs(seed: int, letters: int, length: int, scored: bool, by_clock: bool) -> None:
    random = Random(seed)
    pick = random.choice

    def call() -> Call:
        args = {
            "a": random.randrange(letters),
            "nonce": random.random(),
            "deep": [{"timestamp": random.random()}],
        }
        result = pick([{"r": random.randrange(2 * letters), "elapsed_ms": random.random()}, "é", None, 1.5])
        score = (
            pick([None, 0.5, round(random.random(), 4), math.nan, math.inf, -math.inf]) if scored else None
        )
        return Call(pick(["read", "write"]), args, result, score)

    _agree([[call() for _ in range(pick([1, 1, 1, 2, 3]))] for _ in range(length)], by_clock=by_clock)
