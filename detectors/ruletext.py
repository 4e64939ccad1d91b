"""A rule set as TOML text, each field with its meaning and what it may be."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from detectors.parameters import Section
from detectors.rules import Rules


def show(rules: Rules) -> str:
    """Every field of the set as TOML with comments. `rulefile.parse` makes the same set of it. O(fields)."""
    return "\n".join(_lines(rules, "")) + "\n"


def allowed(kind: Any) -> str:
    """What a field of this type may be, in words: `a number from 0 to 1.5`."""
    info = bare(kind)
    match info:
        case inspect.IntType():
            words = f"a whole number {_range(info)}"
        case inspect.FloatType():
            words = f"a number {_range(info)}"
        case inspect.LiteralType():
            words = "one of " + ", ".join(str(value) for value in info.values)
        case inspect.StrType():
            words = f"a text of {info.min_length or 0} to {info.max_length} characters"
        case inspect.VarTupleType():
            words = f"a list of up to {info.max_length} texts"
        case _:
            raise TypeError(f"a rule field of type {kind} has no words yet")
    return words


def bare(kind: Any) -> inspect.Type:
    """The type with its range, without its description."""
    info = inspect.type_info(kind)
    return info.type if isinstance(info, inspect.Metadata) else info


def _range(info: inspect.IntType | inspect.FloatType) -> str:
    low = f"from {info.ge:.15g}" if info.ge is not None else f"above {info.gt:.15g}"
    return f"{low} to {info.le:.15g}"


def _lines(section: msgspec.Struct, prefix: str) -> Iterator[str]:
    fields = msgspec.structs.fields(type(section))
    for field in fields:
        value = getattr(section, field.name)
        if not isinstance(value, Section):
            yield f"# {description(field.type)} ({allowed(field.type)})"
            yield f"{field.name} = {literal(value)}"
    for field in fields:
        value = getattr(section, field.name)
        if isinstance(value, Section):
            yield ""
            if any(not isinstance(getattr(value, name), Section) for name in value.__struct_fields__):
                yield f"[{prefix}{field.name}]"
            yield from _lines(value, f"{prefix}{field.name}.")


def description(kind: Any) -> str:
    """What the field means, without a full stop."""
    info = inspect.type_info(kind)
    schema = info.extra_json_schema if isinstance(info, inspect.Metadata) else None
    return str((schema or {}).get("description", "")).rstrip(".")


def literal(value: Any) -> str:
    """The value as TOML writes it."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, tuple):
        return "[" + ", ".join(quoted(item) for item in value) + "]"
    return repr(value)


def quoted(text: str) -> str:
    """A TOML basic string: quotes, backslashes and control characters escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}" for c in escaped) + '"'
