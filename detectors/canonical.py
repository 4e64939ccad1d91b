"""A stable form of any value, and digests over it: what "the same call" and "the same answer" mean.

Total: any JSON value, bytes, NaN, mixed keys, lone surrogates and any depth give a form, never an exception.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any

import xxhash

VOLATILE_KEYS = frozenset(
    """
    timestamp timestampms ts now requestid reqid traceid spanid correlationid idempotencykey nonce etag
    elapsed elapsedms elapsedus elapsedseconds cachebuster createdat updatedat
    """.split()  # noqa: SIM905 - a table of words reads better than a list of literals
)
"""Keys whose values change by themselves, wherever they stand; compared without case, underscores, dashes, blanks."""

VOLATILE_IN_ANSWERS = VOLATILE_KEYS | frozenset(
    """
    fetchedat modifiedat generatedat startedat finishedat receivedat servedat checkedat expiresat lastmodified
    lastseen lastupdated mtime atime ctime epoch uptime age sessiontoken csrftoken
    duration durationms durations durationseconds took tookms latency latencyms querytime querytimems responsetime
    responsetimems runtimems wallms walltime cputime pid ppid threadid servertime clock
    """.split()  # noqa: SIM905
)
"""In results, where nobody means them; in arguments some of these are what is asked for."""

RANK_KEYS = frozenset(("score", "relevance", "similarity", "rank", "distance"))
"""Volatile inside lists only: a search's scores; a lone score may be the news itself."""

EXIT_KEYS = frozenset(("exit", "exitcode", "exitstatus", "returncode", "rc"))
"""What a wrapper calls the exit code: 0 says nothing."""

MAX_DEPTH = 64
"""Levels of nesting that are looked at; what is deeper counts as one value."""
MAX_VALUES = 20_000
"""Values of one argument or result that are looked at; the number of the others counts."""

_KEY_CACHE: dict[str, str] = {}
_KEY_CACHE_SIZE = 4096
_DROP = str.maketrans("", "", "_- .")


def key_form(key: str) -> str:
    """Lower case without underscores, dashes, blanks and dots: how key names are compared. O(length)."""
    form = _KEY_CACHE.get(key)
    if form is None:
        form = key.lower().translate(_DROP)
        if len(key) <= 64:
            if len(_KEY_CACHE) >= _KEY_CACHE_SIZE:
                _KEY_CACHE.clear()
            _KEY_CACHE[key] = form
    return form


def volatile_keys(
    builtin: frozenset[str], extra: Iterable[str] = (), keep: Iterable[str] = ()
) -> frozenset[str]:
    """A built-in list with a rule set's additions and exceptions, in compared form."""
    return (builtin | {key_form(key) for key in extra}) - {key_form(key) for key in keep}


def text_bytes(text: str) -> bytes:
    """UTF-8 of the text; lone surrogates are kept apart instead of failing."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def normal_text(text: str) -> str:
    """NFC, so that equal looking text is equal. O(length), free for ASCII."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def number_form(value: int | float) -> str:  # noqa: PYI041 - both are meant
    """1, 1.0 and 1e0 are one number; NaN and infinities have a form as well."""
    if isinstance(value, float):
        if value != value:  # noqa: PLR0124 - the one test for NaN that needs no import
            return "nan"
        if value in (float("inf"), float("-inf")):
            return "inf" if value > 0 else "-inf"
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
    whole: int = value
    try:
        return str(whole)
    except ValueError:  # more digits than the interpreter prints
        return hex(whole)


_PLAIN = 10**18
"""Whole numbers up to which any interpreter prints them."""


def canonical(value: object, volatile: frozenset[str] = VOLATILE_KEYS) -> bytes:
    """The stable form: keys sorted and without volatile ones, text in NFC, numbers by value. O(size of the value)."""
    out: list[str] = []
    budget = [MAX_VALUES]
    if type(value) is dict:
        budget[0] -= 1
        _write_mapping(value, volatile, out, 0, budget)
    else:
        _write(value, volatile, out, 0, budget)
    if budget[0] < 0:
        out.append(f"…{-budget[0]}")
    return text_bytes("".join(out))


def _write(value: object, volatile: frozenset[str], out: list[str], depth: int, budget: list[int]) -> None:
    budget[0] -= 1
    if budget[0] < 0:
        return
    if isinstance(value, str):
        out.append(f'"{value if value.isascii() else normal_text(value)}"')
    elif value is None or isinstance(value, bool):
        out.append("null" if value is None else "true" if value else "false")
    elif isinstance(value, (int, float)):
        out.append(number_form(value))
    elif depth >= MAX_DEPTH:
        out.append("…")
    elif isinstance(value, dict) or isinstance(value, Mapping):  # noqa: SIM101 - the quick test first
        _write_mapping(value, volatile, out, depth, budget)
    elif isinstance(value, (list, tuple)):
        out.append("[")
        for item in value:
            _write(item, volatile, out, depth + 1, budget)
            out.append(",")
        out.append("]")
    elif isinstance(value, (bytes, bytearray, memoryview)):
        out.append(f"b'{bytes(value).hex()}'")
    elif isinstance(value, (set, frozenset)):
        out.append("(")
        out.extend(sorted(repr(item) for item in value))
        out.append(")")
    else:
        out.append(f"<{type(value).__name__}>")


def _write_mapping(
    value: Mapping[object, object], volatile: frozenset[str], out: list[str], depth: int, budget: list[int]
) -> None:
    out.append("{")
    for key, item in _ordered(value, volatile):
        # Nearly every argument is plain text or a number: the general way costs three times as much.
        kind = type(item)
        if kind is str and key.isascii() and item.isascii() and budget[0] > 0:
            budget[0] -= 1
            out.append(f'"{key}":"{item}",')
            continue
        if kind is int and key.isascii() and -_PLAIN < item < _PLAIN and budget[0] > 0:
            budget[0] -= 1
            out.append(f'"{key}":{item},')
            continue
        out.append(f'"{normal_text(key)}":')
        _write(item, volatile, out, depth + 1, budget)
        out.append(",")
    out.append("}")


def _ordered(value: Mapping[object, object], volatile: frozenset[str]) -> list[tuple[str, Any]]:
    """The mapping's items by key, without volatile keys; keys that are no text are told apart from text."""
    items = []
    form_of = _KEY_CACHE.get
    for key, item in value.items():
        name = key if isinstance(key, str) else f"\x00{type(key).__name__}:{key!r}"
        if (form_of(name) or key_form(name)) not in volatile:
            items.append((name, item))
    if len(items) > 1:
        items.sort(key=_first)
    return items


_first = itemgetter(0)


digest = xxhash.xxh3_64_hexdigest
"""xxh3, 64 bits, of bytes as 16 hex digits: what evidence carries."""

short = xxhash.xxh32_intdigest
"""32 bits of bytes: enough for membership among the few thousand entries that one run keeps.

Both are the library's own functions, since a call of Python around them costs more than the hash of a word.
"""


@lru_cache(maxsize=4096)
def name_hash(name: str) -> int:
    """`short` of a name that comes again and again: a tool's or an agent's."""
    return short(text_bytes(name))
