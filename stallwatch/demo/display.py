"""What a person sees while the demo runs: a live table on a terminal, plain lines anywhere else."""

import contextlib
import sys
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Protocol, Self, TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from stallwatch.demo.board import Board
from stallwatch.demo.table import table
from stallwatch.terminal_text import printable, shortened

LAST_LINES = 3


class Display(Protocol):
    """Where the demo shows itself; opened and closed as a context."""

    def say(self, who: str, sentence: str) -> None:
        """Something happened to a run, or (`who` empty) to the demo."""

    def refresh(self, board: Board) -> None:
        """The board has changed, perhaps. Raises what the stream raises if nobody is there to see it."""

    def __enter__(self) -> Self:
        """Open."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closed; the terminal is as it was."""


def display(introduction: Sequence[str] = (), stream: TextIO = sys.stdout) -> Display:
    """A live table if the stream is a terminal that can show one, plain lines otherwise.

    `introduction`: lines that stand before everything else.
    """
    console = Console(file=stream, highlight=False)
    if console.is_terminal and not console.is_dumb_terminal:
        return LiveTable(console, introduction)
    return PlainLines(stream, introduction)


class PlainLines:
    """One line for each thing that happens, with the seconds since the start; no control codes."""

    def __init__(
        self,
        stream: TextIO,
        introduction: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream
        self._introduction = introduction
        self._clock = clock
        self._start = clock()
        self._broken: Exception | None = None

    def say(self, who: str, sentence: str) -> None:
        """The line is out, or the next `refresh` raises."""
        since = self._clock() - self._start
        self._write(shortened(f"{since:5.1f} s  {who:<17}  {sentence}", 400).rstrip())

    def _write(self, line: str) -> None:
        try:
            self._stream.write(line + "\n")
            self._stream.flush()
        except Exception as error:  # noqa: BLE001 - which one it is that says so is the stream's to know
            # Not raised from here: whoever has something to say is in the middle of something else.
            self._broken = error

    def refresh(self, board: Board) -> None:
        """Lines come when something happens. Raises what the stream raised if nobody can read them."""
        if self._broken is not None:
            raise self._broken

    def __enter__(self) -> Self:
        for line in self._introduction:
            self._write(printable(line))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing has to be undone."""


class LiveTable:
    """The board, redrawn on the terminal's other screen, with the last few things that happened below it.

    There a change of the terminal's size leaves nothing broken behind. Once closed, the introduction and the last
    table stand on the first screen, as wide as the terminal is by then.
    """

    def __init__(self, console: Console, introduction: Sequence[str] = ()) -> None:
        self._console = console
        self._introduction = [Text(printable(line), style="dim") for line in introduction]
        self._lines: list[str] = []
        self._board: Board | None = None
        self._open = False
        self._live = Live(console=console, screen=True, auto_refresh=False)

    def say(self, who: str, sentence: str) -> None:
        """The line is below the table from the next refresh on."""
        self._lines = [*self._lines, f"{who}: {sentence}" if who else sentence][-LAST_LINES:]

    def refresh(self, board: Board) -> None:
        """The terminal shows the board as it is now."""
        self._board = board
        if self._open:
            self._live.update(self._frame(board), refresh=True)

    def __enter__(self) -> Self:
        self._live.start()
        self._open = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._open:
            return
        self._open = False
        # Nobody may be looking on any more, which is no reason not to clean up.
        with contextlib.suppress(Exception):
            # Some terminals keep lines of the other screen when it had another size than the first one.
            self._live.update("", refresh=True)
        with contextlib.suppress(Exception):
            self._live.stop()
            if self._board is not None:
                last = table(self._board, self._console.width)
                self._console.print(*self._introduction, "", last, "", sep="\n")

    def _frame(self, board: Board) -> Group:
        """The introduction as long as it fits, or nothing else is to be seen yet; the table; what happened."""
        below = [Text(printable(line), style="dim") for line in self._lines]
        short = Group(table(board, self._console.width), *below)
        full = Group(*self._introduction, "", short)
        if not any(row.steps for row in board.rows.values()):
            return full
        height = len(self._console.render_lines(full, pad=False))
        return full if height <= self._console.height else short
