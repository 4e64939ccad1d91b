"""Whatever comes in, a root's encoded state stays under its bound and nothing raises."""

import math
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.engine import Engine
from detectors.events import (
    Ack,
    Answer,
    Compaction,
    Event,
    HaltOrder,
    Limits,
    Milestone,
    Release,
    RunEnded,
    RunStarted,
    Score,
    Step,
    UserInput,
)
from detectors.feature_types import MAX_LINES, Features
from detectors.rules import RuleBook, Rules
from detectors.state import MAX_BYTES, RootState, decode, encode

WIDE = "\U0001f9ff"
"""A character of four bytes."""
ODD = (
    None,
    True,
    False,
    0,
    -1,
    2**53,
    10**400,
    0.5,
    math.nan,
    math.inf,
    -math.inf,
    "",
    "a",
    WIDE * 300,
    b"\xff",
    "\ud800",
)
KINDS = [Step] * 14 + [
    RunStarted,
    RunEnded,
    Compaction,
    UserInput,
    Milestone,
    Score,
    Release,
    Answer,
    HaltOrder,
    Ack,
]


class Hostile:
    """Events with anything in them that their types allow, as large as it may be. Deterministic by seed."""

    def __init__(self, seed: int, runs: int) -> None:
        self.random = Random(seed)
        self.runs = runs
        self.seqs: dict[str, int] = {}

    def event(self) -> Event:
        pick, text, number = self.random.choice, self._text, self._number
        run, ts = self._run(), number()
        attempt = pick([0] * 60 + [1, 2])
        agent: dict[str, Any] = {
            "run_id": run,
            "attempt": attempt,
            "seq": self._seq(run),
            "ts": ts,
            "task": pick([None, self._name()]),
            "agent": pick([None, self._name()]),
            "parent_run_id": self._run(),
        }
        host: dict[str, Any] = {"run_id": run, "attempt": attempt, "ts": ts, "event_id": self._name()}
        word: dict[str, Any] = {
            "run_id": run,
            "attempt": pick([None, 0, 5]),
            "command_id": pick([None, f"{self.random.getrandbits(128):032x}", WIDE * 512]),
            "by": text(),
            "at": ts,
            "note": text(),
        }
        kind = pick(KINDS)
        if kind is Step:
            return self._step(agent)
        others: dict[type, dict[str, Any]] = {
            RunStarted: agent | {"limits": pick([None, Limits(rounds=5, tokens=2**60, cost_usd=1e300)])},
            RunEnded: agent | {"outcome": "failed", "claim": text()},
            Compaction: agent | {"lost": pick([None, [text() for _ in range(50)]])},
            UserInput: agent | {"text": text()},
            Milestone: host | {"id": self._name(), "at_seq": pick([None, 0, 2**53]), "evidence": text()},
            Score: host | {"value": number()},
            Release: word,
            Answer: word | {"go": pick([True, False])},
            HaltOrder: word | {"mode": pick(["graceful", "immediate"])},
            Ack: {"run_id": run, "command_id": self._name(), "status": "done", "detail": text()},
        }
        event: Event = kind(**others[kind])
        return event

    def _step(self, agent: dict[str, Any]) -> Step:
        pick, text, number = self.random.choice, self._text, self._number
        sent = pick([None, None, self._features()])
        return Step(
            **agent,
            tool=self._name(),
            turn=pick([None, self.random.randrange(100), text()]),
            args=None if sent else self._value(3),
            result=None if sent else pick([self._value(3), self._long_answer()]),
            exit_code=pick([None, 0, 1, -(2**60)]),
            error=pick([None, True, False, text()]),
            effect=pick([None, "read", "write", text()]),
            target=pick([None, text()]),
            before_hash=pick([None, text()]),
            after_hash=pick([None, text()]),
            score=number(),
            milestone=pick([None, None, None, self._name()]),
            compaction=pick([True, False, False, False]),
            tokens=pick([None, 5, 2**53]),
            cost_usd=pick([None, 0.5, math.nan, math.inf, 1e308]),
            features=sent,
        )

    def _features(self) -> Features:
        base = self.random.randrange(2**31)

        def hashes(many: int, top: int = 2**32) -> list[int]:
            return [(base * (n + 1) * 2654435761 + n) % top for n in range(many)]

        return Features(
            call=f"{base:016x}",
            answer=f"{base:016x}",
            lines=hashes(MAX_LINES),
            shapes=hashes(MAX_LINES)[::-1],
            total=2**53,
            heads=hashes(128),
            numbers=hashes(16, 2**16),
            effect=self.random.choice(["read", "write", "run", "wait", "unknown"]),
            failed=self.random.random() < 0.5,
            cause=f"{base}" + WIDE * 50,
            target=base,
            region=(-(2**53), 2**53 - base),
            ids=hashes(32),
            words=hashes(32),
            steps=hashes(16),
            said=hashes(32),
            body=base,
            body_shape=base,
        )

    def _seq(self, run: str) -> int:
        """Mostly the next one, or nothing would be judged."""
        following = self.seqs.get(run, 0)
        seq = self.random.choice([*[following] * 12, max(0, following - 3), following + 2])
        self.seqs[run] = max(following, seq + 1)
        return seq if self.random.random() > 0.002 else 2**53

    def _value(self, depth: int) -> Any:
        if depth == 0 or self.random.random() < 0.3:
            return self.random.choice(ODD)
        if self.random.random() < 0.5:
            return [self._value(depth - 1) for _ in range(self.random.randrange(4))]
        keys = (self.random.choice([self._text(), 1, None, "timestamp"]) for _ in range(3))
        return {key: self._value(depth - 1) for key in keys}

    def _run(self) -> str:
        number = self.random.randrange(self.runs)
        return "r" if number == 0 else f"{number:03d}" + WIDE * 500

    def _name(self) -> str:
        return self.random.choice(["x", f"{self.random.randrange(10**6)}" + WIDE * 250])

    def _text(self) -> str:
        return self.random.choice(["", "a", WIDE * 256, f"{self.random.random()} " * 200])

    def _number(self) -> float | None:
        return self.random.choice([None, 0.0, 1.5, 1e12, math.nan, math.inf, -math.inf, self.random.random()])

    def _long_answer(self) -> str:
        seed = self.random.randrange(1, 10**6)
        return "\n".join(f"line {n * seed} of {seed}" for n in range(400))


