"""An agent's values as the wire takes them: whatever comes in, something valid goes out.

An argument may hold a path, a set, bytes, a cycle, NaN. None of it may break the agent or make a dead letter.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import msgspec
import orjson

from streams.codec import MAX_TIME_S, clean
from streams.number_bounds import MAX_REAL, MAX_WHOLE
from streams.plain import MAX_DEPTH

MAX_VALUES = 200_000
"""Values inside one argument or answer that the slow way looks at: an object graph may unfold without end."""
MAX_ID = 512
"""Characters of an id."""

_CONTAINERS = (Mapping, list, tuple, set, frozenset)


def as_json(value: object) -> bytes:
    """`value` as JSON bytes, at most `MAX_DEPTH` deep. Never raises. O(size), in C for ordinary values.

    Bytes become text, sets lists, NaN null, lone surrogates U+FFFD, other objects their text.
    """
    try:
        data = orjson.dumps(value, default=_described, option=orjson.OPT_NON_STR_KEYS)
    except Exception:  # noqa: BLE001 - whatever the agent's value does when it is read, the agent goes on
        return _slowly(value)
    # A text may hold any number of brackets; only a container can be deep.
    if data[0] not in b"[{" or data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return data
    return data if _fits(plain := msgspec.json.decode(data)) else _slowly(plain)


def _slowly(value: object) -> bytes:
    if _fits(value, depth=1000):
        try:
            return msgspec.json.encode(clean(value))
        except Exception:  # noqa: BLE001, S110 - whatever it is, something stands in its place
            pass
    return orjson.dumps(f"<{type(value).__name__} that cannot be written as JSON>")


def _fits(value: object, depth: int = MAX_DEPTH) -> bool:
    """Whether `value` unfolds into at most `MAX_VALUES` containers and values, `depth` levels deep."""
    level: list[object] = [value]
    seen = 0
    for _ in range(depth):
        following: list[object] = []
        for item in level:
            children = _children(item)
            seen += len(children)
            following += [c for c in children if isinstance(c, _CONTAINERS)]
            if seen > MAX_VALUES:
                return False
        if not following:
            return True
        level = following
    return False


def _children(item: object) -> list[object]:
    try:
        if isinstance(item, Mapping):
            return list(item.values())
        return list(item) if isinstance(item, _CONTAINERS) else []
    except Exception:  # noqa: BLE001 - a container that cannot be walked is a leaf, which `clean` describes
        return []


def _described(value: object) -> Any:
    """What orjson does not write itself."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).decode("utf-8", "replace")
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {value}"
    dump: Callable[[], object] | None = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        return dump()
    return str(value)[:1000]


def text(value: object, limit: int) -> str | None:
    """Text of at most `limit` characters; None stays None, and so does what has no text."""
    if value is None:
        return None
    shown = value if isinstance(value, str) else clean(value)
    return str(clean((shown if isinstance(shown, str) else str(shown))[:limit]))


def name(value: object, limit: int = 256) -> str | None:
    """Text of 1 … `limit` characters, else None."""
    return text(value, limit) or None


def count(value: object) -> int | None:
    """A whole number 0 … 2⁵³, else None: no data."""
    whole = integer(value)
    return whole if whole is not None and whole >= 0 else None


def integer(value: object) -> int | None:
    """A whole number within ±2⁵³, else None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and not value.is_integer():
        return None
    return int(value) if -MAX_WHOLE <= value <= MAX_WHOLE else None


def number(value: object) -> float | None:
    """A number within ±10¹⁰⁰, else None."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if -MAX_REAL <= found <= MAX_REAL else None  # NaN is neither


def amount(value: object) -> float | None:
    """A number from 0 to 10¹⁰⁰, else None."""
    found = number(value)
    return found if found is not None and found >= 0 else None


def seconds(value: object) -> float | None:
    """A moment as seconds since the epoch; None for what is no moment.

    Takes seconds, a `datetime` (without an offset: local time, as `datetime` itself reads it) or RFC 3339
    text.
    """
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
        value = value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, datetime):
        try:
            value = value.timestamp()
        except (OverflowError, OSError, ValueError):
            return None
    found = amount(value)
    return found if found is not None and found <= MAX_TIME_S else None


def error(value: object) -> str | bool | None:
    """The error of a step: a text, an exception's text, true, or None."""
    if value is None or isinstance(value, (str, bool)):
        return value
    shown: object = msgspec.json.decode(as_json(value))
    return shown if isinstance(shown, str) else str(shown)


def identifier(field: str, value: object) -> str:
    """`value` as an id of the wire. Raises `ValueError` for none: without an id no run is told apart."""
    found = name(value, MAX_ID + 1)
    if not found:
        raise ValueError(f"{field} is empty: give each run an id of its own")
    if found[0] == "\0":  # such keys are the worker's own
        raise ValueError(f"{field} begins with a NUL character: give the run an id that can be read")
    if len(found) > MAX_ID:
        raise ValueError(f"{field} has more than {MAX_ID} characters: use a shorter id, or its digest")
    return found
