"""An answer as lines, each with two hashes: *exact* with volatile parts scrubbed, *shape* with digits masked.

Work over whole texts in C (translate, replace, split, map of a hash); nothing is done line by line in Python unless
an answer is short.
"""

import re
from functools import lru_cache

import msgspec
import orjson
import xxhash

from detectors.canonical import (
    normal_text,
    text_bytes,
)
from detectors.flat import flat_of, parsed
from detectors.vocabulary import BRIEF_BYTES, BRIEF_LINES, NOTHING, Told, told
from detectors.volatile import scrub, shape, without_gutter

MAX_TEXT = 1_000_000
"""Bytes of one answer that are looked at; the digest covers all of it."""
MAX_HEADS = 48
SHORT_LINES, SHORT_BYTES = 8, 800
"""An answer within both is short: echoes of the arguments and numbers are looked for."""
_LONG_LINE = 160
_NUMBER = re.compile(rb"\d(?<![\w.]\d)\d{0,14}(?:\.\d{1,6})?")
"""Not within a word; the look back stands behind the first digit, so that only digits are visited."""
_THOUSANDS = re.compile(rb"(?<=\d),(?=\d\d\d(?!\d))")
_SEPARATORS = bytes(0x20 if i in b":|,\t;'\"*()[]{}" else i for i in range(256))
_LIST_LINE = 40
"""Bytes of a line on average up to which an answer may be a list."""
_NUMBERED_ROW = re.compile(rb"\n(?=[A-Za-z0-9])([^\s\d]*\d\S*)")
_ARG = b"\x01"
_LABEL = 24
"""Bytes up to which a line around an argument is its label."""
_EDGE = frozenset(b" \t\n'\"`.,;:=()[]{}<>|&/\\!?")


class Lines(msgspec.Struct, gc=False):
    """One answer."""

    exact: list[int]
    """Distinct lines, in order, empty ones left out."""
    shapes: list[int]
    """Of the same lines, in the same order."""
    total: int
    """Lines before the bound."""
    heads: list[int]
    """First fields of the lines of a list: what a worklist is walked by."""
    numbers: list[int]
    """Of a short answer: for each number the hash of its value and of the value one below."""
    text: bytes
    """Scrubbed; stays on this side."""
    echo: bool
    """A line of the answer is nothing but the arguments given back."""
    own: int
    """Lines that are little else than arguments given back."""
    told: Told
    """The words of a short answer, and what else it is told in."""
    hollow: bool
    """Structured and nothing in it: [], {}, null, false, 0."""


def answer_bytes(result: object) -> bytes:
    """The raw answer as bytes, for its exact digest. Total. O(size)."""
    if isinstance(result, str):
        return text_bytes(result)
    if isinstance(result, bytes | bytearray | memoryview):
        return bytes(result)
    try:
        return orjson.dumps(result, option=orjson.OPT_NON_STR_KEYS)
    except (TypeError, ValueError, RecursionError):
        return b"\n".join(flat_of(result, frozenset())[0])


def lines(result: object, raw: bytes, texts: list[str], volatile: frozenset[str], max_lines: int) -> Lines:
    """The answer's lines; `raw` is its `answer_bytes`, `texts` are the call's own arguments.

    O(size), at most `max_lines` kept (smallest hashes).
    """
    text, hollow, longest = _text(result, raw, volatile)
    whole = text
    short = len(text) <= SHORT_BYTES
    text = scrub(text, measures=short)
    split = text.split(b"\n")
    if len(text) > _LONG_LINE and len(text) > _LONG_LINE * len(split) // 2:
        text = text.replace(b". ", b".\n").replace("。".encode(), "。\n".encode())
        split = text.split(b"\n")
    echo, given = False, 0
    if short and texts and text and len(text) <= SHORT_BYTES and len(split) <= SHORT_LINES:
        text, echo, given = _without_echo(split, texts)
        split = text.split(b"\n")
    bare = shape(text)
    plain = len(bare) == len(text)
    exact = list(map(_hash, map(bytes.strip, split)))
    shapes = exact if plain else list(map(_hash, map(bytes.strip, bare.split(b"\n"))))
    total = len(exact)
    if total > max_lines or len(distinct := set(exact)) < total or _EMPTY in distinct:
        pairs = dict(zip(exact, shapes, strict=True))
        pairs.pop(_EMPTY, None)
        total = len(pairs)
        exact = sorted(pairs)[:max_lines] if total > max_lines else list(pairs)
        shapes = list(map(pairs.__getitem__, exact))
    longest = len(split) if longest < 0 else longest
    brief = total <= BRIEF_LINES and len(text) <= BRIEF_BYTES
    small = total <= SHORT_LINES and len(text) <= SHORT_BYTES
    return Lines(
        exact,
        shapes,
        total,
        _heads(text, len(split)) if longest > 1 else [],
        _numbers(text) if small and not plain else [],
        text,
        echo,
        given,
        told(text, whole, figures=not plain, listed=longest) if brief else NOTHING,
        hollow,
    )


