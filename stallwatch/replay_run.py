"""A replay from files to output: reads, decodes, judges, reports."""

from collections.abc import Sequence

from detectors.events import Event
from detectors.rules import RuleBook
from stallwatch.cli.progress import ReadingProgress
from stallwatch.mistakes import Mistake
from stallwatch.recording import read, total_bytes
from stallwatch.recorded_line import decode_line, described
from stallwatch.replay import Replay
from stallwatch.replay_output import ReplayOutput
from streams.badrecord import BadRecord


def replay_files(files: Sequence[str], book: RuleBook, output: ReplayOutput, *, skip_bad: bool) -> None:
    """Every line of every file is judged and reported. Raises `Mistake` at the first line that cannot be read."""
    replay = Replay(book, on_change=output.change, on_close=output.close)
    feed = replay.feed
    skipped = events = 0
    with ReadingProgress(total_bytes(files)) as progress:
        for block in read(files):
            for place, line in enumerate(block.lines, block.first_line):
                if not line or line.isspace():
                    continue
                try:
                    event: Event = decode_line(line)
                except BadRecord as bad:
                    if not skip_bad:
                        output.caught_up()
                        raise Mistake(
                            f"{block.file}:{place}: {described(bad)}; "
                            "correct the line, or leave such lines out with --skip-bad"
                        ) from None
                    skipped += 1
                    continue
                feed(event)
                events += 1
            output.caught_up()
            progress.update(block.read_bytes, events)
    output.finish(replay.finish(), skipped)
