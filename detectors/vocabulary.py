"""What a short answer is told in: its words, its lines without serial numbers, and the serial numbers that it issues.

Another wording of what a run knows has no new word; the same answer about another instance differs in its serial
number only. Both are told from news by these.
"""

import re

import msgspec
import xxhash

from detectors.volatile import core, has_serial, may_be_serial

BRIEF_LINES, BRIEF_BYTES = 14, 1_600
"""An answer within both is told in words."""
MAX_VOCAB = 96
MAX_ISSUED = 8
LIST = 4
"""Entries from which a list is one to work through, and its serial numbers no handles of what was just made."""
_ALPHA = re.compile(r"[^\W\d_]{2,}")
_LETTERS = bytes(i | 0x20 if chr(i).isalpha() and i < 128 else 0x20 for i in range(256))
"""ASCII letters in lower case, blanks for all else."""
_FIGURE = re.compile(rb"\d+(?:[.,]\d+)*")
_TOKEN = re.compile(rb"[^\s'\"`,;|&<>(){}\[\]=]*\d[^\s'\"`,;|&<>(){}\[\]=]*")
_NO_BLANKS = "\u3000"
"""From here on scripts have no blanks between words: pairs of letters stand for them."""
_hash = xxhash.xxh32_intdigest
_EMPTY = _hash(b"")


class Told(msgspec.Struct, gc=False):
    """One short answer."""

    cores: list[int] = []
    """Its lines without serial numbers, where it has some."""
    vocab: list[int] = []
    """Its words."""
    figures: int = 0
    """Numbers in it."""
    issued: list[int] = []
    """Tokens with a serial number, where it is no list."""


NOTHING = Told()
"""Of a long answer."""


def told(text: bytes, raw: bytes, *, figures: bool, listed: int) -> Told:
    """The answer's words and serial numbers. O(length).

    `text`: scrubbed; `raw`: with its ids; `figures`: it has digits; `listed`: entries of its longest list.
    """
    bare = core(text) if figures else text
    cores: list[int] = []
    if len(bare) != len(text):
        cores = list(dict.fromkeys(map(_hash, map(bytes.strip, bare.split(b"\n")))))
        if _EMPTY in cores:
            cores.remove(_EMPTY)
    count = len(_FIGURE.findall(text)) if figures else 0
    return Told(cores, _words(bare), count, _issued(raw) if listed < LIST else [])


def _words(text: bytes) -> list[int]:
    if text.isascii():
        distinct = dict.fromkeys(text.translate(_LETTERS).split())
        return [_hash(word) for word in distinct if len(word) > 1][:MAX_VOCAB]
    found = dict.fromkeys(_ALPHA.findall(text.decode("utf-8", "replace").lower()))
    out: dict[int, None] = {}
    for word in found:
        if word[0] < _NO_BLANKS:
            out[_hash(word.encode())] = None
        else:
            out.update(dict.fromkeys(_hash(word[i : i + 2].encode()) for i in range(len(word) - 1)))
    return list(out)[:MAX_VOCAB]


def _issued(text: bytes) -> list[int]:
    out: dict[int, None] = {}
    if not may_be_serial(text):
        return []
    for token in _TOKEN.findall(text):
        bare = token.strip(b".:!?-")
        if has_serial(bare):
            out[_hash(bare)] = None
    return list(out)[:MAX_ISSUED]
