"""Records that wait for the broker: bounded in number and in bytes, from any thread."""

import itertools
import threading
from collections import OrderedDict, deque
from enum import Enum
from typing import NamedTuple


class Offered(Enum):
    """What became of a record."""

    FULL = "full"
    """Refused."""
    FIRST = "first"
    """Taken in, and whoever takes records out has to be woken."""
    MORE = "more"
    """Taken in behind others that were not taken out yet."""


class Waiting(NamedTuple):
    """A record on its way. `number` counts the buffer's records from 0."""

    number: int
    key: bytes
    value: bytes

    @property
    def size_bytes(self) -> int:
        """What it counts for in the buffer."""
        return len(self.key) + len(self.value)


class Buffer:
    """First in, first out; a record counts until it is settled: delivered, or given up.

    Full means full: the newest record is refused, since what is older is what the newer one builds on. Every
    operation is O(1) per record.
    """

    def __init__(self, *, max_records: int, max_bytes: int) -> None:
        if max_records < 1 or max_bytes < 1:
            raise ValueError(
                f"a buffer of {max_records} records and {max_bytes} bytes holds nothing: give 1 or more"
            )
        self._max_records = max_records
        self._max_bytes = max_bytes
        # Reentrant: an agent's signal handler may record something while the agent does.
        self._lock = threading.RLock()
        self._fresh: deque[Waiting] = deque()
        self._open: OrderedDict[int, int] = OrderedDict()
        """Number → size of every record that is not settled, oldest first."""
        self._bytes = 0
        self._numbers = itertools.count()
        self._end = 0

    def offer(self, key: bytes, value: bytes) -> Offered:
        """The record is in the buffer, unless that is full."""
        size = len(key) + len(value)
        with self._lock:
            if len(self._open) >= self._max_records or self._bytes + size > self._max_bytes:
                return Offered.FULL
            first = not self._fresh
            number = next(self._numbers)
            self._bytes += size
            self._open[number] = size
            self._end = number + 1
            self._fresh.append(Waiting(number, key, value))
            return Offered.FIRST if first else Offered.MORE

    def take(self) -> list[Waiting]:
        """The records that came since the last call, in order; they count until they are settled."""
        with self._lock:
            taken = list(self._fresh)
            self._fresh.clear()
        return taken

    def settle(self, records: list[Waiting]) -> None:
        """These records count no longer. Numbers that are not open are ignored."""
        with self._lock:
            for record in records:
                self._bytes -= self._open.pop(record.number, 0)

    def abandon(self) -> int:
        """The buffer is empty; how many records were not settled."""
        with self._lock:
            left = len(self._open)
            self._fresh.clear()
            self._open.clear()
            self._bytes = 0
        return left

    @property
    def end(self) -> int:
        """Number that the next record will get."""
        return self._end

    def settled_before(self, number: int) -> bool:
        """Whether every record with a smaller number is settled."""
        with self._lock:
            return not self._open or next(iter(self._open)) >= number

    @property
    def records(self) -> int:
        """Records that are not settled."""
        return len(self._open)

    @property
    def size_bytes(self) -> int:
        """Bytes of the records that are not settled."""
        return self._bytes
