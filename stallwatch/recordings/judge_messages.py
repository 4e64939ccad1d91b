"""What the reader of a recording and the processes that judge it tell each other, as length-prefixed msgpack."""

import struct

import msgspec

from detectors.events import Change
from detectors.rules import RuleBook, Rules
from stallwatch.recordings.live_runs import Kept
from stallwatch.recordings.replay import Totals
from stallwatch.recordings.tally import Tally

HEADER = struct.Struct("<I")
"""Before every message: the length of what follows, in bytes."""


class Setup(msgspec.Struct, array_like=True, tag=True):
    """First of all: what to judge by."""

    default: Rules
    scenarios: dict[str, Rules]
    skip_bad: bool

    @property
    def book(self) -> RuleBook:
        """The rules as the engine wants them."""
        return RuleBook(self.default, self.scenarios)


class Lines(msgspec.Struct, array_like=True, tag=True):
    """A process's part of one block of the input."""

    block: int
    places: list[int]
    """Of each line in the whole input, rising."""
    lines: list[bytes]


class Finish(msgspec.Struct, array_like=True, tag=True):
    """The input is over: what has not ended is to be closed."""


class Finding(msgspec.Struct, array_like=True):
    """A change of rung or a closing object, and the place of the event that led to it."""

    place: int
    change: Change | None = None
    tally: Tally | None = None


class Judged(msgspec.Struct, array_like=True, tag=True):
    """The answer to `Lines`."""

    block: int
    findings: list[Finding]
    """In input order."""
    left_out: int
    bad_place: int | None = None
    """The line that ended it; nothing is judged after it."""
    problem: str = ""


class Closed(msgspec.Struct, array_like=True, tag=True):
    """Runs that had not ended, by the place of the latest event of their root, rising."""

    tallies: list[tuple[int, Tally]]


class Done(msgspec.Struct, array_like=True, tag=True):
    """The last word of a process."""

    totals: Totals


Order = Setup | Kept | Lines | Finish
Answer = Judged | Closed | Done

_encoder = msgspec.msgpack.Encoder()
read_order = msgspec.msgpack.Decoder(Order).decode
read_answer = msgspec.msgpack.Decoder(Answer).decode


def framed(message: Order | Answer) -> bytearray:
    """The message with its length before it. O(size)."""
    frame = bytearray(HEADER.size)
    _encoder.encode_into(message, frame, HEADER.size)
    HEADER.pack_into(frame, 0, len(frame) - HEADER.size)
    return frame
