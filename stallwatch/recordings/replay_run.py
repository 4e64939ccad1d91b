"""A replay from files to output: reads, judges, reports."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack

from detectors.events import Event
from detectors.outcome import Outcome
from detectors.rules import RuleBook
from stallwatch.mistakes import Mistake
from stallwatch.recordings.jobs import ALONE, Jobs
from stallwatch.recordings.judging import Judging, LoneJudging, Reported
from stallwatch.recordings.reading_progress import ReadingProgress
from stallwatch.recordings.recording import Block, read, total_bytes
from stallwatch.recordings.replay import Replay
from stallwatch.recordings.replay_output import ReplayOutput
from stallwatch.recordings.shared_judging import SharedJudging


def replay_files(
    files: Sequence[str], book: RuleBook, output: ReplayOutput, *, skip_bad: bool, jobs: Jobs = ALONE
) -> None:
    """Every line of every file is judged and reported; the output is the same for any number of jobs.

    Raises `Mistake` at the first line that cannot be used, after what was found before it is out, and
    `JudgeLostError` if a process that judges was killed.
    """
    replay = Replay(book, on_change=output.change, on_close=output.close)
    shared: SharedJudging | None = None
    with ExitStack() as processes:
        # Findings that scroll by are progress enough, and a bar would stand in between.
        with ReadingProgress(total_bytes(files), wanted=not output.scrolls) as progress:
            reported = Reported(output, progress)
            judging: Judging = LoneJudging(replay.feed, reported, skip_bad=skip_bad)

            def settle() -> None:
                judging.settle()

            try:
                for block, place in _placed(files, settle):
                    if shared is None and jobs.processes > 1 and place >= jobs.lone_lines:
                        shared = SharedJudging(jobs.processes, book, output, reported, skip_bad=skip_bad)
                        judging = processes.enter_context(shared)
                        shared.take_over(replay.hand_over())
                    judging.take(block, place)
                judging.settle()
            except Mistake:
                # What was found before the line that ended it is true all the same.
                output.caught_up()
                raise
        if shared is not None:
            shared.finish(replay.totals)
        output.finish(replay.finish(), reported.left_out)


def feed_files(files: Sequence[str], feed: Callable[[Event], Outcome], *, skip_bad: bool) -> None:
    """Every event of every file was fed, in order.

    Raises `Mistake` at a line that cannot be read or was refused, unless `skip_bad`.
    """
    with ReadingProgress(total_bytes(files)) as progress:
        judging = LoneJudging(lambda event, place: feed(event), Reported(None, progress), skip_bad=skip_bad)
        for block, place in _placed(files, judging.settle):
            judging.take(block, place)


def _placed(files: Sequence[str], settle: Callable[[], None]) -> Iterator[tuple[Block, int]]:
    """The blocks, each with the place of its first line in the whole input."""
    place = 0
    try:
        for block in read(files, settle):
            yield block, place
            place += len(block.lines)
    except Mistake:
        # The input ends badly here; a line before may have ended the replay already.
        settle()
        raise
