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
_LINKED = re.compile(rb"[A-Za-z]+(?:-[A-Za-z]+)+")
"""Words that a hyphen joins, within a longer text: they are the words that they are made of."""
_PARTS = re.compile(rb"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""Words that a name in snake_case or camelCase is made of."""
_NAME = 40
_ID_SIGNS = frozenset("0123456789/._-@:#\\")
_ASCII_DIGITS = frozenset(b"0123456789")
_ASCII_ID_SIGNS = frozenset(b"0123456789/._-@:#\\")
_SIGNS = b"-_.:#@*+~/ "
_PLAIN = 10**15
_PROSE_EDGES = ".,!?'\""
_MENTIONS = 4
"""Blanks from which prose beside other values only mentions things."""

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
    many = len(values) > 1
    for key, value in zip(keys, values, strict=True):
        kind = type(value)
        if kind is int and -_PLAIN < value < _PLAIN:
            numbers[_of_whole(value)] = None
        elif isinstance(value, str):
            text = (bare.get(value, value) if bare else value)[:left]
            left -= len(text)
            if many and text.count(" ") >= _MENTIONS and key not in COMMAND_KEYS and is_prose(text):
                _sort_words(text, words)
            elif text.isascii():
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
def is_prose(text: str) -> bool:
    """Several plain words in a row, or a script without blanks. O(length)."""
    if len(text) < 12:
        return False
    if not text.isascii() and text.count(" ") * 12 < len(text):
        return True
    words = text.split()
    if len(words) < 4:
        return False
    plain = [word for word in words if word.isalpha() or word.strip(_PROSE_EDGES).isalpha()]
    return len(plain) * 10 >= len(words) * 7


def _sort_words(text: str, words: Found) -> None:
    """Prose beside other values: what it mentions is not what the call is about."""
    for token in split(text):
        bare = token.strip(".:!?-")
        if bare.isalpha():
            _sort_token(bare, {}, words, {}, many=True)


def _serial(token: bytes) -> int:
    """A serial number as it is counted through: without the signs that it may be written with."""
    return short(token.translate(None, _SIGNS).lower() or token)


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
    many = b" " in text
    if len(text) <= _NAME and _is_name(text) and key not in COMMAND_KEYS:
        ids[short(text)] = None
    for token in text.translate(_BORDERS).split():
        bare = token.strip(b".:!?-")
        if bare.isalpha():
            if len(words) < MAX_WORDS:
                words[short(bare.lower())] = None
        elif bare.isdigit():
            numbers[short(bare)] = None
        elif many and b"-" in bare and _LINKED.fullmatch(bare):
            words.update(dict.fromkeys(short(part) for part in bare.lower().split(b"-")))
        elif not _ASCII_ID_SIGNS.isdisjoint(bare):
            ids[short(bare)] = None
            if b"/" not in bare:
                _add_parts(bare, words, numbers)
        elif bare:
            words[short(bare.lower())] = None
        if is_short:
            if before and token.isdigit():
                ids[short(before + b" " + token)] = None
            before = token if token.isalpha() else b""


def _add_parts(name: bytes, words: Found, numbers: Found) -> None:
    if not _ASCII_DIGITS.isdisjoint(name):
        numbers[_serial(name)] = None  # a serial number is counted through as a number is
    elif len(words) < MAX_WORDS:
        words.update(dict.fromkeys(short(part.lower()) for part in _PARTS.findall(name)))


def _sort_text(text: str, key: str, ids: Found, words: Found, numbers: Found) -> None:
    before = ""
    if len(text) <= _NAME and _is_name(text) and key not in COMMAND_KEYS:
        ids[short(text_bytes(text))] = None
    many = " " in text
    for token in _TOKEN.findall(text):
        _sort_token(token.strip(".:!?-"), ids, words, numbers, many=many)
        if before and token.isdigit() and len(text) <= 80:
            ids[short(text_bytes(f"{before} {token}"))] = None
        before = token if token.isalpha() else ""


def _sort_token(token: str, ids: Found, words: Found, numbers: Found, *, many: bool) -> None:
    """One token of a text in whatever script; what is ASCII in it is read as in an ASCII text."""
    coded = text_bytes(token)
    if token.isdigit():
        numbers[short(coded)] = None
    elif many and "-" in token and _LINKED.fullmatch(coded):
        words.update(dict.fromkeys(short(part) for part in coded.lower().split(b"-")))
    elif not _ID_SIGNS.isdisjoint(token):
        ids[short(coded)] = None
        if "/" not in token:
            _add_parts(coded, words, numbers)
    elif token.isascii():
        if token:
            words[short(coded.lower())] = None
    else:
        for i in range(0, min(len(token), 64), 2):  # scripts without blanks: pairs stand for words
            words[short(text_bytes(token[i : i + 2]))] = None
