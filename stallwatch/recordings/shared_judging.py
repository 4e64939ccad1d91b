"""A recording judged by several processes, each for the runs of its shares; printed as one process would print it."""

import heapq
from collections import deque
from collections.abc import Iterator
from operator import attrgetter, itemgetter
from types import TracebackType
from typing import Self

from detectors.rules import RuleBook
from stallwatch.recordings.judge_handle import JudgeHandle, exchange
from stallwatch.recordings.judge_messages import Closed, Done, Finding, Finish, Judged, Lines, Setup
from stallwatch.recordings.judging import Extent, Reported
from stallwatch.recordings.live_runs import Kept
from stallwatch.recordings.recorded_line import root_of
from stallwatch.recordings.recording import Block
from stallwatch.recordings.replay import Totals
from stallwatch.recordings.replay_output import ReplayOutput
from stallwatch.recordings.shards import SHARDS, shard_of
from stallwatch.recordings.tally import Tally

AHEAD_BLOCKS = 16
AHEAD_BYTES = 4 << 20
"""What is read and not yet printed: enough that no process waits for a slower one's part of one block."""


class _Ahead:
    """A block that is being judged."""

    __slots__ = ("bad", "extent", "findings", "left_out", "size", "waiting")

    def __init__(self, extent: Extent, size: int, waiting: int) -> None:
        self.extent = extent
        self.size = size
        self.waiting = waiting
        """Processes that have not answered."""
        self.findings: list[Finding] = []
        self.left_out = 0
        self.bad: tuple[int, str] | None = None
        """The first line, by place, that ended it for some process."""


class SharedJudging:
    """In `processes` processes, within bounds: see `AHEAD_BYTES`. A context: afterwards no process is left."""

    def __init__(
        self, processes: int, book: RuleBook, output: ReplayOutput, reported: Reported, *, skip_bad: bool
    ) -> None:
        self._output = output
        self._reported = reported
        self._judges: list[JudgeHandle] = []
        self._ahead: deque[_Ahead] = deque()
        self._ahead_bytes = 0
        self._first_block = 0
        """The number of the first block in `_ahead`."""
        self._owners = [shard % processes for shard in range(SHARDS)]
        default = book.for_new_run(None)[1]
        setup = Setup(default, book.scenarios(), skip_bad)
        try:
            for _ in range(processes):
                self._judges.append(JudgeHandle())
                self._judges[-1].queue(setup)
        except BaseException:
            self._close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def take_over(self, roots: Iterator[Kept]) -> None:
        """What was judged before goes on in the processes."""
        for kept in roots:
            judge = self._judges[self._owners[shard_of(kept.root_id)]]
            judge.queue(kept)
            while judge.has_unsent:
                exchange([judge])

    def take(self, block: Block, first_place: int) -> None:
        """The block is on its way. Raises `Mistake` at a line of it, or of one before, that cannot be used."""
        parts: list[tuple[list[int], list[bytes]]] = [([], []) for _ in self._judges]
        owners = self._owners
        for place, line in enumerate(block.lines, first_place):
            places, lines = parts[owners[shard_of(root_of(line))]]
            places.append(place)
            lines.append(line)
        number = self._first_block + len(self._ahead)
        size = sum(map(len, block.lines))
        ahead = _Ahead(Extent.of(block, first_place), size, sum(1 for places, _ in parts if places))
        self._ahead.append(ahead)
        self._ahead_bytes += size
        for judge, (places, lines) in zip(self._judges, parts, strict=True):
            if places:
                judge.queue(Lines(number, places, lines))
                judge.send()
        while len(self._ahead) > AHEAD_BLOCKS or (self._ahead_bytes > AHEAD_BYTES and len(self._ahead) > 1):
            self._exchange()

    def settle(self) -> None:
        """All blocks taken are judged and reported. Raises `Mistake` like `take`."""
        while self._ahead:
            self._exchange()

    def finish(self, totals: Totals) -> None:
        """Every run that has not ended is closed, in the order of their roots' last use; `totals` are complete."""
        self.settle()
        for judge in self._judges:
            judge.queue(Finish())
        streams = [self._rest_of(judge, totals) for judge in self._judges]
        for _, tally in heapq.merge(*streams, key=itemgetter(0)):
            self._output.close(tally)

    def _rest_of(self, judge: JudgeHandle, totals: Totals) -> Iterator[tuple[int, Tally]]:
        # Only this process is heard, the others wait with what they have: one message of each is held.
        while True:
            for answer in exchange([judge]):
                match answer:
                    case Closed():
                        yield from answer.tallies
                    case Done():
                        totals.add(answer.totals)
                        return
                    case Judged():
                        raise AssertionError("an answer to no lines")

    def _exchange(self) -> None:
        """Waits until some process takes or gives something; what is complete is reported."""
        for answer in exchange(self._judges):
            assert isinstance(answer, Judged)
            ahead = self._ahead[answer.block - self._first_block]
            ahead.waiting -= 1
            ahead.findings += answer.findings
            ahead.left_out += answer.left_out
            bad = answer.bad_place
            if bad is not None and (ahead.bad is None or bad < ahead.bad[0]):
                ahead.bad = (bad, answer.problem)
        while self._ahead and not self._ahead[0].waiting:
            self._report(self._ahead.popleft())

    def _report(self, done: _Ahead) -> None:
        self._first_block += 1
        self._ahead_bytes -= done.size
        # What a process found keeps its order: the places of two processes are never the same.
        for finding in sorted(done.findings, key=attrgetter("place")):
            if done.bad is not None and finding.place > done.bad[0]:
                break
            if finding.change is not None:
                self._output.change(finding.change)
            if finding.tally is not None:
                self._output.close(finding.tally)
        if done.bad is not None:
            self._ahead.clear()
            raise done.extent.mistake(*done.bad)
        self._reported.block(done.extent, done.left_out)

    def _close(self) -> None:
        for judge in self._judges:
            judge.kill()
        for judge in self._judges:
            judge.close()
