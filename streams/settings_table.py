"""The settings as a table, read off `Settings`: what the command line, the docs and the compose test walk."""

from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from streams.settings import Settings

PREFIX = "STALLWATCH_"


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """One setting."""

    name: str
    """The field of `Settings`, and the flag's word with `-` for `_`."""
    variable: str
    type: Any
    """With its bounds, as `msgspec.convert` takes it."""
    type_text: str
    """What a value must be, in words."""
    default: object
    help: str
    section: str
    secret: bool = False
    """Masked when printed, and read from a file if the variable with `_FILE` names one."""

    @property
    def flag(self) -> str:
        """The command line's spelling."""
        return "--" + self.name.replace("_", "-")

    @property
    def file_variable(self) -> str:
        """The variable that names a file with the secret."""
        return self.variable + "_FILE"


def _table() -> tuple[Setting, ...]:
    hints = get_type_hints(Settings, include_extras=True)
    out = []
    for field in msgspec.structs.fields(Settings):
        annotated = hints[field.name]
        about = next(m for m in annotated.__metadata__ if isinstance(m, msgspec.Meta) and m.extra)
        extra = about.extra or {}
        out.append(
            Setting(
                name=field.name,
                variable=PREFIX + field.name.upper(),
                type=annotated,
                type_text=describe(annotated),
                default=field.default,
                help=about.description or "",
                section=extra["section"],
                secret=extra["secret"],
            )
        )
    return tuple(out)


def describe(annotation: Any) -> str:
    """What a value of this type must be, in words that end "must be …"."""
    origin = get_origin(annotation)
    if origin is Annotated:
        base, *metas = get_args(annotation)
        words = describe(base)
        for meta in metas:
            words = _bounded(words, meta)
        return words
    if origin is Literal:
        return "one of " + ", ".join(map(str, get_args(annotation)))
    if origin is Union or origin is UnionType:
        return " or ".join(describe(a) for a in get_args(annotation) if a is not type(None))
    return {str: "text", int: "a whole number", float: "a number", bool: "true or false"}[annotation]


def _bounded(words: str, meta: msgspec.Meta) -> str:
    low = meta.ge if meta.ge is not None else meta.gt
    high = meta.le
    if low is not None and high is not None:
        above = "above " if meta.gt is not None else "from "
        return f"{words} {above}{low} to {high}"
    if meta.pattern is not None:
        return "letters, digits, dots, dashes and underscores, at most 150"
    if meta.min_length is not None:
        return "text that is not empty"
    return words


SETTINGS: tuple[Setting, ...] = _table()
BY_NAME: dict[str, Setting] = {s.name: s for s in SETTINGS}
