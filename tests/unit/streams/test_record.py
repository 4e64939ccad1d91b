"""Changelog values: a header that recovery compares, and what follows it."""

import pytest

from streams.record import (
    Entry,
    Progress,
    RecordError,
    decode_progress,
    decode_state,
    encode_progress,
    encode_state,
    offsets,
    supersedes,
)


def test_a_state_record_round_trips() -> None:
    outbox = [Entry("control", b"r", b"{}", 0, 7), Entry("control", b"r", None, 3, 1, held=True)]
    value = encode_state([7, -1, 2], outbox, b"root")
    assert offsets(value) == (7, -1, 2)
    applied, body = decode_state(value)
    assert (applied, body.outbox, body.root) == ([7, -1, 2], outbox, b"root")


def test_a_progress_record_round_trips() -> None:
    progress = Progress([9, 0, 4], [8, 0, 4, 3])
    assert decode_progress(encode_progress(progress)) == progress


@pytest.mark.parametrize(
    ("new", "old", "wins"),
    [
        ((5, 0, 0), (4, 0, 0), True),
        ((4, 0, 0), (5, 0, 0), False),  # a paused owner woke up
        ((5, 0, 0), (5, 0, 0), True),  # a timer's write
        ((5, 0, 0), (4, 1, 0), True),  # neither knows everything: the later one
        ((5, 0, 1), (5, 0, 2), False),
    ],
)
def test_recovery_keeps_the_one_that_has_applied_more(
    new: tuple[int, int, int], old: tuple[int, int, int], wins: bool
) -> None:
    assert supersedes(encode_state(list(new), [], b""), encode_state(list(old), [], b"")) is wins


@pytest.mark.parametrize("value", [b"", b"\x01", b"\x09" + bytes(24)])
def test_other_bytes_are_refused(value: bytes) -> None:
    with pytest.raises(RecordError):
        offsets(value)
    with pytest.raises(RecordError):
        decode_state(value)


def test_a_torn_body_is_refused() -> None:
    whole = encode_state([1, 2, 3], [], b"root")
    with pytest.raises(RecordError):
        decode_state(whole[:-1])
    with pytest.raises(RecordError):
        decode_progress(encode_progress(Progress([1, 2, 3], [1, 2, 3, 4]))[:-1])
