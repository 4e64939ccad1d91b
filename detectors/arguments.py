"""What a call asks for: its resource, the window of it, its own words, and the ids it walks through.

One pass over the arguments, bounded in values and characters. Names of keys only help to find the resource; the
rest is shape: an id is one token with a digit or a path sign in it, prose is several words.
"""

import re
from collections.abc import Mapping
from typing import AnyStr, Literal

import msgspec

from detectors.canonical import MAX_DEPTH, canonical, digest, key_form, number_form, short, text_bytes
from detectors.volatile import scrub, shape

MAX_LEAVES = 64
MAX_CHARS = 2_000
"""Characters of all arguments together whose tokens are looked at."""
_NAME = 40
MAX_IDS, MAX_WORDS, MAX_NUMBERS = 16, 24, 6

_TARGET_KEYS = tuple(
    """path filepath file filename url uri href page document doc table sheet resource notebook target dest
    destination""".split()  # noqa: SIM905
)
_TARGET_RANK = {name: rank for rank, name in enumerate(_TARGET_KEYS)}
"""The key that comes first names the resource."""
_Part = Literal["start", "end", "count", "page", "range"]
_WINDOW_KEYS: dict[_Part, tuple[str, ...]] = {
    "start": ("offset", "start", "startline", "linestart", "firstline", "from", "skip", "line", "begin"),
    "end": ("end", "endline", "lineend", "lastline", "to", "stop"),
    "count": ("limit", "count", "lines", "numlines", "length", "size", "maxlines", "n"),
    "page": ("page", "pageno", "pagenumber", "pageindex", "pagenum"),
    "range": ("viewrange", "range", "linerange"),
}
_WINDOW_PART: dict[str, _Part] = {key: part for part, keys in _WINDOW_KEYS.items() for key in keys}
_CURSOR_KEYS = frozenset(
    ["cursor", "after", "before", "pagetoken", "nextpagetoken", "continuationtoken", "token", "nexttoken"]
)
_COMMAND_KEYS = frozenset(["command", "cmd", "script", "bash", "shell", "commandline"])
_TOKEN = re.compile(r"[^\s'\"`,;|&<>(){}\[\]=]+")
_ASCII_TOKEN = re.compile(rb"[^\s\x1c-\x1f'\"`,;|&<>(){}\[\]=]+")
"""The same for ASCII: hashes are of bytes, so tokens of bytes need no encoding one by one."""
_SUBSTITUTION = re.compile(r"[a-z]{1,2}/[^/]*/[^/]*/[a-z0-9]*$")
_PAIR = re.compile(r"(?<![\w.])(\d+)\s?[,:-]\s?(\d+)(?!\.\d)")
_COMMENT = re.compile(r"(?m)(?:^|(?<=\s))#(?!!)[^'\"\n]*$")
_EMPTY_COMMAND = re.compile(r"\s*(?:;|&&|\|\|)\s*(?::|true)(?:\s+[^;&|\n]*)?(?=$|[;&|\n])")
_DIGITS = frozenset("0123456789")
_ID_SIGNS = frozenset("0123456789/._-@:#\\")
_ASCII_DIGITS = frozenset(b"0123456789")
_ASCII_ID_SIGNS = frozenset(b"0123456789/._-@:#\\")
_PROSE_EDGES = ".,!?'\""
_PLAIN = 10**15


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
    command: bool
    texts: list[str]
    """The texts themselves; they stay on this side."""


def asked(tool: str, args: object, volatile: frozenset[str]) -> Asked:
    """One pass over the arguments. O(size of the arguments); tokens of the first `MAX_CHARS` characters only."""
    leaves = _leaves(args, volatile)
    texts: list[str] = []
    command: list[str] = []
    for key, value in leaves:
        if isinstance(value, str):
            texts.append(value)
            if not key or key in _COMMAND_KEYS:
                command.append(value)
    bare: dict[str, str] = {}
    for text in command:
        if "#" in text or ":" in text or "true" in text:
            bare[text] = without_comment(text)
    if bare:
        texts = [bare.get(text, text) for text in texts]
    form = canonical(_replaced(args, bare) if bare else args, volatile)
    ids, words, numbers = _tokens(leaves, bare)
    longest = texts[0] if len(texts) == 1 else max(texts, key=len, default="")
    content = text_bytes(longest) if len(longest) >= 120 or "\n" in longest.strip() else b""
    if not content and len(leaves) >= 6 and len(form) >= 200:
        content = form
    return Asked(
        digest(text_bytes(tool) + b"\0" + form),
        _target(leaves, command),
        _region(leaves, command),
        _cursor(leaves),
        ids,
        words,
        numbers,
        short(content) if content else 0,
        short(shape(scrub(content[:65536]))) if content else 0,
        _is_prose(longest),
        len(leaves),
        bool(command) and len(texts) <= 2,
        texts,
    )


def without_comment(command: str) -> str:
    """A shell command without comments and appended commands that do nothing."""
    bare = _COMMENT.sub("", command)
    return _EMPTY_COMMAND.sub("", bare).strip()


def _leaves(args: object, volatile: frozenset[str]) -> list[tuple[str, object]]:
    """(key in compared form, value) of every scalar, in order, at most `MAX_LEAVES`; lists keep their key."""
    if type(args) is dict and len(args) <= MAX_LEAVES:
        # Nearly all arguments are a flat mapping: one loop instead of a walk.
        found: list[tuple[str, object]] = []
        for name, value in args.items():
            key = key_form(name) if isinstance(name, str) else ""
            if value is None or key in volatile:
                continue
            if type(value) not in _SCALARS:
                break
            found.append((key, value))
        else:
            return found
    return _walked(args, volatile)


