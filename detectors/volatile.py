"""Volatile parts of text: what differs between two answers that say the same.

Measured values and counters stay: they are often the only news. What goes are clock times, dates, durations,
addresses, random ids and temporary paths. Each pattern runs only where a cheap substring test says that it can
match, since a scan by regular expression costs more than all the rest of a step.
"""

import re

_SHAPE = bytes(0x30 if 0x30 <= i <= 0x39 else 0x70 if i == 0x50 else i for i in range(256))
"""Digits are 0, and P is p: what the triggers are looked for in."""
_HEX_TO_ZERO = bytes(
    0x30 if (0x30 <= i <= 0x39 or 0x61 <= i <= 0x66 or 0x41 <= i <= 0x46) else i for i in range(256)
)

_CLOCK = re.compile(
    rb"\d[\d/.T -]{0,13}:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?(?: ?[AaPp][Mm](?![A-Za-z]))?"
)
"""With seconds, and the date in front of it: a date alone or 10:30 is more often data (a slot, a name) than a stamp."""
_DURATION = re.compile(
    rb"\d+(?:[.,]\d+)? ?(?:ns|us|\xc2\xb5s|ms|s|secs?|seconds?|mins?|minutes?)(?![A-Za-z0-9_])"
)
_REST = rb"(?:(?<=m)(?:s|ins?|inutes?)|(?<=[nu])s|(?<=\xc2)\xb5s|(?<=s)(?:ecs?|econds?)?)(?![A-Za-z0-9_])"  # of a unit
_UNIT = re.compile(rb"0 ?[mnus\xc2]" + _REST)
_AFTER_A_DIGIT = re.compile(
    rb"0(?:[x:mnus\xc2](?:(?<=x)|(?<=:)00:00|%b)| [mnus\xc2]%b)" % (_REST, _REST),
)
"""In a shape: what an address, a clock time or a duration must have; one scan, of the digits only, tells of all. What
follows a digit is first looked up as one of a few letters, since most are followed by none of them."""
_LABELLED = re.compile(
    rb"(?m)^[ \t]*[^\s\d][^\n:=]{0,60}[:=][ \t]*\d+(?:[.,]\d+)? ?(?:ns|us|\xc2\xb5s|ms|s|secs?|seconds?|mins?|minutes?)"
    rb"[ \t]*$"
)
_ADDRESS = re.compile(rb"0x[0-9a-fA-F]+")
_RUN = re.compile(rb"0+")
_TEMP = re.compile(rb"/(?:tmp|var/folders|private/tmp|var/tmp)/[^\s'\":;,)\]]+")
_ASSET = re.compile(rb"[\w-]*[0-9a-fA-F]{4,}\.(?:min\.)?(?:css|m?js|woff2?)(?![\w.])")
"""Names under which a page asks for its parts: they change with each release, and on some servers with each answer."""
_PROCESS = re.compile(rb"(?<![A-Za-z])(pid|process|port)([ =:#]{1,2})\d+", re.IGNORECASE)
_MAY_BE_NUMBERED = re.compile(rb"p(?:id|ort|ID|rocess)(?: |=|: | #)0")
_NUMBERED = re.compile(rb"(?:p(?:id|ort)|P(?:ID|rocess))(?: |=|: | #)[0-9]")
"""Words before a number that the system gave, as they stand before it; the first in a shape, where a scan for one
letter is enough."""
_GUTTER = re.compile(rb"(?m)^[ \t]*\d+(?:[:|\t]| {1,2}|\xe2\x86\x92)[ ]?")
_GUTTER_FIRST = re.compile(rb"\s*\d+(?:[:|\t]| {2}|\xe2\x86\x92)")
_CONTENT_DIGEST = (b"sha", b"md5", b"crc", b"digest", b"hash", b"checksum")
_LETTERS = frozenset(b"abcdefABCDEF")
_UUID = b"00000000-0000-0000-0000-000000000000"
_SEVEN, _TEN = b"0" * 7, 10
"""Hex digits from which a run of them, letters and digits mixed, is an id; digits alone from ten on."""


def scrub(text: bytes, *, measures: bool = False) -> bytes:
    """The text with its volatile parts replaced by fixed marks. O(length); no pattern runs without its trigger.

    `measures`: durations stay where they are what the text reports (`measured`).
    """
    shape = text.translate(_SHAPE)
    if b"0" not in shape:
        return text
    whole = text
    if _AFTER_A_DIGIT.search(shape) is not None:
        if b"0:00:00" in shape:
            text = _CLOCK.sub(b"<clock>", text)
        if _UNIT.search(shape) is not None and not (measures and measured(whole)):
            text = _DURATION.sub(b"<span>", text)
        if b"0x" in text:
            text = _ADDRESS.sub(b"<address>", text)
    hexed = text.translate(_HEX_TO_ZERO)
    if _SEVEN in hexed:
        text = _without_ids(text, hexed)
    if b"/" in text and (b"/tmp/" in text or b"/var/" in text):
        text = _TEMP.sub(b"<temp>", text)
    if b"<" in text and (b".css" in text or b".js" in text):
        text = _ASSET.sub(b"<asset>", text)
    if _MAY_BE_NUMBERED.search(shape) is not None and _NUMBERED.search(whole) is not None:
        text = _PROCESS.sub(rb"\1\2<n>", text)
    return text


