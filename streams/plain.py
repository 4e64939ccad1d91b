"""Plain JSON values: checked where a record comes in, made where a publisher sends one."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from streams.badrecord import BadRecord, Reason

MAX_DEPTH = 64
"""Levels of nesting within one field. Far above what tools send, far below what recursive code can walk."""


def check_depth(values: Iterable[Any]) -> None:
    """No value is nested deeper than `MAX_DEPTH`; O(number of values). Raises `BadRecord`."""
    level = [v for v in values if type(v) is dict or type(v) is list]
    if not level:
        return
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) is dict or type(inner) is list
        ]
        if not level:
            return
    raise BadRecord(Reason.TOO_DEEP, f"nested deeper than {MAX_DEPTH} levels")


def check_plain(value: object) -> None:
    """`value` is what JSON can carry: finite numbers, whole characters, text keys, bounded nesting.

    O(number of values), shared parts counted once a level. Raises `BadRecord`.
    """
    level: list[object] = [value]
    for _ in range(MAX_DEPTH + 2):
        following: dict[int, object] = {}
        for item in level:
            if isinstance(item, Mapping):
                for key, inner in item.items():
                    if not isinstance(key, str):
                        raise BadRecord(Reason.WRONG_TYPE, f"a key is a {type(key).__name__}, not text")
                    _check_scalar(key)
                    if not _check_scalar(inner):
                        following[id(inner)] = inner
            elif isinstance(item, (list, tuple)):
                for inner in item:
                    if not _check_scalar(inner):
                        following[id(inner)] = inner
            elif not _check_scalar(item):
                raise BadRecord(Reason.WRONG_TYPE, f"a {type(item).__name__} is no JSON value")
        if not following:
            return
        level = list(following.values())
    raise BadRecord(Reason.TOO_DEEP, f"nested deeper than {MAX_DEPTH} levels")


def _check_scalar(item: object) -> bool:
    """Whether `item` is a scalar that JSON can carry; False for anything else."""
    if isinstance(item, str):
        try:
            item.isascii() or item.encode()
        except UnicodeEncodeError:
            raise BadRecord(Reason.LONE_SURROGATE, "a text holds half of a surrogate pair") from None
        return True
    if isinstance(item, float):
        if not math.isfinite(item):
            raise BadRecord(Reason.NOT_FINITE, "a number is NaN or infinite")
        return True
    return item is None or isinstance(item, int)


def clean(value: object) -> Any:
    """`value` as JSON can carry it; total: never raises, whatever comes in.

    NaN and infinities become null, lone surrogates U+FFFD, bytes text, sets sorted lists, keys text; what is
    nested deeper than `MAX_DEPTH` or is no data at all becomes its text, cut at 1,000 characters.
    A struct stays one, with its fields cleaned. O(size).
    """
    return _clean(value, MAX_DEPTH)


def _clean(value: object, depth: int) -> Any:
    if isinstance(value, str):
        return _characters(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return _number(value)
    try:
        return _container(value, depth) if depth > 0 else _described(value)
    except Exception:  # noqa: BLE001 - a value of the agent's that breaks when it is read must not break the agent
        return _described(value)


def _container(value: object, depth: int) -> Any:
    if isinstance(value, msgspec.Struct):
        return type(value)(**{f: _clean(getattr(value, f), depth) for f in value.__struct_fields__})
    if isinstance(value, Mapping):
        return {_key(k): _clean(v, depth - 1) for k, v in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted((_clean(v, depth - 1) for v in value), key=repr)
    if isinstance(value, (list, tuple)):
        return [_clean(v, depth - 1) for v in value]
    return _described(value)


def _number(value: float) -> float | None:
    if isinstance(value, int):
        # Beyond a double's range JSON readers give up, or make it infinite.
        return int(value) if abs(value) < 2**1023 else None
    return float(value) if math.isfinite(value) else None


def _key(key: object) -> str:
    return _characters(key) if isinstance(key, str) else _described(key)


def _characters(text: str) -> str:
    if text.isascii():
        return str(text)
    # Two surrogates that belong together become their character, a lone one becomes U+FFFD.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _described(value: object) -> str:
    try:
        if isinstance(value, (bytes, bytearray, memoryview)):
            return bytes(value).decode("utf-8", "replace")
        return _characters(str(value)[:1000])
    except Exception:  # noqa: BLE001 - a broken __str__ of the agent's value must not break the agent
        return f"<{type(value).__name__}>"
