"""The value of a changelog record: a fixed header that recovery compares without decoding, then state and outbox.

byte 0       kind: 1 state of a root, 2 progress of a partition
bytes 1-24   three big-endian int64, one for each input topic:
             state: offset of the last applied record; progress: position up to which everything was judged
rest         state: msgpack of [outbox, root]; progress: three int64 settled positions, one int64 timer count
"""

import struct
from typing import Literal

import msgspec

from streams.topics import INPUTS

TIMER = len(INPUTS)
"""Stands for the timers where an input's index stands: offsets in a header are in the order of `topics.INPUTS`."""

Applied = tuple[int, int, int]
_HEADER = struct.Struct(">Bqqq")
_SETTLED = struct.Struct(">qqqq")
_STATE, _PROGRESS = 1, 2
PROGRESS_KEY = b"\x00progress"
"""Key of the progress record. No run may have it: ids that begin with NUL are dead-lettered."""


class RecordError(ValueError):
    """Bytes that are no changelog record of this version."""


class Entry(msgspec.Struct, array_like=True):
    """One effect that was decided and may not have been sent: sent byte for byte from here."""

    topic: Literal["control", "verdicts", "audit"]
    key: bytes
    value: bytes | None
    """None is a tombstone."""
    input: int
    """Index of the input whose record caused it; `TIMER` for a timer."""
    offset: int
    """Offset of that record, or the number of that tick."""
    held: bool = False
    """Withheld by the breaker: not sent, not forgotten."""


class Body(msgspec.Struct, array_like=True):
    """What follows the header of a state record."""

    outbox: list[Entry]
    root: bytes


class Progress(msgspec.Struct):
    """How far a partition is: `judged` is durable with the states, `settled` trails it (effects sent as well)."""

    judged: list[int]
    settled: list[int]
    """Three inputs, then the timers."""


_encode_body = msgspec.msgpack.Encoder().encode
_decode_body = msgspec.msgpack.Decoder(Body).decode


def encode_state(applied: list[int], outbox: list[Entry], root: bytes) -> bytes:
    """A state record's value."""
    return _HEADER.pack(_STATE, *applied) + _encode_body(Body(outbox, root))


def encode_progress(progress: Progress) -> bytes:
    """A progress record's value."""
    return _HEADER.pack(_PROGRESS, *progress.judged) + _SETTLED.pack(*progress.settled)


def offsets(value: bytes) -> Applied:
    """The header's three offsets. O(1). Raises `RecordError`."""
    try:
        kind, steps, operator, acks = _HEADER.unpack_from(value)
    except struct.error as error:
        raise RecordError(f"changelog record of {len(value)} bytes has no header: {error}") from None
    if kind not in (_STATE, _PROGRESS):
        raise RecordError(f"changelog record of kind {kind}; this worker reads 1 and 2")
    return steps, operator, acks


def supersedes(new: bytes, old: bytes) -> bool:
    """Whether `new` may replace `old` at recovery: not if it knows less of some input and no more of any other.

    A paused owner that wakes up after its partition moved may append an older state; compaction keeps the last
    record, recovery (before compaction) keeps the one that has applied most.
    """
    there, here = offsets(new), offsets(old)
    behind = any(a < b for a, b in zip(there, here, strict=True))
    ahead = any(a > b for a, b in zip(there, here, strict=True))
    return ahead or not behind


def decode_state(value: bytes) -> tuple[list[int], Body]:
    """(applied, body). Raises `RecordError`."""
    applied = offsets(value)
    try:
        body = _decode_body(memoryview(value)[_HEADER.size :])
    except msgspec.DecodeError as error:
        raise RecordError(f"changelog record: {error}") from None
    return list(applied), body


def decode_progress(value: bytes) -> Progress:
    """Progress of a partition. Raises `RecordError`."""
    judged = offsets(value)
    try:
        settled = _SETTLED.unpack_from(value, _HEADER.size)
    except struct.error as error:
        raise RecordError(f"progress record: {error}") from None
    return Progress(list(judged), list(settled))
