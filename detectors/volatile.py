"""Volatile parts of text: what differs between two answers that say the same.

Measured values and counters stay: they are often the only news. What goes are clock times, dates, durations,
addresses, random ids and temporary paths. Each pattern runs only where a cheap substring test says that it can
match, since a scan by regular expression costs more than all the rest of a step.
"""

import re

DIGITS_TO_ZERO = bytes(0x30 if 0x30 <= i <= 0x39 else i for i in range(256))
_HEX_TO_ZERO = bytes(
    0x30 if (0x30 <= i <= 0x39 or 0x61 <= i <= 0x66 or 0x41 <= i <= 0x46) else i for i in range(256)
)

_CLOCK = re.compile(
    rb"(?:\b\d{4}[-/.]\d\d[-/.]\d\d[T ])?\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?(?: ?[AaPp][Mm]\b)?"
)
"""With seconds: a date alone or 10:30 is more often data (a slot, a file's name) than a stamp."""
_DURATION = re.compile(rb"\b\d+(?:[.,]\d+)? ?(?:ns|us|\xc2\xb5s|ms|s|sec|secs|seconds?|min|mins|minutes?)\b")
_UUID = re.compile(rb"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b")
_HEX = re.compile(
    rb"(?<![0-9A-Za-z:=])(?:0x[0-9a-fA-F]+|(?=[a-fA-F]*[0-9])(?=[0-9]*[a-fA-F])[0-9a-fA-F]{7,64})(?![0-9A-Za-z])"
)
_LONG = re.compile(rb"\b\d{10,}\b")
_TEMP = re.compile(rb"/(?:tmp|var/folders|private/tmp|var/tmp)/[^\s'\":;,)\]]+")
_PROCESS = re.compile(rb"\b(pid|process|thread|port)([ =:#]{1,2})\d+", re.IGNORECASE)
_GUTTER = re.compile(rb"(?m)^[ \t]*\d+(?:[:|\t]| {1,2}|\xe2\x86\x92)[ ]?")
_GUTTER_FIRST = re.compile(rb"[\s]*?[ \t]*\d+(?:[:|\t]| {2}|\xe2\x86\x92)")
_CONTENT_DIGEST = (b"sha", b"md5", b"crc", b"digest", b"hash", b"checksum")


def scrub(text: bytes) -> bytes:
    """The text with its volatile parts replaced by fixed marks. O(length); no pattern runs without its trigger."""
    shape = text.translate(DIGITS_TO_ZERO)
    if b"0" not in shape:
        return text
    if b"0:00:00" in shape:
        text = _CLOCK.sub(b"<clock>", text)
    if b"0s" in shape or b"0 s" in shape or b"0ms" in shape or b"0 ms" in shape or b"0 min" in shape:
        text = _DURATION.sub(b"<span>", text)
    hexed = text.translate(_HEX_TO_ZERO)
    if b"0000000" in hexed or b"0x0" in hexed:
        if b"00000000-0000-" in hexed:
            text = _UUID.sub(b"<uuid>", text)
        text = _HEX.sub(_hex, text)
        if b"0000000000" in shape:
            text = _LONG.sub(b"<long>", text)
    if b"/tmp/" in text or b"/var/" in text:
        text = _TEMP.sub(b"<temp>", text)
    if b"pid" in text or b"PID" in text or b"port" in text or b"rocess" in text or b"hread" in text:
        text = _PROCESS.sub(rb"\1\2<n>", text)
    return text


def _hex(match: re.Match[bytes]) -> bytes:
    """Random ids go; a digest of content is content."""
    start = match.start()
    before = match.string[max(0, start - 12) : start].lower()
    return match.group() if any(word in before for word in _CONTENT_DIGEST) else b"<hex>"


def without_gutter(text: bytes) -> bytes:
    """The text without the line numbers that readers print before each line, if the first has one. O(length)."""
    if _GUTTER_FIRST.match(text) is None:
        return text
    lines = text.count(b"\n") + 1
    bare, found = _GUTTER.subn(b"", text)
    return bare if found * 3 >= lines * 2 else text


def shape(text: bytes) -> bytes:
    """Digits masked, runs of them made one. O(length)."""
    masked = text.translate(DIGITS_TO_ZERO)
    while b"00" in masked:
        masked = masked.replace(b"00", b"0")
    return masked
