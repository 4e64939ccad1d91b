"""Progress is for a person who watches a long read, and for nobody else."""

import io

import pytest

from stallwatch.recordings import reading_progress
from stallwatch.recordings.reading_progress import ReadingProgress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(
    stream: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
    patience_s: float,
    total: int | None,
    *,
    wanted: bool = True,
) -> str:
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(reading_progress, "PATIENCE_S", patience_s)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with ReadingProgress(total, wanted=wanted) as progress:
        progress.update(500, 7)
        progress.update(1000, 1234)
    return stream.getvalue()


@pytest.mark.parametrize("total", [2000, None])
def test_a_long_read_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch, total: int | None) -> None:
    text = shown(Terminal(), monkeypatch, 0, total)
    assert "reading" in text
    assert "1,234 events" in text


def test_a_short_read_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(Terminal(), monkeypatch, 1000, 2000) == ""


def test_where_nobody_watches_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(io.StringIO(), monkeypatch, 0, 2000) == ""
    assert shown(Terminal(), monkeypatch, 0, 2000, wanted=False) == ""
