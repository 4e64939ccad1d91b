"""What a person sees while the demo runs: a live table on a terminal, plain lines anywhere else."""

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Protocol, Self, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from stallwatch.demo.board import Board, Row, rung_name
from stallwatch.terminal_text import shortened

LAST_LINES = 3
STYLES = {
    "clear": "green",
    "notice": "yellow",
    "replan": "dark_orange",
    "ask": "magenta",
    "halt": "bold red",
    "halted": "bold red",
    "finished": "bold green",
    "waiting": "dim",
    "at its limit": "bold red",
    "failed": "bold red",
    "stopped": "dim",
}


class Display(Protocol):
    """Where the demo shows itself; opened and closed as a context."""

    def say(self, who: str, sentence: str) -> None:
        """Something happened to a run, or (`who` empty) to the demo."""

    def refresh(self, board: Board) -> None:
        """The board has changed, perhaps. Raises `OSError` if nobody is there to see it."""

    def __enter__(self) -> Self:
        """Open."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closed; the terminal is as it was."""


def display(stream: TextIO = sys.stdout) -> Display:
    """A live table if the stream is a terminal that can show one, plain lines otherwise."""
    console = Console(file=stream)
    return LiveTable(console) if console.is_terminal and not console.is_dumb_terminal else PlainLines(stream)


class PlainLines:
    """One line for each thing that happens, with the seconds since the start; no control codes."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._start = clock()
        self._broken: OSError | None = None

    def say(self, who: str, sentence: str) -> None:
        """The line is out, or the next `refresh` raises."""
        since = self._clock() - self._start
        try:
            self._stream.write(shortened(f"{since:5.1f} s  {who:<17}  {sentence}", 400).rstrip() + "\n")
            self._stream.flush()
        except OSError as error:
            # Not raised from here: whoever has something to say is in the middle of something else.
            self._broken = error

    def refresh(self, board: Board) -> None:
        """Lines come when something happens. Raises `OSError` if nobody can read them any more."""
        if self._broken is not None:
            raise self._broken

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing has to be undone."""


class LiveTable:
    """The board, redrawn in place, with the last few things that happened below it."""

    def __init__(self, console: Console) -> None:
        self._lines: list[str] = []
        self._live = Live(console=console, auto_refresh=False, vertical_overflow="crop")

    def say(self, who: str, sentence: str) -> None:
        """The line is below the table from the next refresh on."""
        self._lines = [*self._lines, f"{who}: {sentence}" if who else sentence][-LAST_LINES:]

    def refresh(self, board: Board) -> None:
        """The terminal shows the board as it is now."""
        width = max(self._live.console.width - 1, 20)
        below = [Text(shortened(line, width), style="dim") for line in self._lines]
        self._live.update(Group(table(board), *below), refresh=True)

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()


def table(board: Board) -> Table:
    """The board as a table."""
    shown = Table(box=None, expand=True, pad_edge=False, header_style="bold")
    shown.add_column("run", no_wrap=True)
    shown.add_column("step", justify="right", no_wrap=True)
    shown.add_column("last call", ratio=1, no_wrap=True, overflow="ellipsis")
    shown.add_column("news", justify="right", no_wrap=True)
    shown.add_column("milestone", justify="right", no_wrap=True)
    shown.add_column("rung", no_wrap=True)
    shown.add_column("reason", no_wrap=True)
    for row in board.rows.values():
        shown.add_row(*_cells(row))
    return shown


def _cells(row: Row) -> tuple[Text | str, ...]:
    name = rung_name(row)
    return (
        Text(row.run_id, style="" if row.behaviour.healthy else "bold"),
        str(row.steps or ""),
        Text(shortened(row.call, 120), style="dim"),
        _ago(row.since_news),
        _ago(row.since_milestone),
        Text(name, style=STYLES.get(name, "")),
        row.reason,
    )


def _ago(steps: int | None) -> str:
    if steps is None:
        return ""
    return "now" if steps == 0 else f"{steps} ago"
