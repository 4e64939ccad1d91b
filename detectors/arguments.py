"""What a call asks for: its resource, the window of it, its own words, and the ids it walks through.

One pass over the arguments, bounded in values and characters. Names of keys only help to find the resource; the
rest is shape: an id is one token with a digit or a path sign in it, prose is several words.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from detectors.canonical import MAX_DEPTH, canonical, digest, key_form, number_form, short, text_bytes

MAX_LEAVES = 64
MAX_CHARS = 2_000
"""Characters of all arguments together whose tokens are looked at."""
_NAME = 40
MAX_IDS, MAX_WORDS, MAX_NUMBERS = 16, 24, 6

_TARGET_KEYS = tuple(
    """path filepath file filename url uri href page document doc table sheet resource notebook target dest
    destination""".split()  # noqa: SIM905
)
_START_KEYS = frozenset(
    ["offset", "start", "startline", "linestart", "firstline", "from", "skip", "line", "begin"]
)
_END_KEYS = frozenset(["end", "endline", "lineend", "lastline", "to", "stop"])
_COUNT_KEYS = frozenset(["limit", "count", "lines", "numlines", "length", "size", "maxlines", "n"])
_PAGE_KEYS = frozenset(["page", "pageno", "pagenumber", "pageindex", "pagenum"])
_CURSOR_KEYS = frozenset(
    ["cursor", "after", "before", "pagetoken", "nextpagetoken", "continuationtoken", "token", "nexttoken"]
)
_COMMAND_KEYS = frozenset(["command", "cmd", "script", "bash", "shell", "commandline"])
_TOKEN = re.compile(r"[^\s'\"`,;|&<>(){}\[\]=]+")
_SUBSTITUTION = re.compile(r"[a-z]{1,2}/[^/]*/[^/]*/[a-z0-9]*$")
_PAIR = re.compile(r"(?<![\w.])(\d+)\s?[,:-]\s?(\d+)(?!\.\d)")
_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))#(?!!)[^'\"\n]*$")
_EMPTY_COMMAND = re.compile(r"\s*(?:;|&&|\|\|)\s*(?::|true)(?:\s+[^;&|\n]*)?(?=$|[;&|\n])")
_DIGITS = frozenset("0123456789")
_ID_SIGNS = frozenset("0123456789/._-@:#\\")


class Asked(NamedTuple):
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
    command: bool
    texts: list[str]
    """The texts themselves; they stay on this side."""


def asked(tool: str, args: object, volatile: frozenset[str]) -> Asked:
    """One pass over the arguments. O(size of the arguments); tokens of the first `MAX_CHARS` characters only."""
    leaves = list(_leaves(args, volatile))
    command = [v for k, v in leaves if isinstance(v, str) and (k in _COMMAND_KEYS or not k)]
    bare = {text: without_comment(text) for text in command if "#" in text or ":" in text or "true" in text}
    form = canonical(_replaced(args, bare) if bare else args, volatile)
    call = digest(text_bytes(tool) + b"\0" + form)
    texts = [bare.get(v, v) for _, v in leaves if isinstance(v, str)]
    ids, words, numbers = _tokens(leaves, bare)
    longest = max(texts, key=len, default="")
    content = text_bytes(longest) if len(longest) >= 120 or "\n" in longest.strip() else b""
    if not content and len(leaves) >= 6 and len(form) >= 200:
        content = form
    return Asked(
        call=call,
        target=_target(leaves, command),
        region=_region(leaves, command),
        cursor=_cursor(leaves),
        ids=ids,
        words=words,
        numbers=numbers,
        body=short(content) if content else 0,
        body_shape=_content_shape(content) if content else 0,
        prose=_is_prose(longest),
        leaves=len(leaves),
        command=bool(command) and len(texts) <= 2,
        texts=texts,
    )


def without_comment(command: str) -> str:
    """A shell command without comments and appended commands that do nothing."""
    bare = _COMMENT.sub("", command)
    return _EMPTY_COMMAND.sub("", bare).strip()


def _leaves(args: object, volatile: frozenset[str]) -> Iterator[tuple[str, object]]:
    """(key in compared form, value) of every scalar, in order, at most `MAX_LEAVES`; lists keep their key."""
    stack: list[tuple[str, object, int]] = [("", args, 0)]
    found = 0
    while stack and found < MAX_LEAVES:
        key, value, depth = stack.pop()
        if isinstance(value, str):
            found += 1
            yield key, value
        elif isinstance(value, dict) or isinstance(value, Mapping):  # noqa: SIM101 - the quick test first
            if depth < MAX_DEPTH:
                inner = [(key_form(k) if isinstance(k, str) else "", v, depth + 1) for k, v in value.items()]
                stack.extend(item for item in reversed(inner) if item[0] not in volatile)
        elif isinstance(value, list | tuple):
            if depth < MAX_DEPTH:
                stack.extend((key, v, depth + 1) for v in reversed(value[:MAX_LEAVES]))
        elif value is not None:
            found += 1
            yield key, value


def _replaced(args: object, bare: Mapping[str, str]) -> object:
    if isinstance(args, str):
        return bare.get(args, args)
    if isinstance(args, Mapping):
        return {k: bare.get(v, v) if isinstance(v, str) else v for k, v in args.items()}
    return args


def _tokens(
    leaves: list[tuple[str, object]], bare: Mapping[str, str]
) -> tuple[list[int], list[int], list[int]]:
    ids: dict[int, None] = {}
    words: dict[int, None] = {}
    numbers: dict[int, None] = {}
    left = MAX_CHARS
    for key, value in leaves:
        if isinstance(value, bool):
            words[short(f"{key}={value}".encode())] = None
        elif isinstance(value, int | float):
            numbers[short(number_form(value)[:40].encode())] = None
        elif isinstance(value, str) and left > 0:
            text = bare.get(value, value)[:left]
            left -= len(text)
            before = ""
            if text.isalpha() and len(text) <= _NAME and key not in _COMMAND_KEYS:
                ids[short(text_bytes(text))] = (
                    None  # a value of one word is a name: the thing that is asked about
                )
            for token in _TOKEN.findall(text):
                _sort_token(token, ids, words, numbers)
                if before and token.isdigit() and len(text) <= 80:
                    ids[short(text_bytes(f"{before} {token}"))] = None
                before = token if token.isalpha() else ""
        if left <= 0:
            break
    return list(ids)[:MAX_IDS], list(words)[:MAX_WORDS], list(numbers)[:MAX_NUMBERS]


def _sort_token(token: str, ids: dict[int, None], words: dict[int, None], numbers: dict[int, None]) -> None:
    token = token.strip(".:!?-")
    if not token:
        return
    if token.isdigit():
        numbers[short(text_bytes(token))] = None
    elif not _ID_SIGNS.isdisjoint(token):
        ids[short(text_bytes(token))] = None
        if not _DIGITS.isdisjoint(token) and "/" not in token:
            numbers[short(text_bytes(token))] = None  # a serial number is counted through as a number is
    elif token.isascii():
        words[short(token.lower().encode())] = None
    else:
        for i in range(0, min(len(token), 64), 2):  # scripts without blanks: pairs stand for words
            words[short(text_bytes(token[i : i + 2]))] = None


def _target(leaves: list[tuple[str, object]], command: list[str]) -> int:
    for name in _TARGET_KEYS:
        for key, value in leaves:
            if key == name and isinstance(value, str) and value:
                return short(text_bytes(value.strip().removeprefix("./").rstrip("/")))
    if command:
        tokens = [t for text in command for t in _TOKEN.findall(text[:MAX_CHARS]) if not t.startswith("-")]
        paths = sorted({t.removeprefix("./").rstrip("/") for t in tokens if _pathlike(t)})[:4]
        return short(text_bytes("\0".join(paths))) if paths else 0
    for _, value in leaves:
        if isinstance(value, str) and len(value) <= 300 and " " not in value and _pathlike(value):
            return short(text_bytes(value))
    return 0


def _pathlike(token: str) -> bool:
    if "/" in token or "\\" in token:
        return len(token) > 1 and _SUBSTITUTION.match(token) is None
    name, dot, suffix = token.rpartition(".")
    return bool(dot and name) and 1 <= len(suffix) <= 5 and suffix.isalnum() and not suffix.isdigit()


def _region(leaves: list[tuple[str, object]], command: list[str]) -> tuple[int, int] | None:
    start = end = count = page = None
    for key, value in leaves:
        number = _whole(value)
        if number is None:
            continue
        if key in _PAGE_KEYS:
            page = number
        elif key in _START_KEYS:
            start = number
        elif key in _END_KEYS:
            end = number
        elif key in _COUNT_KEYS:
            count = number
        elif key in {"viewrange", "range", "linerange"}:
            start, end = (number, end) if start is None else (start, number)
    if page is not None:
        return page, page + 1
    if start is not None:
        stop = end + 1 if end is not None else start + count if count is not None else start + 1
        return (start, stop) if start < stop else (start, start + 1)
    for text in command:
        pair = _PAIR.search(text[:MAX_CHARS])
        if pair is not None:
            low, high = int(pair[1][:12]), int(pair[2][:12])
            return (low, high + 1) if low <= high else None
    return None


def _whole(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 12:
        return int(value)
    if isinstance(value, float) and value == value and abs(value) < 1e12:  # noqa: PLR0124 - NaN
        return int(value)
    return value if isinstance(value, int) and abs(value) < 10**12 else None


def _cursor(leaves: list[tuple[str, object]]) -> int:
    for key, value in leaves:
        if key in _CURSOR_KEYS and value:
            return short(text_bytes(str(value)))
    return 0


def _is_prose(text: str) -> bool:
    if len(text) < 12:
        return False
    if not text.isascii() and text.count(" ") * 12 < len(text):
        return True
    words = text.split()
    return len(words) >= 4 and sum(word.strip(".,!?'\"").isalpha() for word in words) * 10 >= len(words) * 7


def _content_shape(content: bytes) -> int:
    from detectors.volatile import scrub, shape  # noqa: PLC0415 - only for long texts

    return short(shape(scrub(content[:65536])))
