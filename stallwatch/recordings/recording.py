"""Recorded events as blocks of lines, from files, gzip and standard input."""

import gzip
import select
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from stallwatch.mistakes import Mistake

CHUNK_BYTES = 1 << 18
"""Read at a time: large enough that reading costs nothing per line."""
MAX_LINE_BYTES = 16 << 20
"""A broker's records are smaller by an order of magnitude; a longer "line" is no recording of steps."""
STDIN = "-"
_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"


class Block(NamedTuple):
    """Consecutive lines of one file."""

    file: str
    """The name as given; `<stdin>` for standard input."""
    first_line: int
    """Number of the first line, from 1."""
    lines: list[bytes]
    """Without line ends."""
    read_bytes: int
    """Bytes of all files that were read so far, as they lie on disk."""


def total_bytes(files: Sequence[str]) -> int | None:
    """Size on disk of all files; None where standard input or a pipe is among them. Raises `Mistake`."""
    total = 0
    for name in files:
        if name == STDIN:
            return None
        path = Path(name)
        try:
            if not path.is_file() and not path.is_dir():
                path.stat()
                return None
            total += path.stat().st_size
        except OSError as error:
            raise _unreadable(name, error) from None
    return total


def read(files: Sequence[str], before_wait: Callable[[], object] = lambda: None) -> Iterator[Block]:
    """All lines of all files in the order given. Memory: O(chunk + longest line).

    `before_wait` is called where the next bytes are not there yet, as on a pipe whose writer is slow. gzip is
    known by its first bytes, whatever the file is called. Raises `Mistake` where a file cannot be read.
    """
    before = 0
    for name in files:
        source = _open(name)
        shown = "<stdin>" if name == STDIN else name
        try:
            for block in _blocks(shown, source, before_wait):
                yield block._replace(read_bytes=before + block.read_bytes)
            before += _position(source)
        except EOFError:
            raise Mistake(f"{shown}: the gzip data ends too early; copy the file again") from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise Mistake(f"{shown}: damaged gzip data ({error}); copy the file again") from None
        except OSError as error:
            raise _unreadable(shown, error) from None
        finally:
            if name != STDIN:
                source.close()


def _open(name: str) -> BufferedReader:
    if name == STDIN:
        source = sys.stdin.buffer
        return source if isinstance(source, BufferedReader) else BufferedReader(cast("RawIOBase", source))
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise _unreadable(name, error) from None


def _unreadable(name: str, error: OSError) -> Mistake:
    return Mistake(
        f"{name}: {error.strerror or error}; give a JSONL file (gzip is fine) or - for standard input"
    )


def _position(source: BinaryIO) -> int:
    return source.tell() if source.seekable() else 0


def _would_wait(source: BufferedReader) -> bool:
    """Whether a read may take long. A file on disk never says so; what is no descriptor does not wait."""
    poll = select.poll()
    try:
        poll.register(source, select.POLLIN)
    except (OSError, ValueError):
        return False
    return not poll.poll(0)


def _blocks(name: str, source: BufferedReader, before_wait: Callable[[], object]) -> Iterator[Block]:
    stream = gzip.GzipFile(fileobj=source) if source.peek(2).startswith(_GZIP_MAGIC) else source
    number = 1
    rest: list[bytes] = []
    held = 0
    while True:
        if _would_wait(source):
            before_wait()
        chunk = stream.read1(CHUNK_BYTES)
        if not chunk:
            break
        if number == 1 and not rest:
            chunk = chunk.removeprefix(_BOM)
        if b"\n" not in chunk:
            rest.append(chunk)
            held += len(chunk)
            if held > MAX_LINE_BYTES:
                raise Mistake(
                    f"{name}:{number}: a line of more than {MAX_LINE_BYTES >> 20} MiB; "
                    "the input must be JSON Lines, one event per line"
                )
            continue
        rest.append(chunk)
        lines = b"".join(rest).split(b"\n")
        rest = [lines.pop()]
        held = len(rest[0])
        yield Block(name, number, lines, _position(source))
        number += len(lines)
    if held:
        yield Block(name, number, [b"".join(rest)], _position(source))
