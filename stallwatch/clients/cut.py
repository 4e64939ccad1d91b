"""A large value cut to a size, so that what remains is still what a person would want to read."""

from typing import Any

import msgspec

MARK = "\n[cut by stallwatch: {whole} bytes of JSON, the middle is missing]\n"
TAIL_SHARE = 0.25
"""Share of what is kept that comes from the end: commands say at the end how they fared."""
_ATTEMPTS = (2, 8, 32)
"""A structure keeps its form with every text cut to the limit divided by these; or its text alone."""


def fit(data: bytes, limit: int) -> bytes:
    """JSON of at most `limit` bytes out of JSON `data`; the same bytes if they fit. O(len(data)).

    A text keeps its beginning and end. A structure keeps its form as far as cutting the texts in it is
    enough, and becomes a text of itself otherwise. Cuts are at character boundaries. `limit` is at least
    256.
    """
    if len(data) <= limit:
        return data
    value = msgspec.json.decode(data)
    if not isinstance(value, str):
        for part in _ATTEMPTS:
            tried = msgspec.json.encode(_shortened(value, max(limit // part, 128)))
            if len(tried) <= limit:
                return tried
        value = data.decode()
    return msgspec.json.encode(_cut(value, limit, len(data)))


def _shortened(value: Any, limit: int) -> Any:
    if isinstance(value, str):
        size = len(value) if value.isascii() else len(value.encode())
        return value if size <= limit else _cut(value, limit, size)
    if isinstance(value, dict):
        return {key: _shortened(inner, limit) for key, inner in value.items()}
    if isinstance(value, list):
        return [_shortened(inner, limit) for inner in value]
    return value


def _cut(value: str, limit: int, whole: int) -> str:
    """Beginning and end of `value`, at most `limit` bytes as JSON, with a line that says what is missing."""
    mark = MARK.format(whole=whole)
    room = limit - len(mark) - 4  # the quotes, and the line breaks that JSON writes with two characters
    keep = min(room, len(value))
    while True:
        tail = int(keep * TAIL_SHARE)
        kept = value[: keep - tail] + value[len(value) - tail :]
        size = len(msgspec.json.encode(kept)) - 2
        if size <= room:
            return value[: keep - tail] + mark + value[len(value) - tail :]
        # Characters differ in their size as JSON: 1 to 12 bytes. Each turn comes closer from above.
        keep = min(keep - 1, keep * room // size)