def measured(text: bytes) -> bool:
    """Whether durations are what the text reports: alone, or two and more, each as the value of its own label.

    A single one among other lines is how long the call took. O(length), for short texts.
    """
    found = len(_LABELLED.findall(text))
    return found >= 2 or (found == 1 and b"\n" not in text.strip())


def _without_ids(text: bytes, hexed: bytes) -> bytes:
    """Random ids replaced: runs of hex digits with letters among them, and very long numbers; digests stay."""
    out: list[bytes] = []
    done = 0
    at = hexed.find(_SEVEN)
    while at >= 0:
        run = _RUN.match(hexed, at)
        end = run.end() if run is not None else at + 7
        uuid = hexed[at : at + 36] == _UUID
        end = at + 36 if uuid else end
        if uuid or _is_id(text, at, end):
            out += (text[done:at], b"<id>")
            done = end
        at = hexed.find(_SEVEN, end)
    if not out:
        return text
    out.append(text[done:])
    return b"".join(out)


def _is_id(text: bytes, start: int, end: int) -> bool:
    token = text[start:end]
    if (start and _is_word(text[start - 1])) or (end < len(text) and _is_word(text[end])):
        return False
    if token.isdigit():
        return len(token) >= _TEN
    if len(token) > 64 or _LETTERS.isdisjoint(token) or token.isalpha():
        return False
    before = text[max(0, start - 12) : start].lower()
    return not any(word in before for word in _CONTENT_DIGEST)


def _is_word(byte: int) -> bool:
    return 0x30 <= byte <= 0x39 or 0x41 <= byte <= 0x5A or 0x61 <= byte <= 0x7A or byte == 0x5F


def without_gutter(text: bytes) -> bytes:
    """The text without the line numbers that readers print before each line, if the first has one. O(length)."""
    if _GUTTER_FIRST.match(text) is None:
        return text
    lines = text.count(b"\n") + 1
    bare, found = _GUTTER.subn(b"", text)
    return bare if found * 3 >= lines * 2 else text


def figureless(text: bytes) -> bytes:
    """The text without digits. O(length)."""
    return text.translate(None, b"0123456789")


_KINDS = bytes(
    0x30 if 0x30 <= i <= 0x39 else 0x61 if (0x41 <= i <= 0x5A or 0x61 <= i <= 0x7A) else 0x20
    for i in range(256)
)
"""Digits are 0, letters a: what stands beside what is found without an expression."""
_MIXED = re.compile(rb"[A-Za-z]*\d[A-Za-z\d]*")


def shape(text: bytes) -> bytes:
    """The text without digits and the letters that stand with them: what numbers and ids leave. O(length)."""
    kinds = text.translate(_KINDS)
    if b"a0" in kinds or b"0a" in kinds:
        return _MIXED.sub(b"", text)
    return text.translate(None, b"0123456789")


_SERIAL = re.compile(
    rb"(?<![\w.])(?:[A-Za-z]{1,6}|(?<=[#_/-])|(?<=[iI][dD]=)|(?<=no=))\d{5,}[A-Za-z]{0,2}(?![\w.,]\d)(?!\w)"
    rb"|(?<![A-Za-z\d])[A-Za-z]{1,6}[_-]?\d{3,}(?![A-Za-z\d])"
    rb"|(?<![A-Za-z\d])(?=[A-Za-z\d]{5})(?:[A-Za-z]+\d+[A-Za-z]|\d+[A-Za-z]+\d)[A-Za-z\d]*"
    rb"|(?<![A-Za-z\d])(?=[0-9]*[A-Za-z])(?=[A-Za-z]*\d)[0-9a-fA-F]{4,}(?![A-Za-z\d])"
)


def core(text: bytes) -> bytes:
    """The text without serial numbers: names of single things, as against counts and measures. O(length)."""
    return _SERIAL.sub(b"", text) if may_be_serial(text) else text


def may_be_serial(text: bytes) -> bool:
    """Whether a search for serial numbers can find any: digits in a row, or beside a letter. O(length)."""
    kinds = text.translate(_KINDS)
    return b"000" in kinds or b"a0" in kinds or b"0a" in kinds


def has_serial(token: bytes) -> bool:
    """The token is or has a serial number. O(length)."""
    return _SERIAL.search(token) is not None
