"""A replay from files to output: reads, decodes, judges, reports."""

from collections.abc import Iterator, Sequence

import msgspec

from detectors.events import Event
from detectors.rules import RuleBook
from stallwatch.mistakes import Mistake
from stallwatch.reading_progress import ReadingProgress
from stallwatch.recorded_line import decode_line, described
from stallwatch.recording import Block, read, total_bytes
from stallwatch.replay import Replay
from stallwatch.replay_output import ReplayOutput
from streams.badrecord import BadRecord


class Skipped(msgspec.Struct):
    """How many lines were left out because they could not be read."""

    lines: int = 0


def replay_files(files: Sequence[str], book: RuleBook, output: ReplayOutput, *, skip_bad: bool) -> None:
    """Every line of every file is judged and reported. Raises `Mistake` at a line that cannot be read."""
    replay = Replay(book, on_change=output.change, on_close=output.close)
    feed = replay.feed
    skipped = Skipped()
    fed = 0
    try:
        with ReadingProgress(total_bytes(files)) as progress:
            for block in read(files):
                for event in _events(block, skipped if skip_bad else None):
                    feed(event)
                    fed += 1
                output.caught_up()
                progress.update(block.read_bytes, fed)
    except Mistake:
        # What was found before the line that ended it is true all the same.
        output.caught_up()
        raise
    output.finish(replay.finish(), skipped.lines)


def events_of(files: Sequence[str], *, skip_bad: bool) -> Iterator[Event]:
    """Every event of every file, in order. Raises `Mistake` as `replay_files` does."""
    fed = 0
    with ReadingProgress(total_bytes(files)) as progress:
        for block in read(files):
            for event in _events(block, Skipped() if skip_bad else None):
                yield event
                fed += 1
            progress.update(block.read_bytes, fed)


def _events(block: Block, skipped: Skipped | None) -> Iterator[Event]:
    """The block's events; a line that cannot be read ends it, or is counted in `skipped`."""
    for number, line in enumerate(block.lines, block.first_line):
        if not line or line.isspace():
            continue
        try:
            yield decode_line(line)
        except BadRecord as bad:
            if skipped is None:
                raise Mistake(
                    f"{block.file}:{number}: {described(bad)}; "
                    "correct the line, or leave such lines out with --skip-bad"
                ) from None
            skipped.lines += 1
