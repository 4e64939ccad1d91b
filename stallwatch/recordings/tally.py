"""What was counted of one run: the closing object of `replay --summary`."""

from typing import Literal

import msgspec

from detectors.events import Change, Outcome, Reached

MAX_MILESTONES = 256
"""Listed by name; beyond that they are only counted."""


class Tally(msgspec.Struct, kw_only=True):
    """One attempt of a run, as far as the input went."""

    summary: Literal[True] = True
    run_id: str
    attempt: int
    task: str | None = None
    steps: int = 0
    """Steps that were judged: no duplicates, none that came late."""
    last_seq: int = 0
    """`seq` of the last judged step."""
    rung: int = 0
    """Where the run stood at the end."""
    action: str = "clear"
    highest_rung: int = 0
    reason: str | None = None
    """The primary reason at the highest rung; null for a run that stayed clear."""
    kind: str | None = None
    text: str | None = None
    """One sentence: what was seen when the highest rung was taken."""
    first_warning_step: int | None = None
    halt_step: int | None = None
    milestones: list[Reached] = []
    milestones_total: int = 0
    tokens: int = 0
    tokens_since_milestone: int = 0
    cost_usd: float = 0.0
    duplicates: int = 0
    late: int = 0
    missing: int = 0
    """Events that never arrived, as far as the numbering tells."""
    outcome: Outcome | None = None
    """How the run ended by its own word; null if the input does not say."""

    def note_change(self, change: Change) -> None:
        """The run's place on the ladder includes the change."""
        self.rung = change.rung
        self.action = change.action
        if change.rung and self.first_warning_step is None:
            self.first_warning_step = change.step
        if change.rung == 4 and self.halt_step is None:
            self.halt_step = change.step
        if change.rung > self.highest_rung:
            self.highest_rung = change.rung
            self.reason, self.kind, self.text = change.reason, change.kind, change.text

    def note_milestone(self, milestone: str, seq: int) -> None:
        """The milestone is listed and the tokens count from here."""
        self.milestones_total += 1
        self.tokens_since_milestone = 0
        if len(self.milestones) < MAX_MILESTONES:
            self.milestones.append(Reached(id=milestone, seq=seq))
