"""Plain JSON values: what `clean` makes of anything."""

import enum
import json
from collections import OrderedDict
from datetime import date
from typing import Any

import msgspec
import pytest

from detectors.events import Step
from streams.plain import MAX_DEPTH, check_plain, clean


class Broken:
    """A value that cannot even be described."""

    def __str__(self) -> str:
        raise RuntimeError("no")


class Leaky(dict[str, object]):
    """A mapping that breaks while it is read."""

    def items(self) -> Any:
        raise RuntimeError("no")

    def __str__(self) -> str:
        return "leaky"


class Number(enum.IntEnum):
    ONE = 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (1.5, 1.5),
        (float("nan"), None),
        (float("-inf"), None),
        (10**20, 10**20),
        (10**400, None),
        (Number.ONE, 1),
        ("plain", "plain"),
        ("a\ud800b", "a\ufffdb"),
        ("\udc00\ud800", "\ufffd\ufffd"),
        ("\ud83d\ude00", "\U0001f600"),
        (b"ok\xff", "ok\ufffd"),
        (bytearray(b"x"), "x"),
        ((1, 2), [1, 2]),
        ({3, 1, 2}, [1, 2, 3]),
        (OrderedDict(a=1), {"a": 1}),
        ({1: "a", None: "b", (1, 2): "c"}, {"1": "a", "None": "b", "(1, 2)": "c"}),
        (date(2026, 1, 2), "2026-01-02"),
        (Broken(), "<Broken>"),
        ([Leaky(a=1)], ["leaky"]),
    ],
)
def test_clean(value: object, expected: object) -> None:
    assert clean(value) == expected
    assert type(clean(value)) is type(expected)


def test_a_struct_stays_one() -> None:
    cleaned = clean(Step(run_id="\ud800", seq=1, tool="t", args=[float("nan")]))
    assert cleaned == Step(run_id="\ufffd", seq=1, tool="t", args=[None])


def test_deep_and_endless_values_are_cut() -> None:
    knot: list[object] = []
    knot.append(knot)
    cleaned = clean(knot)
    check_plain([cleaned])
    depth = 0
    while isinstance(cleaned, list):
        cleaned, depth = cleaned[0], depth + 1
    assert depth == MAX_DEPTH
    assert isinstance(cleaned, str)


def test_what_is_clean_is_json_everywhere() -> None:
    value = clean({"a": [float("nan"), "\ud800", b"\xff", {1, 2}, object], "b": {("x",): 10**400}})
    text = json.dumps(value, allow_nan=False)
    assert msgspec.json.decode(text.encode()) == value
