"""The two forms in which a replay is shown: JSON lines for programs, a table for people."""

import sys
from typing import BinaryIO, Protocol, TextIO

import msgspec

from detectors.events import Change
from stallwatch.console import BLOCK_ROWS, output
from stallwatch.recordings.replay import Totals
from stallwatch.recordings.report import ChangeTable, closing_sentence, summary_table
from stallwatch.recordings.tally import Tally

HELD_LINES = 1000
"""Lines written at once at the end of the input, where all that has not ended is closed."""


class ReplayOutput(Protocol):
    """Where a replay's findings go, in input order."""

    @property
    def scrolls(self) -> bool:
        """Whether findings appear on a terminal while the input is read."""

    def change(self, change: Change) -> None:
        """A run changed its rung."""

    def close(self, tally: Tally) -> None:
        """A run is over, or the input is."""

    def caught_up(self) -> None:
        """Everything that was read so far is judged: what is buffered may be shown."""

    def finish(self, totals: Totals, skipped: int) -> None:
        """The input is over."""


class JsonOutput:
    """One object per line: the contract of `replay --json`."""

    def __init__(self, *, summary: bool, stream: BinaryIO | None = None) -> None:
        self._summary = summary
        self._stream = sys.stdout.buffer if stream is None else stream
        self._encoder = msgspec.json.Encoder()
        self._lines: list[bytes] = []

    @property
    def scrolls(self) -> bool:
        """On a terminal, lines appear as they are found."""
        return self._stream.isatty()

    def change(self, change: Change) -> None:
        """The change is a line."""
        self._lines.append(self._encoder.encode(change))

    def close(self, tally: Tally) -> None:
        """The run's closing object is a line, if asked for."""
        if self._summary:
            self._lines.append(self._encoder.encode(tally))
            if len(self._lines) >= HELD_LINES:
                self.caught_up()

    def caught_up(self) -> None:
        """All lines are written and flushed, so that a reader of a live pipe sees them."""
        if self._lines:
            self._lines.append(b"")
            self._stream.write(b"\n".join(self._lines))
            self._stream.flush()
            self._lines.clear()

    def finish(self, totals: Totals, skipped: int) -> None:
        """Nothing is left in the buffer."""
        self.caught_up()


class TableOutput:
    """Tables of changes, of runs if asked for, and one sentence at the end."""

    def __init__(self, *, summary: bool, stream: TextIO | None = None) -> None:
        self._console = output(stream)
        self._changes = ChangeTable(self._console)
        self._summary = summary
        self._tallies: list[Tally] = []

    @property
    def scrolls(self) -> bool:
        """Tables are printed when they are full or the input is over."""
        return False

    def change(self, change: Change) -> None:
        """The change has a row."""
        self._changes.add(change)

    def close(self, tally: Tally) -> None:
        """The run has a row, if asked for."""
        if not self._summary:
            return
        self._tallies.append(tally)
        if len(self._tallies) == BLOCK_ROWS:
            self._print_tallies()

    def caught_up(self) -> None:
        """Tables are printed when they are full or the input is over."""

    def finish(self, totals: Totals, skipped: int) -> None:
        """Everything is printed."""
        self._print_tallies()
        self._console.print(closing_sentence(totals, skipped))

    def _print_tallies(self) -> None:
        self._changes.flush()
        if self._tallies:
            self._console.print()
            self._console.print(summary_table(self._tallies))
            self._console.print()
            self._tallies.clear()
