"""Whatever an agent hands over becomes JSON that the codec accepts."""

import datetime
import decimal
import json
import pathlib
from dataclasses import dataclass

import pytest

from stallwatch.clients import wire_values
from streams.codec import decode_event


class Broken:
    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


class Graph:
    """Children that know their parent, as dictionaries: unfolds without end."""

    @staticmethod
    def make(children: int) -> dict[str, object]:
        root: dict[str, object] = {}
        root["children"] = [{"parent": root, "number": n} for n in range(children)]
        return root


@dataclass
class Point:
    x: int
    y: float


def loop() -> list[object]:
    value: list[object] = []
    value += [value, value]
    return value


def deep(levels: int) -> object:
    value: object = "end"
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"a": [1, 2.5, None, True, "é"]}, {"a": [1, 2.5, None, True, "é"]}),
        (float("nan"), None),
        ([float("inf")], [None]),
        (b"caf\xc3\xa9 \xff", "café �"),
        ({"stdout": b"ok"}, {"stdout": "ok"}),
        ("half \ud800 pair", "half � pair"),
        (["\ud83d\ude00"], ["😀"]),
        ({1: "a", None: "b"}, {"1": "a", "null": "b"}),
        ({(1, 2): "a"}, {"(1, 2)": "a"}),
        ({3, 1, 2}, [1, 2, 3]),
        (2**70, 2**70),
        (2**2000, None),
        (pathlib.PurePosixPath("/tmp/x"), "/tmp/x"),
        (decimal.Decimal("1.50"), "1.50"),
        (datetime.date(2026, 1, 2), "2026-01-02"),
        (Point(1, 2.0), {"x": 1, "y": 2.0}),
        (ValueError("no such file"), "ValueError: no such file"),
        (Broken(), "<Broken>"),
        ([Broken()], ["<Broken>"]),
    ],
)
def test_values_become_json(value: object, expected: object) -> None:
    assert json.loads(wire_values.as_json(value)) == expected


def test_models_with_their_own_dump_are_dumped() -> None:
    class Model:
        def model_dump(self) -> dict[str, int]:
            return {"n": 3}

    assert json.loads(wire_values.as_json(Model())) == {"n": 3}


@pytest.mark.parametrize(
    "value", [loop(), Graph.make(50), deep(1_000), deep(100_000)], ids=["loop", "graph", "deep", "very deep"]
)
def test_endless_and_deep_values_end(value: object) -> None:
    data = wire_values.as_json(value)
    assert len(data) < 10_000
    decode_event(_step(data))


def _step(data: bytes) -> bytes:
    return b'{"run_id":"r","seq":0,"tool":"t","args":%s}' % data


@pytest.mark.parametrize("levels", [10, 63, 64, 65, 66, 200])
def test_nesting_fits_what_the_codec_reads(levels: int) -> None:
    decode_event(_step(wire_values.as_json(deep(levels))))


def test_many_brackets_that_are_not_deep_stay_as_they_are() -> None:
    value = [[n] for n in range(500)]
    assert json.loads(wire_values.as_json(value)) == value


@pytest.mark.parametrize("value", [-1, True, "3", 1.5, float("nan"), 2**53 + 1, None, [1]])
def test_what_is_no_count_is_no_data(value: object) -> None:
    assert wire_values.count(value) is None


def test_counts_and_amounts() -> None:
    assert wire_values.count(3.0) == 3
    assert wire_values.integer(-9) == -9
    assert wire_values.amount(0.25) == 0.25
    assert wire_values.amount(-0.25) is None
    assert wire_values.number(-0.25) == -0.25
    assert wire_values.number(10**400) is None
    assert wire_values.number(True) is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (12.5, 12.5),
        ("2026-01-02T03:04:05Z", 1767323045.0),
        ("2026-01-02T04:04:05+01:00", 1767323045.0),
        ("2026-01-02T03:04:05", 1767323045.0),
        (datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.UTC), 1767323045.0),
        ("yesterday", None),
        (-5, None),
        (1764521042100, None),
    ],
)
def test_moments_become_seconds(value: object, expected: float | None) -> None:
    assert wire_values.seconds(value) == expected


def test_texts_are_cut_and_cleaned() -> None:
    assert wire_values.text("x" * 10, 4) == "xxxx"
    assert wire_values.text("a\ud800", 9) == "a�"
    assert wire_values.text(7, 9) == "7"
    assert wire_values.text(None, 9) is None
    assert wire_values.name("") is None


@pytest.mark.parametrize("value", ["", None, "x" * 513])
def test_what_is_no_id_is_refused_with_a_remedy(value: object) -> None:
    with pytest.raises(ValueError, match="run_id"):
        wire_values.identifier("run_id", value)


def test_errors_keep_their_text() -> None:
    assert wire_values.error("boom") == "boom"
    assert wire_values.error(True) is True
    assert wire_values.error(None) is None
    assert wire_values.error(KeyError("name")) == "KeyError: 'name'"
