"""The last thing that a process wrote before it ended, for the sentence that says so."""

import contextlib
from pathlib import Path

import msgspec

MAX_CHARS = 500


def last_words(log: Path) -> str:
    """The last line that is not empty; of a structured log line, the event and what went wrong."""
    said: list[str] = []
    with contextlib.suppress(OSError):
        said = [line for line in log.read_text("utf-8", "replace").splitlines() if line.strip()]
    return _plain(said[-1])[:MAX_CHARS] if said else "it said nothing"


def _plain(line: str) -> str:
    try:
        record = msgspec.json.decode(line.encode(), type=dict[str, object])
    except msgspec.DecodeError:
        return line
    return ", ".join(str(record[name]) for name in ("event", "error") if name in record) or line
