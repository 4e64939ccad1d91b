"""The buffer's bounds hold, and it knows what is still on its way."""

import pytest

from stallwatch.clients.buffer import Buffer, Offered


def test_first_in_first_out_and_one_wake_for_each_taking() -> None:
    buffer = Buffer(max_records=10, max_bytes=1000)
    assert buffer.offer(b"k", b"1") is Offered.FIRST
    assert buffer.offer(b"k", b"2") is Offered.MORE
    assert [record.value for record in buffer.take()] == [b"1", b"2"]
    assert buffer.offer(b"k", b"3") is Offered.FIRST
    assert [record.number for record in buffer.take()] == [2]


def test_full_by_number_until_something_is_settled() -> None:
    buffer = Buffer(max_records=2, max_bytes=1000)
    buffer.offer(b"k", b"1")
    buffer.offer(b"k", b"2")
    assert buffer.offer(b"k", b"3") is Offered.FULL
    taken = buffer.take()
    assert buffer.offer(b"k", b"3") is Offered.FULL  # taken is not settled
    buffer.settle(taken[:1])
    assert buffer.offer(b"k", b"3") is Offered.FIRST


def test_full_by_bytes() -> None:
    buffer = Buffer(max_records=100, max_bytes=10)
    assert buffer.offer(b"key", b"123456") is Offered.FIRST
    assert buffer.offer(b"k", b"1") is Offered.FULL
    assert buffer.offer(b"", b"1") is Offered.MORE
    assert buffer.size_bytes == 10


def test_settled_before_looks_at_the_oldest_that_is_open() -> None:
    buffer = Buffer(max_records=10, max_bytes=1000)
    for value in (b"0", b"1", b"2"):
        buffer.offer(b"k", value)
    taken = buffer.take()
    buffer.settle(taken[1:])
    assert not buffer.settled_before(1)
    assert buffer.settled_before(0)
    buffer.settle(taken[:1])
    assert buffer.settled_before(buffer.end)
    assert (buffer.records, buffer.size_bytes) == (0, 0)
    buffer.settle(taken)  # again: no effect
    assert buffer.size_bytes == 0


def test_abandon_tells_how_many_were_left() -> None:
    buffer = Buffer(max_records=10, max_bytes=1000)
    buffer.offer(b"k", b"0")
    buffer.take()
    buffer.offer(b"k", b"1")
    assert buffer.abandon() == 2
    assert (buffer.records, buffer.size_bytes, buffer.take()) == (0, 0, [])


@pytest.mark.parametrize("bounds", [(0, 10), (10, 0)])
def test_a_buffer_that_holds_nothing_is_refused(bounds: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="holds nothing"):
        Buffer(max_records=bounds[0], max_bytes=bounds[1])
