"""Who judges the blocks of a recording: the one face of one process and of several."""

from typing import NamedTuple, Protocol

from stallwatch.mistakes import Mistake
from stallwatch.recordings.feeding import BadLineError, Feed, feed_lines
from stallwatch.recordings.reading_progress import ReadingProgress
from stallwatch.recordings.recording import Block
from stallwatch.recordings.replay_output import ReplayOutput


class Extent(NamedTuple):
    """Where a block stands, without its lines."""

    file: str
    first_line: int
    first_place: int
    """Of its first line in the whole input, from 0."""
    lines: int
    read_bytes: int

    @classmethod
    def of(cls, block: Block, first_place: int) -> "Extent":
        """The extent of the block that begins at `first_place`."""
        return cls(block.file, block.first_line, first_place, len(block.lines), block.read_bytes)

    def mistake(self, place: int, problem: str) -> Mistake:
        """The sentence about the line at `place`."""
        return Mistake(f"{self.file}:{self.first_line + place - self.first_place}: {problem}")


class Reported:
    """What was judged so far, shown block by block."""

    def __init__(self, output: ReplayOutput | None, progress: ReadingProgress) -> None:
        self._output = output
        self._progress = progress
        self._fed = 0
        self.left_out = 0

    def block(self, extent: Extent, left_out: int) -> None:
        """The block's findings are out, and the progress stands at its end."""
        self.left_out += left_out
        self._fed += extent.lines - left_out
        if self._output is not None:
            self._output.caught_up()
        self._progress.update(extent.read_bytes, self._fed)


class Judging(Protocol):
    """Judges blocks in the order given and reports them in that order."""

    def take(self, block: Block, first_place: int) -> None:
        """The block is judged, or will be. Raises `Mistake` at a line that cannot be used."""

    def settle(self) -> None:
        """All blocks taken are judged and reported. Raises `Mistake` like `take`."""


class LoneJudging:
    """In this process, at once."""

    def __init__(self, feed: Feed, reported: Reported, *, skip_bad: bool) -> None:
        self._feed = feed
        self._reported = reported
        self._skip_bad = skip_bad

    def take(self, block: Block, first_place: int) -> None:
        """The block is judged and reported. Raises `Mistake` at a line that cannot be used."""
        extent = Extent.of(block, first_place)
        places = range(first_place, first_place + extent.lines)
        try:
            left_out = feed_lines(places, block.lines, self._feed, skip_bad=self._skip_bad)
        except BadLineError as bad:
            raise extent.mistake(bad.place, bad.problem) from None
        self._reported.block(extent, left_out)

    def settle(self) -> None:
        """Nothing waits."""
