"""Blocks of lines from files, gzip and standard input."""

import gzip
import io
import os
import threading
from pathlib import Path

import pytest

from stallwatch.mistakes import Mistake
from stallwatch.recordings import recording


def numbered(*names: str) -> list[tuple[str, int, bytes]]:
    return [
        (Path(block.file).name, number, line)
        for block in recording.read(names)
        for number, line in enumerate(block.lines, block.first_line)
    ]


def stdin_of(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(data)

    monkeypatch.setattr("sys.stdin", Stdin)


def test_lines_keep_their_file_and_number_across_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "CHUNK_BYTES", 7)
    lines = [b"x" * size for size in (3, 0, 20, 1, 7, 6, 8)]
    path = tmp_path / "a"
    path.write_bytes(b"\n".join(lines) + b"\n")
    assert numbered(str(path)) == [("a", number, line) for number, line in enumerate(lines, 1)]


def test_the_last_line_needs_no_line_end(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1\n2")
    (tmp_path / "b").write_bytes(b"3")
    assert numbered(str(tmp_path / "a"), str(tmp_path / "b")) == [
        ("a", 1, b"1"),
        ("a", 2, b"2"),
        ("b", 1, b"3"),
    ]


def test_gzip_is_known_by_its_bytes_not_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl"
    path.write_bytes(gzip.compress(b"1\n") + gzip.compress(b"2\n"))
    assert [line for _, _, line in numbered(str(path))] == [b"1", b"2"]


def test_gzip_on_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin_of(gzip.compress(b"1\n2\n"), monkeypatch)
    assert numbered("-") == [("<stdin>", 1, b"1"), ("<stdin>", 2, b"2")]


def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbf1\n")
    assert numbered(str(tmp_path / "a")) == [("a", 1, b"1")]


def test_read_bytes_adds_up_to_the_size_on_disk(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a", tmp_path / "b"
    plain.write_bytes(b"1\n" * 1000)
    packed.write_bytes(gzip.compress(b"1\n" * 1000))
    names = [str(plain), str(packed)]
    *_, last = recording.read(names)
    assert last.read_bytes == recording.total_bytes(names) == plain.stat().st_size + packed.stat().st_size


def test_the_size_of_standard_input_is_not_known() -> None:
    assert recording.total_bytes(["-"]) is None


def test_a_named_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert recording.total_bytes([str(pipe)]) is None
    writer = threading.Thread(target=pipe.write_bytes, args=(gzip.compress(b"1\n2\n"),))
    writer.start()
    assert [line for _, _, line in numbered(str(pipe))] == [b"1", b"2"]
    writer.join()


@pytest.mark.parametrize("cut", [5, 40])
def test_gzip_that_ends_too_early_is_said(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"\n".join(b"%d" % i for i in range(1000)))[:-cut])
    with pytest.raises(Mistake, match=r"a\.gz: the gzip data ends too early"):
        numbered(str(path))


def test_damaged_gzip_is_said(tmp_path: Path) -> None:
    data = bytearray(gzip.compress(b"\n".join(b"%d" % i for i in range(1000))))
    data[60:90] = bytes(30)
    path = tmp_path / "a.gz"
    path.write_bytes(data)
    with pytest.raises(Mistake, match=r"a\.gz: damaged gzip data"):
        numbered(str(path))


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(Mistake, match="none: No such file"):
        numbered(str(tmp_path / "none"))
    with pytest.raises(Mistake, match="Is a directory"):
        numbered(str(tmp_path))
    with pytest.raises(Mistake, match="none: No such file"):
        recording.total_bytes([str(tmp_path / "none")])


def test_input_without_line_ends_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "CHUNK_BYTES", 100)
    monkeypatch.setattr(recording, "MAX_LINE_BYTES", 1000)
    path = tmp_path / "a"
    path.write_bytes(b"first\n" + b"x" * 1500)
    with pytest.raises(Mistake, match="a:2: a line of more than"):
        numbered(str(path))
