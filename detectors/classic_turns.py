"""The classic guard on a stream: when a turn ends, and what its verdict means on the ladder.

The published guard judges once after all calls of a turn. A stream has no end of turn, so a turn is judged
when the first call of the next one arrives or when the run ends; its verdict is the same, one event later.
Calls belong together as everywhere here: by `turn`; without it by `ts` (each at most 0.1 s after the one
before); without both every call is a turn and judged at once.
"""

import xxhash

from detectors import episodes
from detectors.classic import ClassicReason, ClassicVerdict, Guard
from detectors.commands import publish
from detectors.events import Evidence, Step
from detectors.judge import Finding, Judgement
from detectors.occasion import Occasion, finite
from detectors.rungs import ASK, HALT, changed, halt
from detectors.runs import Turn

TOGETHER_S = 0.1
"""Longest distance between two calls of one turn, by `ts`."""

NEEDS_CONTENT = (
    "the classic rules read arguments and results, this step carries features only: "
    "publish its content, or choose another rule set for this scenario"
)


def has_content(step: Step) -> bool:
    """Whether the guard can read the step."""
    return step.features is None or step.args is not None or step.result is not None


def take(occasion: Occasion, step: Step) -> None:
    """The call is in the guard's history; a turn that it ends is judged before."""
    life = occasion.life
    guard = life.guard
    if guard is None:
        guard = life.guard = Guard()
    key, ts = _key(step.turn), finite(step.ts)
    if life.turn is not None and not _together(life.turn, key, ts):
        end_turn(occasion)
    life.steps += 1
    life.last_seq = step.seq
    guard.record(step.tool, step.args, step.result, step.score, occasion.rules.classic)
    life.turn = Turn(key, ts, step.seq)
    if not key and ts is None:
        end_turn(occasion)


def score(occasion: Occasion, value: float | None) -> None:
    """The oracle says another score from now on."""
    life = occasion.life
    if value is not None:
        life.guard = life.guard if life.guard is not None else Guard()
        life.guard.score = value


def end_turn(occasion: Occasion, *, over: bool = False) -> None:
    """The turn under way is judged, if there is one. `over`: the run has ended, nothing is left to halt."""
    life = occasion.life
    guard, turn = life.guard, life.turn
    if guard is None or turn is None:
        return
    life.turn = None
    verdict = guard.end_turn(occasion.rules.classic)
    if verdict is None:
        return
    occasion.out.signals.append(verdict.reason)
    if not life.halted and life.ladder.rung < HALT:
        _act(occasion, verdict, over=over)


def _act(occasion: Occasion, verdict: ClassicVerdict, *, over: bool) -> None:
    """A verdict is a halt; in advise a question, in observe and after the run's end a verdict only."""
    mode = occasion.rules.mode
    evidence = Evidence(
        steps=occasion.life.steps,
        rounds=guard_turns(occasion),
        seq_to=occasion.life.last_seq,
        calls=list(verdict.recent_fingerprints),
        novelty_ratio=verdict.novelty_ratio,
        best_score=verdict.best_score,
        scores=list(verdict.recent_scores),
        rounds_since_best=verdict.steps_since_improved,
        shares={verdict.reason: 1.0},
    )
    people = _SENTENCES[verdict.reason].format(rules=occasion.rules.classic)
    if mode == "enforce" and not over:
        halt(occasion, reason=verdict.reason, people=people, model=_MODEL, evidence=evidence)
        return
    rung = ASK if mode == "advise" else HALT
    if occasion.life.ladder.rung >= rung:
        return
    seen = Judgement(
        findings=[Finding(reason=verdict.reason, strength=1.0, right="halt", family="calls")],
        reason=verdict.reason,
        shares={verdict.reason: 1.0},
        people=people,
        model=_MODEL,
        evidence=evidence,
    )
    occasion.life.ladder.rung = rung
    if mode == "advise" and not over:
        _ask(occasion, seen)
    changed(occasion, rung, reason=verdict.reason, seen=seen)
    episodes.follow(occasion, seen, rung)


def _ask(occasion: Occasion, seen: Judgement) -> None:
    publish(
        occasion,
        "ask",
        rung=ASK,
        reason=seen.reason,
        people=seen.people,
        model=seen.model,
        evidence=seen.evidence,
    )


def guard_turns(occasion: Occasion) -> int:
    """Turns judged so far."""
    guard = occasion.life.guard
    return guard.turns if guard is not None else 0


def _together(turn: Turn, key: str, ts: float | None) -> bool:
    if key or turn.key:
        return key == turn.key
    return ts is not None and turn.ts is not None and ts - turn.ts <= TOGETHER_S


def _key(turn: int | str | None) -> str:
    if turn is None:
        return ""
    kind = "n" if isinstance(turn, int) else "s"
    return xxhash.xxh3_64_hexdigest(f"{kind}{turn}".encode("utf-8", "surrogatepass"))


_MODEL = "the run makes no progress by the classic rules; stop here"
_SENTENCES: dict[ClassicReason, str] = {
    "exact_repeat": "the last call gave the same answer {rules.repeats} times within {rules.history} calls",
    "oscillation": "the same two or three calls alternate",
    "low_novelty": "fewer than {rules.novelty_floor:.0%} of the last {rules.window} calls differ",
    "no_progress": "the best score has not risen for {rules.patience} calls",
    "turn_limit": "the run took {rules.max_turns} turns",
}
