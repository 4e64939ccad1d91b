"""What a replay found, for people: one plain sentence per change of rung, and what it came to."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from detectors.events import Change
from detectors.ladder import RUNGS
from stallwatch.console import BLOCK_ROWS
from stallwatch.recordings.replay import Totals
from stallwatch.recordings.tally import Tally
from stallwatch.terminal_text import counted, printable, shortened

STYLES = {"clear": "green", "notice": "cyan", "replan": "yellow", "ask": "magenta", "halt": "bold red"}
"""Colours of the rungs, by action."""
_RUN_WIDTH = 28


class ChangeTable:
    """Collects changes and prints them as tables of at most `BLOCK_ROWS` rows."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._changes: list[Change] = []

    def add(self, change: Change) -> None:
        """The change is in the table; a full table has been printed."""
        self._changes.append(change)
        if len(self._changes) == BLOCK_ROWS:
            self.flush()

    def flush(self) -> None:
        """Everything that was added has been printed."""
        if not self._changes:
            return
        table = Table(show_edge=False, pad_edge=False, header_style="bold")
        table.add_column("run", no_wrap=True)
        table.add_column("step", justify="right", no_wrap=True)
        table.add_column("rung", no_wrap=True)
        table.add_column("reason", no_wrap=True)
        table.add_column("what was seen", ratio=1, overflow="fold")
        for change in self._changes:
            table.add_row(
                Text(run_name(change.run_id, change.attempt)),
                str(change.step),
                Text(change.action, style=STYLES[change.action]),
                Text(change.reason),
                Text(printable(change.text)),
            )
        self._changes.clear()
        self._console.print(table)


def run_name(run_id: str, attempt: int) -> str:
    """The run as a table shows it: the attempt only where it is not the first."""
    name = shortened(run_id, _RUN_WIDTH)
    return f"{name} ({attempt})" if attempt else name


def summary_table(tallies: list[Tally]) -> Table:
    """One row per run."""
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for name in ("run", "steps", "highest rung", "reason", "first warning", "milestones", "tokens"):
        table.add_column(name, no_wrap=True, justify="right" if name in _NUMBERS else "left")
    for tally in tallies:
        action = RUNGS[tally.highest_rung]
        table.add_row(
            Text(run_name(tally.run_id, tally.attempt)),
            f"{tally.steps:,}",
            Text(action, style=STYLES[action]),
            Text(tally.reason or "–"),
            "–" if tally.first_warning_step is None else f"step {tally.first_warning_step}",
            str(tally.milestones_total),
            f"{tally.tokens:,}",
        )
    return table


_NUMBERS = {"steps", "milestones", "tokens"}


def closing_sentence(totals: Totals, skipped: int) -> str:
    """What the input came to, in one line."""
    warned = sum(totals.by_rung[1:])
    sentence = f"{counted(totals.steps, 'step')} of {counted(totals.runs, 'run')}: "
    if not warned:
        sentence += "none was warned" if totals.runs != 1 else "it was not warned"
    else:
        parts = [
            f"{count:,} {what}"
            for count, what in zip(
                reversed(totals.by_rung[1:]),
                ("halted", "up to ask", "up to replan", "up to notice"),
                strict=True,
            )
            if count
        ]
        sentence += ", ".join(parts) + f", {totals.by_rung[0]:,} clear"
    extras = [
        counted(count, noun)
        for count, noun in ((totals.duplicates, "duplicate"), (skipped, "unreadable line"))
        if count
    ]
    if totals.late:
        extras.append(f"{totals.late:,} late")
    if totals.missing:
        extras.append(f"{totals.missing:,} missing")
    return sentence + (f" ({', '.join(extras)})" if extras else "") + "."