BOOKS = {
    "default": RuleBook(Rules(silence_s=10.0)),
    "classic": RuleBook(Rules(engine="classic")),
    "observe": RuleBook(Rules(mode="observe")),
}


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(sorted(BOOKS)), st.sampled_from([1, 2, 5, 40]))
def test_the_bound_holds_and_nothing_raises(seed: int, rules: str, runs: int) -> None:
    hostile, engine = Hostile(seed, runs), Engine(BOOKS[rules])
    root, other, at = RootState("r"), RootState("r"), 0.0
    for _ in range(120):
        at += 3.0
        event = hostile.event()
        out = engine.apply(root, event, at=at)
        encoded = encode(root)
        assert len(encoded) <= MAX_BYTES
        # What is given up depends on the events alone: a state that went through bytes stays the same.
        other = decode(encode(other))
        assert engine.apply(other, event, at=at) == out
        assert encode(other) == encoded
    engine.tick(root, now=at + 50.0)
    assert len(encode(root)) <= MAX_BYTES


@settings(max_examples=6, deadline=None)
@given(st.integers(1, 10**6), st.integers(1, 32))
def test_a_long_life_of_new_things_stays_under_the_bound(seed: int, runs: int) -> None:
    engine, root = Engine(BOOKS["default"]), RootState("r")
    hostile = Hostile(seed, runs)
    names = ["r", *(f"{n:03d}" + WIDE * 300 for n in range(1, runs))]
    for n in range(300):
        step = Step(
            run_id=names[n % runs],
            seq=n // runs,
            tool=f"tool {n * seed % 97}" + WIDE * 100,
            args={"path": f"/{n * seed}/{n}.py", "offset": n, "old": f"word {n * seed} " * 20},
            result=hostile._long_answer(),
            after_hash=f"{n}",
            milestone=f"{n}" + WIDE * 200 if n % 7 == 0 else None,
            error="boom " * 50 if n % 5 == 0 else None,
        )
        engine.apply(root, step)
        assert len(encode(root)) <= MAX_BYTES
    assert root.shed == 0 or runs > 1