_SCALARS = frozenset((str, int, float, bool))


def _walked(args: object, volatile: frozenset[str]) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    stack: list[tuple[str, object, int]] = [("", args, 0)]
    while stack and len(found) < MAX_LEAVES:
        key, value, depth = stack.pop()
        if isinstance(value, str):
            found.append((key, value))
        elif isinstance(value, dict) or isinstance(value, Mapping):  # noqa: SIM101 - the quick test first
            if depth < MAX_DEPTH:
                inner = [(key_form(k) if isinstance(k, str) else "", v, depth + 1) for k, v in value.items()]
                stack.extend([item for item in reversed(inner) if item[0] not in volatile])
        elif isinstance(value, (list, tuple)):
            if depth < MAX_DEPTH:
                stack.extend([(key, v, depth + 1) for v in reversed(value[:MAX_LEAVES])])
        elif value is not None:
            found.append((key, value))
    return found


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
        if isinstance(value, str):
            text = (bare.get(value, value) if bare else value)[:left]
            left -= len(text)
            if text.isascii():
                _sort_ascii(text.encode(), key, ids, words, numbers)
            else:
                _sort_text(text, key, ids, words, numbers)
        elif type(value) is int and -_PLAIN < value < _PLAIN:
            numbers[short(b"%d" % value)] = None
        elif isinstance(value, bool):
            words[short(f"{key}={value}".encode())] = None
        elif isinstance(value, (int, float)):
            numbers[short(number_form(value)[:40].encode())] = None
        if left <= 0:
            break
    return list(ids)[:MAX_IDS], list(words)[:MAX_WORDS], list(numbers)[:MAX_NUMBERS]


Found = dict[int, None]


def _is_name(text: AnyStr) -> bool:
    """A value of one word, or of two or three that begin with capitals: the thing that is asked about."""
    if text.isalpha():
        return True
    return text.istitle() and 2 <= len(words := text.split()) <= 3 and all(map(_letters, words))


def _letters(word: AnyStr) -> bool:
    return word.isalpha()


def _sort_ascii(text: bytes, key: str, ids: Found, words: Found, numbers: Found) -> None:
    """`_sort_text` on bytes: what most arguments are."""
    before = b""
    if len(text) <= _NAME and _is_name(text) and key not in _COMMAND_KEYS:
        ids[short(text)] = None
    for token in _ASCII_TOKEN.findall(text):
        bare = token.strip(b".:!?-")
        if bare.isalpha():
            words[short(bare.lower())] = None
        elif bare.isdigit():
            numbers[short(bare)] = None
        elif not _ASCII_ID_SIGNS.isdisjoint(bare):
            ids[short(bare)] = None
            if b"/" not in bare and not _ASCII_DIGITS.isdisjoint(bare):
                numbers[short(bare)] = None  # a serial number is counted through as a number is
        elif bare:
            words[short(bare.lower())] = None
        if before and token.isdigit() and len(text) <= 80:
            ids[short(before + b" " + token)] = None
        before = token if token.isalpha() else b""


def _sort_text(text: str, key: str, ids: Found, words: Found, numbers: Found) -> None:
    before = ""
    if len(text) <= _NAME and _is_name(text) and key not in _COMMAND_KEYS:
        ids[short(text_bytes(text))] = None
    for token in _TOKEN.findall(text):
        _sort_token(token, ids, words, numbers)
        if before and token.isdigit() and len(text) <= 80:
            ids[short(text_bytes(f"{before} {token}"))] = None
        before = token if token.isalpha() else ""


def _sort_token(token: str, ids: Found, words: Found, numbers: Found) -> None:
    token = token.strip(".:!?-")
    if not token:
        return
    if token.isdigit():
        numbers[short(text_bytes(token))] = None
    elif not _ID_SIGNS.isdisjoint(token):
        ids[short(text_bytes(token))] = None
        if "/" not in token and not _DIGITS.isdisjoint(token):
            numbers[short(text_bytes(token))] = None
    elif token.isascii():
        words[short(token.lower().encode())] = None
    else:
        for i in range(0, min(len(token), 64), 2):  # scripts without blanks: pairs stand for words
            words[short(text_bytes(token[i : i + 2]))] = None


def _target(leaves: list[tuple[str, object]], command: list[str]) -> int:
    best, named = len(_TARGET_KEYS), ""
    for key, value in leaves:
        rank = _TARGET_RANK.get(key)
        if rank is not None and rank < best and isinstance(value, str) and value:
            best, named = rank, value
    if named:
        return short(text_bytes(named.strip().removeprefix("./").rstrip("/")))
    if command:
        paths = set()
        for text in command:
            for token in _TOKEN.findall(text[:MAX_CHARS]):
                if ("/" in token or "." in token or "\\" in token) and token[0] != "-" and _pathlike(token):
                    paths.add(token.removeprefix("./").rstrip("/"))
        return short(text_bytes("\0".join(sorted(paths)[:4]))) if paths else 0
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
        part = _WINDOW_PART.get(key)
        number = _whole(value) if part is not None else None
        if number is None:
            continue
        if part == "page":
            page = number
        elif part == "start":
            start = number
        elif part == "end":
            end = number
        elif part == "count":
            count = number
        else:
            start, end = (number, end) if start is None else (start, number)
    if page is not None:
        return page, page + 1
    if start is not None:
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
    if len(words) < 4:
        return False
    plain = [word for word in words if word.isalpha() or word.strip(_PROSE_EDGES).isalpha()]
    return len(plain) * 10 >= len(words) * 7
