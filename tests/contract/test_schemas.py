"""The published JSON Schemas are those of the code, and say what the codec says."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from streams.codec import BadRecord, decode_event
from streams.schemas import KINDS, schemas, text, write

DIRECTORY = Path(__file__).parents[2] / "deploy" / "schemas"
STEP = {"run_id": "r", "seq": 1, "tool": "t"}


@pytest.mark.parametrize("kind", KINDS)
def test_published_schemas_are_those_of_the_code(kind: str) -> None:
    path = DIRECTORY / f"{kind}.json"
    assert path.exists(), f"{path.name} is missing: run `make pages`"
    assert path.read_text("utf-8") == text(schemas()[kind]), f"{path.name} is out of date: run `make pages`"


def test_nothing_else_is_published() -> None:
    stray = {path.name for path in DIRECTORY.iterdir()} - {f"{kind}.json" for kind in KINDS}
    assert stray == set(), "schemas of kinds that are gone: run `make pages`"


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_sound_and_name_themselves(kind: str) -> None:
    schema = schemas()[kind]
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:stallwatch:schema:v1:{kind}"
    assert schema["title"] == kind
    assert schema["description"]
    assert "additionalProperties" not in schema  # unknown fields are ignored


def test_only_a_step_may_leave_out_its_kind() -> None:
    with_kind = [kind for kind, schema in schemas().items() if "kind" in schema["properties"]]
    without = [kind for kind in with_kind if "kind" not in schemas()[kind]["required"]]
    assert without == ["step"]
    assert set(KINDS) - set(with_kind) == {"ack", "command", "verdict"}


def test_field_descriptions_come_with_the_schema() -> None:
    milestone = schemas()["step"]["properties"]["milestone"]
    assert "never the model's claim" in milestone["description"]


@pytest.mark.parametrize(
    ("more", "fits"),
    [
        ({}, True),
        ({"args": [1, {"a": None}], "result": False}, True),
        ({"ts": 1764521042.1}, True),
        ({"ts": "2025-11-30T16:44:02Z"}, True),
        ({"ts": -1}, False),
        ({"ts": 1764521042100}, False),
        ({"seq": -1}, False),
        ({"seq": 2**53 + 1}, False),
        ({"turn": 2**53 + 1}, False),
        ({"turn": "m-1"}, True),
        ({"run_id": ""}, False),
        ({"tool": 5}, False),
        ({"score": 1e101}, False),
        ({"kind": "stepp"}, False),
        ({"schema": 2}, False),
        ({"cost_usd": -1}, False),
        ({"new": "field"}, True),
    ],
)
def test_schema_and_codec_agree(more: dict[str, Any], fits: bool) -> None:
    record = STEP | more
    validator = jsonschema.Draft202012Validator(schemas()["step"])
    assert validator.is_valid(record) is fits
    if fits:
        decode_event(json.dumps(record).encode())
    else:
        with pytest.raises(BadRecord):
            decode_event(json.dumps(record).encode())


def test_writing_removes_kinds_that_are_gone(tmp_path: Path) -> None:
    (tmp_path / "gone.json").write_text("{}")
    assert {path.stem for path in write(tmp_path)} == set(KINDS)
    assert not (tmp_path / "gone.json").exists()
