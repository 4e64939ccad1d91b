"""A judgement that does what a step's arguments say, so that the life around it can be tested on its own.

`args={"rung": 2}` asks for rung 2 (one up at a time, as the ladder does), `news` for since_news 0, `reason`, `round`.
"""

from typing import Any

import pytest

from detectors.engine import Engine
from detectors.events import Change, Command, Event, Evidence, Step
from detectors.feature_types import Features
from detectors.judge import Finding, Judgement
from detectors.ladder import Ladder
from detectors.memory import Memory
from detectors.outcome import Outcome
from detectors.rules import RuleBook, Rules
from detectors.state import RootState, RunState

DELIVERED: list[int] = []
"""Rungs at which feedback was reported as delivered, in the present test."""


def install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine judges by script for the rest of the test."""
    DELIVERED.clear()
    monkeypatch.setattr("detectors.judge.judge_step", _judge_step)
    monkeypatch.setattr("detectors.rungs.climb", _climb)
    monkeypatch.setattr("detectors.rungs.feedback_delivered", lambda ladder: DELIVERED.append(ladder.rung))
    monkeypatch.setattr("detectors.engine.features", lambda step, rules: Features())


def _judge_step(memory: Memory, step: Step, features: Features, rules: Rules, *, gap: int = 0) -> Judgement:
    memory.steps += 1
    asked: dict[str, Any] = step.args or {}
    rung = asked.get("rung", 0)
    reason = asked.get("reason", "no_news") if rung else ""
    seen = Judgement(
        dryness=float(rung),
        new_round=asked.get("round", True),
        reason=reason,
        shares={reason: 1.0} if reason else {},
        people=f"{reason} seen" if reason else "",
        model="do something else",
        evidence=Evidence(seq_from=0, seq_to=step.seq, dryness=float("nan") if asked.get("nan") else 0.5),
        since_news=0 if asked.get("news", rung == 0) else 1,
    )
    if rung:
        seen.findings = [Finding(reason=reason, strength=1.0, right="halt", family="answers")]
    return seen


def _climb(ladder: Ladder, judgement: Judgement, rules: Rules) -> int:
    wanted = int(judgement.dryness)
    ladder.rung = min(wanted, ladder.rung + 1)
    return ladder.rung


class World:
    """One root and everything that came out of it."""

    def __init__(self, rules: Rules | None = None, *, assume_delivery: bool = False, root: str = "r") -> None:
        self.engine = Engine(RuleBook(rules or Rules()), assume_delivery=assume_delivery)
        self.root = RootState(root)
        self.seqs: dict[tuple[str, int], int] = {}
        self.commands: list[Command] = []
        self.changes: list[Change] = []

    @property
    def run(self) -> RunState:
        """The root's own run."""
        return self.root.runs[self.root.root_id]

    def do(self, event: Event, at: float | None = None) -> Outcome:
        """The event is applied."""
        out = self.engine.apply(self.root, event, at=at)
        self.commands += out.commands
        self.changes += out.changes
        return out

    def step(
        self, rung: int = 0, at: float | None = None, *, run: str = "r", attempt: int = 0, **fields: Any
    ) -> Outcome:
        """The run's next step, asking for a rung."""
        asked = {"rung": rung} | {k: fields.pop(k) for k in ("news", "reason", "round", "nan") if k in fields}
        fields.setdefault("seq", self.seqs.get((run, attempt), 0))
        self.seqs[run, attempt] = max(fields["seq"] + 1, self.seqs.get((run, attempt), 0))
        return self.do(Step(run_id=run, attempt=attempt, tool="t", args=asked, **fields), at)

    def climb(self, rung: int, at: float | None = None, **fields: Any) -> Command:
        """Steps until the run has climbed to this rung; the command that came with it."""
        out = Outcome()
        for _ in range(rung):
            out = self.step(rung, at, **fields)
        return out.commands[-1]
