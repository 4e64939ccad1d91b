"""What each event means for one run: memory in, judgement out. The engine around it knows runs, seqs and commands.

Interim rule: the same call with the same answer, in a row. The signals replace it.
"""

from typing import Literal

import msgspec

from detectors.events import Evidence, Limits, Lost, Step
from detectors.feature_types import Features
from detectors.memory import Memory
from detectors.rules import Rules

Right = Literal["warn", "ask", "halt"]
Family = Literal["calls", "answers", "effects", "errors", "time", "milestones", "limits"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One signal's finding at a step."""

    reason: str
    """A code of `detectors.catalog`."""
    strength: float
    """0 … 1.5, its part of the dryness or the equivalent."""
    right: Right
    """How far it may lead on its own: a warning, a question, or (with a second family) a halt."""
    family: Family


class Judgement(msgspec.Struct, kw_only=True):
    """What a run looks like after an event."""

    new_round: bool = True
    """The event opened a round (otherwise it belongs to the round before, whose weight was recomputed)."""
    dryness: float = 0.0
    findings: list[Finding] = []
    """Strongest first."""
    reason: str = ""
    """The primary reason code, empty without findings."""
    shares: dict[str, float] = {}
    remedy: Literal["amnesia", "no_gradient", "unclear"] = "unclear"
    people: str = ""
    """One plain sentence: what was seen."""
    model: str = ""
    """What would count as progress; the advice fits the kind."""
    lost: list[Lost] = []
    evidence: Evidence = msgspec.field(default_factory=Evidence)
    since_news: int = 0
    since_milestone: int = 0


def judge_step(memory: Memory, step: Step, features: Features, rules: Rules, *, gap: int = 0) -> Judgement:
    """The memory includes the step afterwards. `gap`: events that never arrived before this one."""
    memory.steps += 1
    same = features.call + features.answer
    memory.repeats = memory.repeats + 1 if same == memory.last and not gap else 1
    memory.last = same
    out = Judgement(since_news=memory.repeats - 1, since_milestone=memory.steps)
    out.dryness = 1 - 0.8 ** (memory.repeats - 1)
    if memory.repeats >= 3:
        out.findings = [Finding(reason="exact_repeat", strength=out.dryness, right="halt", family="answers")]
        out.reason = "exact_repeat"
        out.shares = {"exact_repeat": 1.0}
        out.people = f"the same call gave the same answer {memory.repeats} times in a row"
        out.model = "do something that brings an answer you have not seen yet"
    out.evidence = Evidence(seq_to=step.seq, steps=memory.steps, repeats=memory.repeats, tools=[step.tool])
    return out


def learn_late(memory: Memory, features: Features) -> None:
    """Lines of a step that came late are in the index; no verdict follows from them."""


def note_milestone(memory: Memory, milestone: str, seq: int) -> None:
    """A verified milestone clears the run: dryness 0, counters from here."""
    memory.repeats = 0


def note_score(memory: Memory, value: float | None) -> None:
    """The oracle's sample is known; None, NaN and infinities are no sample."""


def note_compaction(memory: Memory, lost: list[str] | None) -> None:
    """The context was compacted: one pass over the working set is free."""


def note_user_input(memory: Memory) -> None:
    """A person spoke: a fresh episode."""
    memory.repeats = 0


def note_limits(memory: Memory, limits: Limits | None) -> None:
    """The run's own budgets are known."""


def fresh_baseline(memory: Memory) -> None:
    """A person let the run go on: counted from here, what is known stays known."""
    memory.repeats = 0
