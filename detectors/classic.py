"""The published StagnationGuard to the letter: call-and-answer fingerprints, a score, four verdicts.

It is kept as a baseline (profile `classic`), with what is weak in it: repeats are counted over the whole
history, cycles and novelty look at calls alone, only the last call of a turn is tested for repeats, and it
fires again in every turn. `detectors.classic_turns` feeds it from a stream. Pure and total: no value
raises.
"""

import hashlib
import json
from math import isfinite
from typing import Any, Literal

import msgspec

from detectors.parameters import Classic

VOLATILE_KEYS = frozenset({"timestamp", "request_id", "trace_id", "elapsed_ms", "nonce"})
"""Dropped by exact key, at any depth, from input and result."""
PERIODS = (2, 3)
MAX_DEPTH = 200
"""Levels of nesting that are told apart."""
TOLD = 8
"""Fingerprints and scores in the evidence."""

ClassicReason = Literal["exact_repeat", "oscillation", "low_novelty", "no_progress", "turn_limit"]


class ClassicVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """Why the guard halts the run, with its evidence."""

    reason: ClassicReason
    best_score: float | None
    """None stands for −∞: no score yet."""
    steps_since_improved: int
    novelty_ratio: float
    """Rounded to 3 digits."""
    recent_fingerprints: list[str]
    recent_scores: list[float | None]
    """Rounded to 3 digits; None without a score."""


class Guard(msgspec.Struct, array_like=True):
    """The guard's own state, bounded by its history."""

    calls: list[str] = []
    answers: list[str] = []
    scores: list[float | None] = []
    """The last eight, one for each call."""
    score: float | None = None
    """What the oracle said last; a call without a score of its own leaves the oracle where it is."""
    best: float | None = None
    """None is −∞."""
    since: int = 0
    """Observations since the best score rose."""
    turns: int = 0

    def record(self, tool: str, args: Any, result: Any, score: float | None, rules: Classic) -> None:
        """The call is in the history. O(size of the call).

        Without any score so far there is no oracle and its patience does not run.
        """
        self.calls.append(fingerprint(tool, args))
        self.answers.append(result_digest(result))
        del self.calls[: -rules.history]
        del self.answers[: -rules.history]
        if score is not None:
            self.score = score
        self.scores.append(self.score)
        del self.scores[:-TOLD]
        if self.score is None:
            return
        if self.best is None or self.score > self.best + rules.epsilon:
            # The first observation beats −∞, unless it is NaN, which beats nothing.
            improved = self.score > float("-inf")
            self.best = self.score if improved else self.best
            self.since = 0 if improved else self.since + 1
        else:
            self.since += 1

    def end_turn(self, rules: Classic) -> ClassicVerdict | None:
        """One more turn is over; the guard's verdict on it. O(history)."""
        self.turns += 1
        reason = self.reason(rules)
        if reason is None and self.turns >= rules.max_turns:
            reason = "turn_limit"
        if reason is None:
            return None
        return ClassicVerdict(
            reason=reason,
            best_score=_rounded(self.best),
            steps_since_improved=self.since,
            novelty_ratio=round(self.novelty(rules), 3),
            recent_fingerprints=self.calls[-TOLD:],
            recent_scores=[_rounded(score) for score in self.scores],
        )

    def reason(self, rules: Classic) -> ClassicReason | None:
        """The first that holds, in the published order."""
        if not self.calls:
            return None
        last = (self.calls[-1], self.answers[-1])
        if sum(pair == last for pair in zip(self.calls, self.answers, strict=True)) >= rules.repeats:
            return "exact_repeat"
        tail = self.calls[-rules.window :]
        if any(len(tail) >= 2 * p and tail[-p:] == tail[-2 * p : -p] for p in PERIODS):
            return "oscillation"
        if self.novelty(rules) < rules.novelty_floor:
            return "low_novelty"
        if self.since >= rules.patience:
            return "no_progress"
        return None

    def novelty(self, rules: Classic) -> float:
        """Share of distinct calls in the window; 1.0 until it is full."""
        tail = self.calls[-rules.window :]
        return len(set(tail)) / rules.window if len(tail) >= rules.window else 1.0


def fingerprint(tool: str, args: Any) -> str:
    """First 16 hex of the SHA-256 of {tool, input}."""
    return _digest({"tool": tool, "input": _stripped(args)})


def result_digest(result: Any) -> str:
    """First 16 hex of the SHA-256 of the result."""
    return _digest(_stripped(result))


def _stripped(value: Any, depth: int = 0) -> Any:
    """The value without volatile keys, cut at a fixed depth: the interpreter's own limit is no constant."""
    if isinstance(value, dict):
        if depth == MAX_DEPTH:
            return "{…}"
        return {key: _stripped(v, depth + 1) for key, v in value.items() if key not in VOLATILE_KEYS}
    if isinstance(value, list | tuple):
        return [_stripped(v, depth + 1) for v in value] if depth < MAX_DEPTH else "[…]"
    return value


def _digest(value: Any) -> str:
    try:
        text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=repr)
    except (TypeError, ValueError):
        # Keys of mixed types, where the published guard raises.
        text = repr(value)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _rounded(score: float | None) -> float | None:
    """Three digits; None for what JSON cannot say."""
    if score is None or not isfinite(score):
        return None
    return round(score, 3)
