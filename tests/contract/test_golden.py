"""Records of every past version of the wire decode for ever, field by field, and fit the published schemas."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from streams.codec import (
    decode_ack,
    decode_command,
    decode_operator,
    decode_steps,
    decode_verdict,
    encode,
    event_from_mapping,
)
from streams.schemas import KINDS, schemas

GOLDEN = sorted((Path(__file__).parent / "golden").glob("v*/*.json"))
SCHEMAS = schemas()
Decoder = Callable[[bytes, bytes], Any]
DECODERS: dict[str, Decoder] = {
    "steps": lambda key, value: decode_steps(key, value, ()),
    "operator": lambda key, value: decode_operator(key, value, ()),
    "acks": lambda key, value: decode_ack(key, value, ()),
    "control": lambda key, value: decode_command(value),
    "verdicts": lambda key, value: decode_verdict(value),
}


def kind_of(path: Path) -> str:
    """`steps.step-full` is about a `step`."""
    return path.stem.partition(".")[2].partition("-")[0]


def decoded(path: Path) -> Any:
    value = path.read_bytes()
    record = json.loads(value)
    key = record.get("root_run_id") or record["run_id"]
    return DECODERS[path.stem.partition(".")[0]](key.encode(), value)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_record_of_any_version_keeps_its_meaning(path: Path) -> None:
    record = json.loads(path.read_bytes())
    event = decoded(path)
    assert type(event) is KINDS[kind_of(path)]
    kept = msgspec.to_builtins(event)
    for name, value in record.items():
        if name == "from_the_future":
            assert name not in kept
        elif name in ("ts", "at"):
            assert isinstance(getattr(event, name), float)
        elif value is not None and name not in ("kind", "schema"):
            assert value == kept.get(name, getattr(event, name)), name


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_golden_records_and_what_we_write_fit_the_schemas(path: Path) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMAS[kind_of(path)])
    for value in (path.read_bytes(), encode(decoded(path))):
        assert [error.message for error in validator.iter_errors(json.loads(value))] == []


def test_there_is_a_golden_record_of_every_kind() -> None:
    assert {kind_of(path) for path in GOLDEN} == set(KINDS)


def test_the_fullest_step_names_every_field() -> None:
    full = json.loads((Path(__file__).parent / "golden/v1/steps.step-full.json").read_text())
    # `features` stands instead of content, and its own golden record is beside.
    assert set(full) == {"kind", *KINDS["step"].__struct_fields__} - {"features"}


def test_times_in_text_are_the_same_moment_everywhere() -> None:
    event = decoded(Path(__file__).parent / "golden/v1/steps.step-turn-text-error-true.json")
    assert event.ts == 1764517442.125
    assert (
        event_from_mapping({"run_id": "r", "seq": 0, "tool": "t", "ts": "2025-11-30T15:44:02.125Z"}).ts
        == event.ts
    )
