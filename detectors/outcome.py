"""What one event did to a run: the return value of the engine."""

from typing import Literal

import msgspec

from detectors.events import Change, Command, Verdict

Status = Literal["applied", "duplicate", "late", "closed", "waiting", "ignored", "refused"]
"""What became of the event: `closed` came after the end of its attempt (late as well), `waiting` is a word
whose command the state has not reached, `ignored` had nothing to change (an answer that nobody asked for),
`refused` could not be applied: `Outcome.problem` says why."""


class Segment(msgspec.Struct, kw_only=True):
    """Steps between two verified milestones, or from the last one to the end of the run."""

    steps: int
    tokens: int
    cost_usd: float
    milestone: bool
    """Whether a milestone closed it; if not, the whole segment earned nothing."""


class Outcome(msgspec.Struct, kw_only=True):
    """Everything that followed from one event, in order."""

    status: Status = "applied"
    problem: str = ""
    """Why the event was refused and what helps, one sentence."""
    gap: int = 0
    """Events that this one skipped."""
    changes: list[Change] = []
    commands: list[Command] = []
    verdicts: list[Verdict] = []
    signals: list[str] = []
    """Reason codes that fired at this event, strongest first."""
    segments: list[Segment] = []
    since_news: int | None = None
    since_milestone: int | None = None
    """Steps since the last news and the last milestone, where the event was an applied step."""
    expired: list[tuple[str, int]] = []
    """(run_id, last version) of runs whose retention has passed: their control record becomes a tombstone."""
