"""A process that judges a part of a recording: orders on standard input, answers on standard output.

It ends when its input does, so it never outlives the reader that started it.
"""

import gc
import os
import signal
from collections.abc import Iterator
from typing import BinaryIO

from stallwatch.recordings.feeding import BadLineError, feed_lines
from stallwatch.recordings.judge_messages import (
    HEADER,
    Answer,
    Closed,
    Done,
    Finding,
    Finish,
    Judged,
    Lines,
    Order,
    Setup,
    framed,
    read_order,
)
from stallwatch.recordings.live_runs import Kept
from stallwatch.recordings.replay import Replay

READ_BYTES = 1 << 18
CLOSED_AT_A_TIME = 256
"""Closing objects per message: the reader holds one message of each process."""


class Judge:
    """The same replay as a lone process runs, over the lines it is given. Findings are kept with their places."""

    def __init__(self, setup: Setup) -> None:
        self._replay = Replay(
            setup.book,
            on_change=lambda change: self._findings.append(Finding(self._replay.place, change=change)),
            on_close=lambda tally: self._findings.append(Finding(self._replay.place, tally=tally)),
        )
        self._skip_bad = setup.skip_bad
        self._findings: list[Finding] = []
        self._ended = False

    def take_over(self, kept: Kept) -> None:
        """The root goes on here."""
        self._replay.take_over(kept)

    def judge(self, part: Lines) -> Judged:
        """What the lines led to. After a line that ended the replay, nothing is judged any more."""
        answer = Judged(part.block, [], 0)
        if self._ended:
            return answer
        try:
            answer.left_out = feed_lines(part.places, part.lines, self._replay.feed, skip_bad=self._skip_bad)
        except BadLineError as bad:
            self._ended = True
            answer.bad_place, answer.problem = bad.place, bad.problem
        answer.findings, self._findings = self._findings, []
        return answer

    def finish(self) -> Iterator[Closed | Done]:
        """What had not ended, then the totals."""
        closed = Closed([])
        for used in self._replay.close_rest():
            closed.tallies += [(used, found.tally) for found in self._findings if found.tally is not None]
            self._findings.clear()
            if len(closed.tallies) >= CLOSED_AT_A_TIME:
                yield closed
                closed = Closed([])
        if closed.tallies:
            yield closed
        yield Done(self._replay.totals)


GC_EVERY = 50_000
"""New objects between two collections."""


def serve(orders: Iterator[Order]) -> Iterator[Answer]:
    """Answers to the orders, in their order; the first one is a `Setup`."""
    setup = next(orders, None)
    if setup is None:
        return
    assert isinstance(setup, Setup)
    judge = Judge(setup)
    for order in orders:
        match order:
            case Lines():
                yield judge.judge(order)
            case Kept():
                judge.take_over(order)
            case Finish():
                yield from judge.finish()


def read_orders(stream: BinaryIO) -> Iterator[Order]:
    """The orders until the stream ends, in whatever place: then the reader is gone."""
    while len(header := stream.read(HEADER.size)) == HEADER.size:
        (size,) = HEADER.unpack(header)
        body = stream.read(size)
        if len(body) < size:
            return
        yield read_order(body)


def main() -> None:
    """Serves until the input ends. Ctrl-C is the reader's to hear."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Events, states and outcomes hold no cycles: looking for some every 700 objects costs a twentieth of the time.
    gc.freeze()
    gc.set_threshold(GC_EVERY)
    stdin = os.fdopen(0, "rb", READ_BYTES, closefd=False)
    try:
        for answer in serve(read_orders(stdin)):
            rest = memoryview(framed(answer))
            while rest:
                rest = rest[os.write(1, rest) :]
    except BrokenPipeError:
        return