def _text(result: object, raw: bytes, volatile: frozenset[str]) -> tuple[bytes, bool, int]:
    """(text without the line numbers of a reader, whether nothing is in the structure, entries of its longest list).

    The last is negative for what is no structure.
    """
    hollow = False
    longest = -1
    if isinstance(result, str) and result[:1] in "{[" and len(result) <= MAX_TEXT:
        result = parsed(result)
    if isinstance(result, str):
        plain = len(result) <= MAX_TEXT and result.isascii()
        text = raw if plain else text_bytes(normal_text(result[:MAX_TEXT]))
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    elif isinstance(result, bytes | bytearray | memoryview):
        text = raw[:MAX_TEXT]
    elif result is None:
        text = b""
    else:
        flat, hollow, longest = flat_of(result, volatile)
        text = b"\n".join(flat)[:MAX_TEXT]
    return without_gutter(text), hollow, longest


_hash = xxhash.xxh32_intdigest
_EMPTY = _hash(b"")


def _without_echo(split: list[bytes], texts: list[str]) -> tuple[bytes, bool, int]:
    """A short answer with the call's own texts masked; whether a whole line was one; lines that are little else."""
    own = [text_bytes(t) for t in texts if 2 <= len(t) <= 4000]
    out: list[bytes] = []
    echo = False
    for line in split:
        bare = line.strip()
        if not bare:
            continue
        for t in own:
            if bare in t and len(bare) >= 2 and _stands_in(bare, t) and not _names_statement(bare, t):
                bare = _ARG
                echo = True
                break
        else:
            for t in own:
                if t in bare and 3 <= len(t) <= 300:
                    bare = _masked(bare, t)
        out.append(bare)
    text = b"\n".join(out)
    if _ARG not in text:
        return text, False, 0
    given = {line for line in out if _ARG in line and len(line) <= _LABEL}
    return text, echo or _ARG in out, len(given)


def _names_statement(part: bytes, whole: bytes) -> bool:
    """The part is the first words of a statement in the whole: its name, by which the answer says that it was done."""
    return part.isupper() and (whole.startswith(part + b" ") or b"; " + part + b" " in whole)


def _stands_in(part: bytes, whole: bytes) -> bool:
    """The part is in the whole, between borders of tokens."""
    at = whole.find(part)
    if at < 0:
        return False
    end = at + len(part)
    return (at == 0 or whole[at - 1] in _EDGE) and (end == len(whole) or whole[end] in _EDGE)


def _masked(line: bytes, part: bytes) -> bytes:
    at = line.find(part)
    end = at + len(part)
    if (at and line[at - 1] not in _EDGE) or (end < len(line) and line[end] not in _EDGE):
        return line
    return line[:at] + _ARG + line[end:]


def _heads(text: bytes, lines: int) -> list[int]:
    """Hashes of the first two fields of each line of what looks like a list: short lines, not too many."""
    if not 2 <= lines <= MAX_HEADS:
        return []
    rows = text.translate(_SEPARATORS)
    if len(text) > _LIST_LINE * lines:  # a table: what its rows are called, if by numbers or ids
        return list(map(_hash, dict.fromkeys(_NUMBERED_ROW.findall(b"\n" + rows))))
    return list(
        map(_hash, dict.fromkeys([field for row in rows.split(b"\n") for field in row.split(None, 2)[:2]]))
    )


def _numbers(text: bytes) -> list[int]:
    out: list[int] = []
    if b"," in text:
        text = _THOUSANDS.sub(b"", text)
    for token in _NUMBER.findall(text)[:8]:
        out += _number(token)
    return out


@lru_cache(maxsize=1024)
def _number(token: bytes) -> tuple[int, int]:
    """Hashes of a number and of the one below it, which a fraction does not have."""
    if b"." in token:
        return _hash(token) & 0xFFFF, 0
    value = int(token)
    return _hash(b"%d" % value) & 0xFFFF, _hash(b"%d" % (value - 1)) & 0xFFFF
