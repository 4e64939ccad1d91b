"""Progress of a long read on standard error, for a person who watches; silent otherwise."""

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

PATIENCE_S = 0.7
"""Shorter reads show nothing: a bar that flashes by only disturbs."""


class ReadingProgress:
    """Shown only where standard error is a terminal, and only after `PATIENCE_S` seconds."""

    def __init__(self, total_bytes: int | None, *, wanted: bool = True) -> None:
        self._total = total_bytes
        self._enabled = wanted and sys.stderr.isatty()
        self._since = time.monotonic()
        self._progress: Progress | None = None
        self._task = TaskID(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """The bar is gone from the terminal."""
        if self._progress is not None:
            self._progress.stop()

    def update(self, read_bytes: int, events: int) -> None:
        """The bar stands at `read_bytes` of the total."""
        if not self._enabled:
            return
        if self._progress is None:
            if time.monotonic() - self._since < PATIENCE_S:
                return
            self._start()
        assert self._progress is not None
        self._progress.update(self._task, completed=read_bytes, events=f"{events:,} events")

    def _start(self) -> None:
        self._progress = Progress(
            TextColumn("reading"),
            BarColumn(),
            DownloadColumn(),
            TextColumn("{task.fields[events]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._task = self._progress.add_task("reading", total=self._total, events="")
        self._progress.start()
