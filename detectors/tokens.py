"""The words, ids and numbers of a call's arguments, as hashes.

An id is one token with a digit or a path sign in it, a name, or a word with its number ("order 7"); the rest are
words. Bounded in characters and in what is kept.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, AnyStr

from detectors.canonical import number_form, short, text_bytes
from detectors.roles import COMMAND_KEYS

MAX_CHARS = 2_000
"""Characters of all arguments together whose tokens are looked at."""
MAX_IDS, MAX_WORDS, MAX_NUMBERS = 16, 24, 6
_TOKEN = re.compile(r"[^\s'\"`,;|&<>(){}\[\]=]+")
_BORDERS = bytes(0x20 if i in b"\x1c\x1d\x1e\x1f'\"`,;|&<>(){}[]=" else i for i in range(256))
"""The same for ASCII: what stands between tokens becomes a blank."""
_NAME = 40
_DIGITS = frozenset("0123456789")
_ID_SIGNS = frozenset("0123456789/._-@:#\\")
_ASCII_DIGITS = frozenset(b"0123456789")
_ASCII_ID_SIGNS = frozenset(b"0123456789/._-@:#\\")
_PLAIN = 10**15

Found = dict[int, None]


def split(text: str) -> list[str]:
    """The tokens of the text, in order. O(length)."""
    return text.encode().translate(_BORDERS).decode().split() if text.isascii() else _TOKEN.findall(text)


def tokens(
    keys: Sequence[str], values: Sequence[Any], bare: Mapping[str, str]
) -> tuple[list[int], list[int], list[int]]:
    """(ids, words, numbers), each in order of appearance. O(characters), at most `MAX_CHARS` of them.

    `bare`: commands that are read in another form.
    """
    ids: Found = {}
    words: Found = {}
    numbers: Found = {}
    left = MAX_CHARS
    for key, value in zip(keys, values, strict=True):
        kind = type(value)
        if kind is int and -_PLAIN < value < _PLAIN:
            numbers[_of_whole(value)] = None
        elif isinstance(value, str):
            text = (bare.get(value, value) if bare else value)[:left]
            left -= len(text)
            if text.isascii():
                _sort_ascii(text.encode(), key, ids, words, numbers)
            else:
                _sort_text(text, key, ids, words, numbers)
        elif isinstance(value, bool):
            words[short(f"{key}={value}".encode())] = None
        elif isinstance(value, (int, float)):
            numbers[short(number_form(value)[:40].encode())] = None
        if left <= 0:
            break
    return list(ids)[:MAX_IDS], list(words)[:MAX_WORDS], list(numbers)[:MAX_NUMBERS]


@lru_cache(maxsize=4096)
def _of_whole(value: int) -> int:
    return short(b"%d" % value)


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
    is_short = len(text) <= 80
    if len(text) <= _NAME and _is_name(text) and key not in COMMAND_KEYS:
        ids[short(text)] = None
    for token in text.translate(_BORDERS).split():
        bare = token.strip(b".:!?-")
        if bare.isalpha():
            if len(words) < MAX_WORDS:
                words[short(bare.lower())] = None
        elif bare.isdigit():
            numbers[short(bare)] = None
        elif not _ASCII_ID_SIGNS.isdisjoint(bare):
            hashed = short(bare)
            ids[hashed] = None
            if b"/" not in bare and not _ASCII_DIGITS.isdisjoint(bare):
                numbers[hashed] = None  # a serial number is counted through as a number is
        elif bare:
            words[short(bare.lower())] = None
        if is_short:
            if before and token.isdigit():
                ids[short(before + b" " + token)] = None
            before = token if token.isalpha() else b""


def _sort_text(text: str, key: str, ids: Found, words: Found, numbers: Found) -> None:
    before = ""
    if len(text) <= _NAME and _is_name(text) and key not in COMMAND_KEYS:
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
