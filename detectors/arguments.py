"""What a call asks for: its resource, the window of it, its own words, and the ids it walks through.

One pass over the arguments, bounded in values and characters. Names of keys only help to find the resource; the
rest is shape: an id is one token with a digit or a path sign in it, prose is several words.
"""

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from detectors.canonical import canonical, digest, short, text_bytes
from detectors.leaves import leaves
from detectors.roles import Part, Roles
from detectors.tokens import MAX_CHARS, is_prose, split, tokens
from detectors.volatile import scrub, shape

_SUBSTITUTION = re.compile(r"[a-z]{1,2}/[^/]*/[^/]*/[a-z0-9]*$")
_PAIR = re.compile(r"(?<![\w.])(\d+)\s?[,:-]\s?(\d+)(?!\.\d)")
_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))#(?!!)[^'\"\n]*$")
_EMPTY_COMMAND = re.compile(r"\s*(?:;|&&|\|\|)\s*(?::|true)(?:\s+[^;&|\n]*)?(?=$|[;&|\n])")


_GRID, _NAME = 3, 40
"""Values of a point among many, and characters of each."""


class Asked(msgspec.Struct, gc=False):
    """What one call's arguments say."""

    call: str
    """Digest of tool and canonical arguments, 16 hex."""
    target: int
    """The resource, 0 without one."""
    region: tuple[int, int] | None
    """The window [from, to) of it, in whatever unit the tool counts."""
    cursor: int
    """Digest of an opaque position, 0 without one."""
    ids: list[int]
    words: list[int]
    numbers: list[int]
    body: int
    """Digest of the longest text where it is content (long, or several lines), else 0."""
    body_shape: int
    prose: bool
    """Its longest text is free prose."""
    leaves: int
    grid: bool
    """Three values and more, each a name or a number: a point among many."""
    command: bool
    texts: list[str]
    """The texts themselves; they stay on this side."""


def asked(tool: str, args: object, volatile: frozenset[str]) -> Asked:
    """One pass over the arguments. O(size of the arguments); tokens of the first `MAX_CHARS` characters only."""
    found = leaves(args, volatile)
    values, role, form = found.values, found.roles, found.form
    texts: list[str] = [value for value in values if isinstance(value, str)]
    command = [values[at] for at in role.commands if isinstance(values[at], str)] if role.commands else []
    bare = _without_comments(command) if command else {}
    if bare:
        texts = [bare.get(text, text) for text in texts]
        form = canonical(_replaced(args, bare), volatile)
    ids, words, numbers = tokens(found.keys, values, bare)
    longest = texts[0] if len(texts) == 1 else max(texts, key=len, default="")
    # A long command line is a question or an act; what it writes comes in further lines.
    content = text_bytes(longest) if "\n" in longest.strip() or (len(longest) >= 120 and not command) else b""
    if not content and len(values) >= 5 and len(form) >= 100:
        content = form
    return Asked(
        digest(b"%b\0%b" % (text_bytes(tool), form)),
        _target(values, role, command),
        _region(values, role, command) if role.windows or command else None,
        _cursor(values, role) if role.cursors else 0,
        ids,
        words,
        numbers,
        short(content) if content else 0,
        short(shape(scrub(content[:65536]))) if content else 0,
        is_prose(longest),
        len(values),
        not command and _is_grid(values),
        bool(command) and len(texts) <= 2,
        texts,
    )


def _without_comments(command: list[str]) -> dict[str, str]:
    """The commands that are read in another form than they came."""
    found: dict[str, str] = {}
    for text in command:
        if "#" in text or ":" in text or "true" in text:
            bare = without_comment(text)
            if bare != text:
                found[text] = bare
    return found


def without_comment(command: str) -> str:
    """A shell command without comments and appended commands that do nothing."""
    bare = _COMMENT.sub("", command)
    return _EMPTY_COMMAND.sub("", bare).strip()


def _replaced(args: object, bare: Mapping[str, str]) -> object:
    if isinstance(args, str):
        return bare.get(args, args)
    if isinstance(args, Mapping):
        return {k: bare.get(v, v) if isinstance(v, str) else v for k, v in args.items()}
    return args


def _target(values: list[Any], role: Roles, command: list[str]) -> int:
    for at in role.targets:
        named = values[at]
        if named and isinstance(named, str):
            return short(text_bytes(named.strip().removeprefix("./").rstrip("/")))
    if command:
        paths = set()
        for text in command:
            for token in split(text[:MAX_CHARS]):
                if ("/" in token or "." in token or "\\" in token) and token[0] != "-" and _pathlike(token):
                    paths.add(token.removeprefix("./").rstrip("/"))
        return short(text_bytes("\0".join(sorted(paths)[:4]))) if paths else 0
    for value in values:
        if isinstance(value, str) and len(value) <= 300 and " " not in value and _pathlike(value):
            return short(text_bytes(value))
    return 0


def _pathlike(token: str) -> bool:
    if "/" in token or "\\" in token:
        return len(token) > 1 and _SUBSTITUTION.match(token) is None
    name, dot, suffix = token.rpartition(".")
    return bool(dot and name) and 1 <= len(suffix) <= 5 and suffix.isalnum() and not suffix.isdigit()


def _region(values: list[Any], role: Roles, command: list[str]) -> tuple[int, int] | None:
    found: dict[Part, int] = {}
    for at, part in role.windows:
        number = _whole(values[at])
        if number is not None:
            # The first number of a range is where it begins, unless that is known, the next where it ends.
            found[part if part != "range" else "end" if "start" in found else "start"] = number
    page = found.get("page")
    if page is not None:
        return page, page + 1
    start = found.get("start")
    if start is not None:
        end, count = found.get("end"), found.get("count")
        stop = end + 1 if end is not None else start + count if count is not None else start + 1
        return (start, stop) if start < stop else (start, start + 1)
    for text in command:
        # The pattern looks at every character, so its sign in the middle is looked for first.
        pair = _PAIR.search(text[:MAX_CHARS]) if "-" in text or "," in text or ":" in text else None
        if pair is not None:
            low, high = int(pair[1][:12]), int(pair[2][:12])
            return (low, high + 1) if low <= high else None
    return None


def _whole(value: object) -> int | None:
    if type(value) is int:
        return value if -(10**12) < value < 10**12 else None
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 12:
        return int(value)
    if isinstance(value, float) and value == value and abs(value) < 1e12:  # noqa: PLR0124 - NaN
        return int(value)
    return value if isinstance(value, int) and abs(value) < 10**12 else None


def _cursor(values: list[Any], role: Roles) -> int:
    for at in role.cursors:
        if values[at]:
            return short(text_bytes(str(values[at])))
    return 0


def _is_grid(values: list[Any]) -> bool:
    return len(values) >= _GRID and all(
        len(value) <= _NAME and value.count(" ") <= 2 for value in values if isinstance(value, str)
    )
