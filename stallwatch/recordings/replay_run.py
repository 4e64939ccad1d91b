"""A replay from files to output: reads, decodes, judges, reports."""

from collections.abc import Callable, Sequence

from detectors.events import Event
from detectors.outcome import Outcome
from detectors.rules import RuleBook
from stallwatch.mistakes import Mistake
from stallwatch.recordings.reading_progress import ReadingProgress
from stallwatch.recordings.recorded_line import decode_line, described
from stallwatch.recordings.recording import Block, read, total_bytes
from stallwatch.recordings.replay import Replay
from stallwatch.recordings.replay_output import ReplayOutput
from streams.badrecord import BadRecord


def replay_files(files: Sequence[str], book: RuleBook, output: ReplayOutput, *, skip_bad: bool) -> None:
    """Every line of every file is judged and reported. Raises `Mistake` at a line that cannot be used."""
    replay = Replay(book, on_change=output.change, on_close=output.close)
    try:
        skipped = feed_files(
            files,
            replay.feed,
            skip_bad=skip_bad,
            on_block=output.caught_up,
            # Findings that scroll by are progress enough, and a bar would stand in between.
            show_progress=not output.scrolls,
        )
    except Mistake:
        # What was found before the line that ended it is true all the same.
        output.caught_up()
        raise
    output.finish(replay.finish(), skipped)


def feed_files(
    files: Sequence[str],
    feed: Callable[[Event], Outcome],
    *,
    skip_bad: bool,
    on_block: Callable[[], object] = lambda: None,
    show_progress: bool = True,
) -> int:
    """Every event of every file was fed, in order; returns the number of lines that were left out.

    Raises `Mistake` at a line that cannot be read or was refused, unless `skip_bad`.
    """
    skipped = fed = 0
    with ReadingProgress(total_bytes(files), wanted=show_progress) as progress:
        for block in read(files):
            left_out = _feed_block(block, feed, skip_bad=skip_bad)
            skipped += left_out
            fed += len(block.lines) - left_out
            on_block()
            progress.update(block.read_bytes, fed)
    return skipped


def _feed_block(block: Block, feed: Callable[[Event], Outcome], *, skip_bad: bool) -> int:
    skipped = 0
    for number, line in enumerate(block.lines, block.first_line):
        if not line or line.isspace():
            continue
        try:
            outcome = feed(decode_line(line))
            if outcome.status != "refused":
                continue
            problem = outcome.problem
        except BadRecord as bad:
            problem = f"{described(bad)}; {_remedy(line)}"
        if not skip_bad:
            raise Mistake(f"{block.file}:{number}: {problem}")
        skipped += 1
    return skipped


def _remedy(line: bytes) -> str:
    if line.strip()[:1] == b"[" or line.strip() == b"{":
        return "the input must be JSON Lines, one event per line: for instance `jq -c '.[]' FILE` makes it of an array"
    return "correct the line, or leave such lines out with --skip-bad"
