"""Whichever process answers first, what is printed has the order of the input; what is ahead of it is bounded."""

import io
import random
from collections import deque
from collections.abc import Sequence

import pytest

from detectors.rulefile import profile
from stallwatch.mistakes import Mistake
from stallwatch.recordings import shared_judging
from stallwatch.recordings.judge_messages import Answer, Finish, Lines, Order, Setup
from stallwatch.recordings.judge_process import Judge
from stallwatch.recordings.judging import Judging, LoneJudging, Reported
from stallwatch.recordings.live_runs import Kept
from stallwatch.recordings.reading_progress import ReadingProgress
from stallwatch.recordings.recording import Block
from stallwatch.recordings.replay import Replay
from stallwatch.recordings.replay_output import JsonOutput
from stallwatch.recordings.shared_judging import SharedJudging

LIMIT = 6_000
BLOCK_LINES = 20


class SlowJudge:
    """A process that judges when it is told to, one order at a time."""

    living = 0

    def __init__(self) -> None:
        self.orders: deque[Order] = deque()
        self._judge: Judge | None = None
        SlowJudge.living += 1

    @property
    def has_unsent(self) -> bool:
        return bool(self.orders)

    def queue(self, order: Order) -> None:
        self.orders.append(order)

    def send(self) -> None:
        """What is queued is there at once."""

    def work(self) -> list[Answer]:
        order = self.orders.popleft()
        if isinstance(order, Setup):
            self._judge = Judge(order)
            return []
        assert self._judge is not None
        match order:
            case Kept():
                self._judge.take_over(order)
                return []
            case Lines():
                return [self._judge.judge(order)]
            case Finish():
                return list(self._judge.finish())
        raise AssertionError(order)

    def kill(self) -> None:
        self.orders.clear()

    def close(self) -> None:
        SlowJudge.living -= 1


@pytest.fixture(params=range(5))
def ahead(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> list[int]:
    """Bytes that waited to be judged, at every exchange; which process works then is drawn."""
    chance = random.Random(request.param)
    waiting: list[int] = []

    def exchange(judges: Sequence[SlowJudge]) -> list[Answer]:
        orders = [order for judge in judges for order in judge.orders if isinstance(order, Lines)]
        waiting.append(sum(len(line) for order in orders for line in order.lines))
        return chance.choice([judge for judge in judges if judge.orders]).work()

    monkeypatch.setattr(shared_judging, "JudgeHandle", SlowJudge)
    monkeypatch.setattr(shared_judging, "exchange", exchange)
    monkeypatch.setattr(shared_judging, "AHEAD_BYTES", LIMIT)
    return waiting


def recorded() -> list[bytes]:
    """Runs that are stuck, some of which end."""
    lines = []
    for seq in range(25):
        for run in range(30):
            if seq == 20 and run % 3 == 0:
                lines.append(b'{"kind":"run_ended","run_id":"r%d","seq":20,"outcome":"failed"}' % run)
            elif seq < 20 or run % 3:
                lines.append(b'{"run_id":"r%d","seq":%d,"tool":"t","args":1,"result":"no"}' % (run, seq))
    return lines


def blocks(lines: Sequence[bytes]) -> list[tuple[Block, int]]:
    return [
        (Block("a", 1 + first, list(lines[first : first + BLOCK_LINES]), 0), first)
        for first in range(0, len(lines), BLOCK_LINES)
    ]


def take_all(judging: Judging, lines: Sequence[bytes]) -> None:
    for block, place in blocks(lines):
        judging.take(block, place)
    judging.settle()


def alone(lines: Sequence[bytes]) -> bytes:
    stream = io.BytesIO()
    output = JsonOutput(summary=True, stream=stream)
    replay = Replay(profile("default"), on_change=output.change, on_close=output.close)
    lone = LoneJudging(replay.feed, Reported(output, ReadingProgress(None)), skip_bad=False)
    take_all(lone, lines)
    output.finish(replay.finish(), 0)
    return stream.getvalue()


def test_findings_come_in_input_order_and_little_is_ahead_of_them(ahead: list[int]) -> None:
    lines = recorded()
    stream = io.BytesIO()
    output = JsonOutput(summary=True, stream=stream)
    replay = Replay(profile("default"), on_change=output.change, on_close=output.close)
    reported = Reported(output, ReadingProgress(None))
    with SharedJudging(3, profile("default"), output, reported, skip_bad=False) as shared:
        take_all(shared, lines)
        shared.finish(replay.totals)
        output.finish(replay.totals, 0)
    assert stream.getvalue() == alone(lines)
    assert replay.totals.runs == 30
    largest = max(sum(map(len, block.lines)) for block, _ in blocks(lines))
    assert LIMIT - largest < max(ahead) <= LIMIT + largest
    assert SlowJudge.living == 0


@pytest.mark.usefixtures("ahead")
def test_the_first_bad_line_counts_though_a_later_one_is_met_before() -> None:
    lines = recorded()
    # All thirty runs change their rung at their sixth step, so there are findings on both sides of it.
    for place in (165, 166, 167, 171, 190, 191, 192):
        # The run can still be told, so that each goes to the process of its run.
        lines[place] = lines[place].replace(b'"tool":"t"', b'"tool":7')
    stream = io.BytesIO()
    output = JsonOutput(summary=True, stream=stream)
    reported = Reported(output, ReadingProgress(None))
    shared = SharedJudging(3, profile("default"), output, reported, skip_bad=False)
    with shared, pytest.raises(Mistake, match=r"^a:166: "):
        take_all(shared, lines)
    output.caught_up()
    before = [line for line in alone(lines[:165]).splitlines() if b'"summary"' not in line]
    assert stream.getvalue().splitlines() == before
    assert 10 < len(before) < 20
    assert SlowJudge.living == 0
