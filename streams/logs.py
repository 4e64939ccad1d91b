"""Structured logs on the standard library: an event is a fixed string, everything that varies is a field.

    _log.info("halt published", extra={"fields": {"run_id": run_id, "reason": reason}})

Payloads never go into a log. What other libraries log passes through a rate limit: without a broker, a Kafka
client alone would write a hundred lines a second.
"""

import json
import logging
import sys
import time
from collections.abc import Callable
from typing import Any, Literal, TextIO

from streams.plain import clean

NOISY = ("aiokafka", "kafka", "faust", "mode", "aiohttp", "asyncio", "streams")
"""Loggers of libraries: at least WARNING, and limited. `streams` is where Faust's services, ours among them, log their
comings and goings; our own events are logged under `stallwatch`."""
LIMIT = 3
"""Lines of one kind that pass in a window."""
WINDOW_S = 30.0
_KINDS = 512


def configure(
    level: str = "INFO",
    form: Literal["json", "text"] = "json",
    *,
    stream: TextIO | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> logging.Handler:
    """All logs of the process go to `stream` (stderr) in this form; earlier handlers are replaced."""
    handler = logging.StreamHandler(stream if stream is not None else sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    handler.addFilter(RateLimit(clock))
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    for name in NOISY:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLevelName(level)))
    return handler


class RateLimit(logging.Filter):
    """Of the noisy libraries, `LIMIT` lines of one kind (logger and template) pass in `WINDOW_S` seconds.

    The first line of the next window says how many were suppressed. O(1) a line, bounded memory.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._seen: dict[tuple[str, str], list[float]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written."""
        if record.name.partition(".")[0] not in NOISY:
            return True
        now = self._clock()
        kind = (record.name, str(record.msg)[:200])
        window = self._seen.get(kind)
        if window is None:
            if len(self._seen) >= _KINDS:  # templates are few; made-up ones must not fill the memory
                self._seen.clear()
            self._seen[kind] = [now, 1.0, 0.0]
            return True
        if now - window[0] >= WINDOW_S:
            if window[2]:
                record.suppressed = int(window[2])
            window[:] = [now, 1.0, 0.0]
            return True
        window[1] += 1
        if window[1] <= LIMIT:
            return True
        window[2] += 1
        return False


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    given = getattr(record, "fields", None)
    fields = dict(given) if isinstance(given, dict) else {}
    suppressed = getattr(record, "suppressed", 0)
    if suppressed:
        fields["suppressed"] = suppressed
    return fields


class JsonLines(logging.Formatter):
    """One JSON object a line: time (UTC, RFC 3339), level, logger, event, then the fields."""

    def format(self, record: logging.LogRecord) -> str:
        """The line. Never raises, whatever the fields hold."""
        line: dict[str, Any] = {
            "time": _stamp(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        for name, value in _fields(record).items():
            line[f"{name}_" if name in line else str(name)] = value
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(clean(line), ensure_ascii=False, separators=(",", ":"))


class TextLines(logging.Formatter):
    """Time, level, event, and the fields as name=value; for people."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, with the traceback of an exception below it."""
        pairs = "".join(f" {k}={_shown(v)}" for k, v in _fields(record).items())
        line = f"{_stamp(record.created)} {record.levelname.lower():<7} {record.getMessage()}{pairs}"
        if record.exc_info:
            line += "\n" + self.formatException(record.exc_info)
        return line


def _shown(value: object) -> str:
    text = str(clean(value))
    plain = text.isprintable() and " " not in text and '"' not in text
    return text if plain and text else json.dumps(text, ensure_ascii=False)


def _stamp(created: float) -> str:
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(created))
    return f"{whole}.{int(created % 1 * 1000):03d}Z"
