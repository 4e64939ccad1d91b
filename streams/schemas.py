"""JSON Schemas of the wire, generated from the structs that decode it: `python -m streams.schemas DIR`."""

import ast
import inspect
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from detectors import events, feature_types
from streams.codec import MAX_TIME_S
from streams.number_bounds import MAX_REAL, MAX_WHOLE

KINDS: dict[str, type[msgspec.Struct]] = {
    "step": events.Step,
    "run_started": events.RunStarted,
    "run_ended": events.RunEnded,
    "compaction": events.Compaction,
    "user_input": events.UserInput,
    "milestone": events.Milestone,
    "score": events.Score,
    "release": events.Release,
    "answer": events.Answer,
    "halt": events.HaltOrder,
    "ack": events.Ack,
    "command": events.Command,
    "verdict": events.Verdict,
}
"""Kind → struct. The last three stand alone on their topics and carry no `kind`."""
INPUT_TIMES = ("ts", "at")
_DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema = dict[str, Any]


def schemas() -> dict[str, Schema]:
    """The schema of every kind."""
    words = _field_words(events) | _field_words(feature_types)
    return {kind: _schema(kind, struct, words) for kind, struct in KINDS.items()}


def text(schema: Schema) -> str:
    """As the file has it."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def write(directory: Path) -> list[Path]:
    """One file a kind in `directory`; files of kinds that are gone are removed."""
    directory.mkdir(parents=True, exist_ok=True)
    wanted = {directory / f"{kind}.json": text(schema) for kind, schema in schemas().items()}
    for path, content in wanted.items():
        path.write_text(content, "utf-8")
    for path in set(directory.glob("*.json")) - wanted.keys():
        path.unlink()
    return sorted(wanted)


def _schema(kind: str, struct: type[msgspec.Struct], words: dict[tuple[str, str], str]) -> Schema:
    _, components = msgspec.json.schema_components([struct], ref_template="#/$defs/{name}")
    for name, component in components.items():
        for field, schema in component.get("properties", {}).items():
            _bounded(schema)
            if (name, field) in words:
                schema.setdefault("description", words[name, field])
    main: Schema = components.pop(struct.__name__)
    main.pop("title", None)
    for field in INPUT_TIMES:
        if field in main["properties"] and kind not in ("command", "verdict"):
            main["properties"][field] |= {"anyOf": _moment(), "default": None}
    if kind == "step":  # the one kind that may leave its name out
        main["required"] = [name for name in main["required"] if name != "kind"]
    head: Schema = {"$schema": _DIALECT, "$id": f"urn:stallwatch:schema:v1:{kind}", "title": kind}
    defs = {"$defs": components} if components else {}
    return head | main | defs


def _moment() -> list[Schema]:
    return [
        {"type": "number", "minimum": 0, "maximum": MAX_TIME_S, "description": "Seconds since the epoch."},
        {"type": "string", "format": "date-time", "description": "RFC 3339, with an offset."},
        {"type": "null"},
    ]


def _bounded(schema: Schema) -> None:
    """Numbers without bounds get those that the codec insists on."""
    bounds: dict[str, float] = {"integer": MAX_WHOLE, "number": MAX_REAL}
    for part in [schema, *schema.get("anyOf", [])]:
        bound = bounds.get(part.get("type", ""))
        if bound is not None:
            if "exclusiveMinimum" not in part:
                part.setdefault("minimum", -bound)
            if "exclusiveMaximum" not in part:
                part.setdefault("maximum", bound)


def _field_words(module: ModuleType) -> dict[tuple[str, str], str]:
    """(class, field) → the text under the field in the source; inherited fields count for every subclass."""
    own: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef):
            own[node.name] = _documented(node)
    out = {}
    for name, struct in inspect.getmembers(module, inspect.isclass):
        for base in reversed(struct.__mro__):
            for field, words in own.get(base.__name__, {}).items():
                out[name, field] = words
    return out


def _documented(node: ast.ClassDef) -> dict[str, str]:
    words = {}
    for field, below in zip(node.body, node.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            words[field.target.id] = " ".join(below.value.value.split())
    return words


if __name__ == "__main__":
    for written in write(Path(sys.argv[1] if len(sys.argv) > 1 else "deploy/schemas")):
        sys.stdout.write(f"{written}\n")
