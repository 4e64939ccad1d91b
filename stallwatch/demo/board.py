"""What is known of each run while the demo goes on: told by the agents' host and by the worker's topics."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from detectors.events import Command, Verdict
from detectors.ladder import RUNGS
from stallwatch.demo.agents.behaviour import Behaviour
from stallwatch.demo.fleet import HowStopped
from stallwatch.demo.messages import FromAgent, Over, Stepped

Status = Literal["waiting", "running", "finished", "halted", "at its limit", "stopped", "failed"]
"""`halted`: stopped because stallwatch said so; `stopped`: because the demo ended; `failed`: by itself."""


@dataclass(slots=True)
class Row:
    """One run."""

    behaviour: Behaviour
    status: Status = "waiting"
    steps: int = 0
    call: str = ""
    tokens: int = 0
    milestones: list[str] = field(default_factory=list)
    since_news: int | None = None
    since_milestone: int | None = None
    rung: int = 0
    reason: str = ""
    why: str = ""
    """The last thing that was said of it, one sentence for people."""
    ebbed: bool = False
    """Its episode was closed; whether by a recovery or by the run's end shows with the next step, or without."""
    halt: Command | None = None
    stopped_how: HowStopped | None = None
    undelivered: int = 0
    tokens_since_milestone: int = 0
    steps_since_milestone: int = 0

    @property
    def run_id(self) -> str:
        """Its id, which is its behaviour's name."""
        return self.behaviour.name

    @property
    def over(self) -> bool:
        """Nothing more will come of it."""
        return self.status not in ("waiting", "running")


class Board:
    """A row per run. `say(run_id, sentence)` hears of everything worth a line."""

    def __init__(self, behaviours: Iterable[Behaviour], say: Callable[[str, str], None]) -> None:
        self.rows = {behaviour.name: Row(behaviour) for behaviour in behaviours}
        self.judged_at_all = False
        """Whether any verdict or command about one of the runs has come."""
        self._say = say

    def started(self, run_id: str) -> None:
        """Its process was started."""
        row = self.rows[run_id]
        row.status = "running"
        self._say(run_id, f"starts: {row.behaviour.about}")

    def heard(self, run_id: str, message: FromAgent) -> None:
        """The agent's process said something."""
        row = self.rows[run_id]
        if isinstance(message, Stepped):
            row.steps, row.call = message.step, message.call
            row.tokens += message.tokens
            row.tokens_since_milestone += message.tokens
            row.steps_since_milestone += 1
            if row.ebbed:
                self._recovered(row)
            if message.milestone is not None:
                row.milestones.append(message.milestone)
                row.tokens_since_milestone = row.steps_since_milestone = 0
                self._say(run_id, f"step {message.step}: milestone {message.milestone}, verified")
        elif isinstance(message, Over):
            row.undelivered = message.undelivered
            if message.ending == "completed":
                row.status = "finished"
                self._say(run_id, f"finished after {row.steps} steps")
            elif message.ending == "limit":
                row.status = "at its limit"
                self._say(run_id, f"ran to its limit of {row.steps} steps")

    def ended(self, run_id: str, exit_code: int, last_words: str = "") -> None:
        """Its process is gone; `last_words` tell of what went wrong, if something did."""
        row = self.rows[run_id]
        if not row.over:
            row.status = "failed" if row.halt is None and exit_code else "stopped"
            if row.status == "failed":
                self._say(run_id, f"ended with exit code {exit_code} after {row.steps} steps: {last_words}")

    def commanded(self, command: Command) -> None:
        """The worker wants something of the run."""
        row = self.rows.get(command.run_id)
        if row is None:
            return
        self.judged_at_all = True
        row.rung, row.reason, row.ebbed = command.rung, command.reason, False
        if command.text is not None:
            row.why = command.text.people
        if command.action == "halt":
            row.halt = command
        self._say(command.run_id, f"{command.action} ({command.reason or 'no reason'}): {row.why}")

    def judged(self, verdict: Verdict) -> None:
        """An episode of the run was opened, went on, or was closed."""
        row = self.rows.get(verdict.run_id)
        if row is None:
            return
        self.judged_at_all = True
        if row.halt is not None:
            return
        # The end of a run closes its episode too, and is no recovery: the row stays where the run stood.
        row.ebbed = verdict.rung == 0 and row.rung > 0
        if verdict.rung:
            row.rung, row.reason = verdict.rung, verdict.reason

    def measured(self, run_id: str, since_news: int | None, since_milestone: int | None) -> None:
        """How long ago the last news and the last milestone of the run were, in steps."""
        row = self.rows.get(run_id)
        if row is not None:
            row.since_news, row.since_milestone = since_news, since_milestone

    def stopped(self, command: Command, how: HowStopped) -> None:
        """The orchestrator has ended the run's process."""
        row = self.rows[command.run_id]
        row.stopped_how = how
        if row.status in ("running", "stopped"):
            row.status = "halted"
            self._say(command.run_id, f"halted at step {row.steps}, its process ended {how}")

    def _recovered(self, row: Row) -> None:
        row.rung, row.reason, row.ebbed = 0, "", False
        self._say(row.run_id, "clear again")

    @property
    def over(self) -> bool:
        """Every run is over."""
        return all(row.over for row in self.rows.values())


def rung_name(row: Row) -> str:
    """`clear`, `notice` …, or that it has not begun, or how it ended."""
    return RUNGS[row.rung] if row.status == "running" else row.status
