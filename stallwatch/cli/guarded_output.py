"""Standard output whose failures are told apart from every other failure of the operating system."""

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from stallwatch.mistakes import Mistake

STDOUT = 1


class ReaderGoneError(Exception):
    """The reader of the output (`head`, a pager) had enough."""


class OutputLostError(Mistake):
    """What should have been printed could not be."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"standard output cannot be written ({reason}): what was to be printed is lost, what the command "
            "did before stands"
        )


class _Guarded(io.RawIOBase):
    """A file descriptor for writing. None of its errors is an `OSError`, which others would take for Kafka's."""

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor
        """None: the command was started without a standard output."""
        self._forgets = False

    def forget(self) -> None:
        """What is written from now on is gone."""
        self._forgets = True

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return STDOUT if self._descriptor is None else self._descriptor

    def isatty(self) -> bool:
        return self._descriptor is not None and os.isatty(self._descriptor)

    def write(self, data: Any) -> int:
        if self._forgets:
            return len(data)
        if self._descriptor is None:
            raise OutputLostError("it is closed")
        try:
            return os.write(self._descriptor, data)
        except BrokenPipeError:
            raise ReaderGoneError from None
        except OSError as error:
            raise OutputLostError(error.strerror or errno.errorcode.get(error.errno or 0, "?")) from None


@contextmanager
def guarded_output() -> Iterator[None]:
    """Inside the block, printing raises `ReaderGoneError` or `OutputLostError` where output cannot be written.

    What a terminal's encoding cannot show is printed as its escape. Nothing changes where standard output is
    no file of the operating system (a test's buffer).
    """
    before = sys.stdout
    raw = _raw(before)
    if raw is None:
        yield
        return
    sys.stdout = guarded = _text(raw, before)
    try:
        yield
        guarded.flush()
    finally:
        sys.stdout = before
        _abandon(guarded, raw)


def _raw(stream: Any) -> _Guarded | None:
    if stream is None:
        # The next file or socket would get this number, and whatever a library prints would go into it.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        if nowhere != STDOUT:
            os.dup2(nowhere, STDOUT)
            os.close(nowhere)
        return _Guarded(None)
    try:
        stream.flush()
        return _Guarded(stream.fileno())
    except (AttributeError, OSError, ValueError):
        return None


def _text(raw: _Guarded, like: Any) -> io.TextIOWrapper:
    if like is None:
        return io.TextIOWrapper(io.BufferedWriter(raw), "utf-8")
    errors = "backslashreplace" if like.errors == "strict" else like.errors
    return io.TextIOWrapper(io.BufferedWriter(raw), like.encoding, errors, line_buffering=like.line_buffering)


def _abandon(guarded: io.TextIOWrapper, raw: _Guarded) -> None:
    """What is still buffered after a failure is dropped, instead of failing once more when the stream is collected."""
    try:
        guarded.flush()
    except (ReaderGoneError, OutputLostError):
        raw.forget()
        guarded.flush()
