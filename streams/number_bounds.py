"""Bounds of numbers that their types leave open: whole ones ±2⁵³, others ±10¹⁰⁰.

Every JSON reader keeps such whole numbers exact, every state can hold them, and sums of the others stay
finite. The fields are found from the structs' types, so that one added without a bound is covered too.
"""

from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from streams.badrecord import BadRecord, Reason

MAX_WHOLE = 2**53
MAX_REAL = 1e100


def check_numbers(event: msgspec.Struct) -> None:
    """Every number of the event is within its bounds. O(fields without a bound). Raises `BadRecord`."""
    fields, nested = _open_fields(type(event))
    for name in fields:
        number = getattr(event, name)
        if number is None:
            continue
        kind = type(number)
        if kind is int:
            if not -MAX_WHOLE <= number <= MAX_WHOLE:
                raise BadRecord(Reason.OUT_OF_RANGE, f"Expected an `int` within ±2^53 - at `$.{name}`")
        elif kind is float and not -MAX_REAL <= number <= MAX_REAL:
            raise BadRecord(Reason.OUT_OF_RANGE, f"Expected a `float` within ±1e100 - at `$.{name}`")
    for name in nested:
        inner = getattr(event, name)
        if inner is not None:
            check_numbers(inner)


@cache
def _open_fields(struct: type[msgspec.Struct]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Fields that may hold an unbounded number, and fields that hold a struct with such fields."""
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    fields, nested = [], []
    for field in info.fields:
        for part in _alternatives(field.type):
            if isinstance(part, (inspect.IntType, inspect.FloatType)) and part.le is None and part.lt is None:
                fields.append(field.name)
            elif isinstance(part, inspect.StructType) and any(_open_fields(part.cls)):
                nested.append(field.name)
    return tuple(dict.fromkeys(fields)), tuple(nested)


def _alternatives(part: Any) -> tuple[Any, ...]:
    return part.types if isinstance(part, inspect.UnionType) else (part,)
