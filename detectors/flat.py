"""A structured answer as lines, so that a text is the same text in whatever wrapper it comes."""

from collections.abc import Mapping
from functools import lru_cache
from operator import itemgetter

import orjson

from detectors.canonical import (
    EXIT_KEYS,
    MAX_DEPTH,
    MAX_VALUES,
    RANK_KEYS,
    key_form,
    normal_text,
    number_form,
    text_bytes,
)


def parsed(text: str) -> object:
    """What a JSON text holds, or the text itself where it is none or holds a text. O(length)."""
    try:
        value = orjson.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, str) else value


def flat_of(value: object, volatile: frozenset[str]) -> tuple[list[bytes], bool, int]:
    """A structured answer as lines: long or plain text without its key, the rest as key=value. Total."""
    out: list[bytes] = []
    hollow = True
    silent = False
    in_lists = _with_ranks(volatile)
    longest = 0
    stack: list[tuple[str, object, int, bool]] = [("", value, 0, False)]
    left = MAX_VALUES
    while stack and left > 0:
        key, item, depth, listed = stack.pop()
        left -= 1
        if isinstance(item, str):
            if item:
                text = item.encode() if item.isascii() else text_bytes(normal_text(item))
                out.append(text.replace(b"\r\n", b"\n") if b"\r" in text else text)
                hollow = False
            else:
                silent = True
        elif item and depth < MAX_DEPTH and (isinstance(item, dict) or isinstance(item, Mapping)):  # noqa: SIM101
            dropped = in_lists if listed else volatile
            named = [(k if isinstance(k, str) else repr(k), v) for k, v in item.items()]
            named.sort(key=_name, reverse=True)
            depth += 1
            stack += [(name, v, depth, listed) for name, v in named if key_form(name) not in dropped]
        elif item and depth < MAX_DEPTH and isinstance(item, list | tuple):
            depth += 1
            stack += [(key, v, depth, True) for v in reversed(item)]
            longest = max(longest, len(item))
        elif isinstance(item, bytes | bytearray | memoryview):
            out.append(bytes(item))
            hollow = False
        else:
            form, empty = _scalar(item)
            hollow = hollow and empty
            if not depth or item or (item is not None and key_form(key) not in EXIT_KEYS):
                out.append(text_bytes(f"{key}={form}"))
            # else no data, or "it went well": nothing that an answer says
    if silent and not out:
        return out, False, longest  # an empty text in a wrapper says as much as an empty text
    if not out and value is not None:
        out.append(b"null")
    return out, hollow, longest


@lru_cache(maxsize=256)
def _with_ranks(volatile: frozenset[str]) -> frozenset[str]:
    return volatile | RANK_KEYS


_name = itemgetter(0)


def _scalar(item: object) -> tuple[str, bool]:
    if item is None:
        return "null", True
    if isinstance(item, bool):
        return ("true", False) if item else ("false", True)
    if isinstance(item, int | float):
        return number_form(item), item == 0
    if isinstance(item, Mapping | list | tuple):
        return ("…", False) if item else ("[]", True)
    return f"<{type(item).__name__}>", False
