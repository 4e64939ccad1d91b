"""Standard output for people: as wide as the terminal, or wide enough where there is none."""

import sys
from typing import NoReturn, TextIO

from rich.console import Console

PLAIN_WIDTH = 140
"""Columns of a table that goes to no terminal."""
BLOCK_ROWS = 500
"""Rows of one table: longer results are printed as several, so that memory stays bounded."""


class OutputConsole(Console):
    """A console that leaves a closed pipe to the command's ending."""

    def on_broken_pipe(self) -> NoReturn:
        """Raises `BrokenPipeError`; rich would end the process with 1, which means something else here."""
        raise BrokenPipeError


def output(stream: TextIO | None = None) -> Console:
    """A console on `stream`, standard output by default."""
    stream = sys.stdout if stream is None else stream
    return OutputConsole(file=stream, width=None if stream.isatty() else PLAIN_WIDTH, highlight=False)
