"""What a process that judges answers, and that the end of its input ends it."""

import io

import pytest

from detectors.events import Event, RunEnded
from detectors.rulefile import PROFILES, parse
from detectors.rules import Rules
from stallwatch.recordings.judge_messages import (
    Closed,
    Done,
    Finish,
    Judged,
    Lines,
    Order,
    Setup,
    framed,
    read_answer,
)
from stallwatch.recordings.judge_process import CLOSED_AT_A_TIME, read_orders, serve
from streams.codec import encode

SETUP = Setup(Rules(), {"slow": Rules(name="slow")}, skip_bad=False)


def lines(block: int, first: int, *values: bytes) -> Lines:
    return Lines(block, list(range(first, first + len(values))), list(values))


def step(run: str, seq: int) -> bytes:
    return b'{"run_id":"%s","seq":%d,"tool":"bash","args":{"command":"make"},"result":"failed"}' % (
        run.encode(),
        seq,
    )


def ended(run: str, seq: int) -> bytes:
    event: Event = RunEnded(run_id=run, seq=seq, outcome="completed")
    return encode(event)


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_the_rules_arrive_as_they_were(name: str) -> None:
    book = parse(
        f'base = "{name}"\nname = "mine"\nversion = 3\n[ladder.notice]\nlevel = 0.3\n'
        '[scenario."slow"]\nmode = "observe"\n',
        "rules.toml",
    )
    sent = Setup(book.for_new_run(None)[1], book.scenarios(), skip_bad=False)
    (arrived,) = read_orders(io.BytesIO(framed(sent)))
    assert isinstance(arrived, Setup)
    assert arrived.book.sets() == book.sets()
    assert len(book.sets()) == 2
    for task in (None, "slow", "other"):
        assert arrived.book.for_new_run(task) == book.for_new_run(task)


def test_findings_carry_the_place_of_the_line_that_led_to_them() -> None:
    part = lines(0, 10, *(step("r", seq) for seq in range(40)), ended("r", 40))
    (answer,) = serve(iter([SETUP, part]))
    assert isinstance(answer, Judged)
    changes = [found.change for found in answer.findings if found.change is not None]
    assert [change.action for change in changes] == ["notice", "replan", "ask", "halt"]
    assert [found.place for found in answer.findings] == [10 + change.seq for change in changes] + [50]
    assert answer.findings[-1].tally is not None
    assert (answer.block, answer.left_out, answer.bad_place) == (0, 0, None)
    assert read_answer(framed(answer)[4:]) == answer


def test_after_a_line_that_ends_it_nothing_is_judged() -> None:
    first, second = serve(
        iter([SETUP, lines(0, 0, *(step("r", s) for s in range(7)), b"no", step("r", 7)), lines(1, 9, b"no")])
    )
    assert isinstance(first, Judged)
    assert first.bad_place == 7
    assert "correct the line" in first.problem
    assert len(first.findings) == 1
    assert second == Judged(1, [], 0)


def test_what_is_left_out_is_counted() -> None:
    setup = Setup(SETUP.default, {}, skip_bad=True)
    (answer,) = serve(iter([setup, lines(0, 0, b"no", step("r", 0), b"neither")]))
    assert answer == Judged(0, [], 2)


def test_at_the_end_what_has_not_ended_is_closed_in_pieces() -> None:
    runs = 2 * CLOSED_AT_A_TIME + 5
    part = lines(0, 0, *(step(f"r{number}", 0) for number in range(runs)), step("r0", 1))
    _, *closed, done = serve(iter([SETUP, part, Finish()]))
    assert isinstance(done, Done)
    assert (done.totals.runs, done.totals.steps) == (runs, runs + 1)
    pieces = [piece.tallies for piece in closed if isinstance(piece, Closed)]
    assert [len(piece) for piece in pieces] == [CLOSED_AT_A_TIME, CLOSED_AT_A_TIME, 5]
    order = [(used, tally.run_id) for piece in pieces for used, tally in piece]
    assert order == [*((number, f"r{number}") for number in range(1, runs)), (runs, "r0")]


def test_orders_end_with_their_stream_wherever_that_is() -> None:
    orders: list[Order] = [SETUP, lines(0, 0, b"a", b"b"), Finish()]
    data = b"".join(framed(order) for order in orders)
    assert list(read_orders(io.BytesIO(data))) == orders
    for size in (0, 2, 5, len(data) - 1):
        assert list(read_orders(io.BytesIO(data[:size]))) == orders[: 0 if size < 100 else 2]
    assert list(serve(iter([]))) == []
