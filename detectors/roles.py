"""What the keys of a call's arguments are for: the resource, a window of it, a position in it, a command line.

Names of keys only help to find them. A tool is called with the same keys again and again, so what they say is looked
up once for each set of keys.
"""

from functools import lru_cache
from typing import Literal

import msgspec

Part = Literal["start", "end", "count", "page", "range"]

TARGET_KEYS = tuple(
    """path filepath file filename url uri href page document doc table sheet resource notebook target dest
    destination""".split()  # noqa: SIM905 - a table of words reads better than a list of literals
)
"""The key that comes first names the resource."""
_TARGET_RANK = {name: rank for rank, name in enumerate(TARGET_KEYS)}
_WINDOW_KEYS: dict[Part, tuple[str, ...]] = {
    "start": ("offset", "start", "startline", "linestart", "firstline", "from", "skip", "line", "begin"),
    "end": ("end", "endline", "lineend", "lastline", "to", "stop"),
    "count": ("limit", "count", "lines", "numlines", "length", "size", "maxlines", "n"),
    "page": ("page", "pageno", "pagenumber", "pageindex", "pagenum"),
    "range": ("viewrange", "range", "linerange"),
}
_WINDOW_PART: dict[str, Part] = {key: part for part, keys in _WINDOW_KEYS.items() for key in keys}
_CURSOR_KEYS = frozenset(
    ["cursor", "after", "before", "pagetoken", "nextpagetoken", "continuationtoken", "token", "nexttoken"]
)
COMMAND_KEYS = frozenset(["command", "cmd", "script", "bash", "shell", "commandline"])
MAX_KEPT = 512
"""Characters of the names together up to which a set of keys is kept."""


class Roles(msgspec.Struct, frozen=True, gc=False):
    """Positions among a call's values, by what their keys say."""

    targets: tuple[int, ...]
    """May name the resource, the first of these that does is it."""
    windows: tuple[tuple[int, Part], ...]
    cursors: tuple[int, ...]
    commands: tuple[int, ...]
    """A command line, if it is text; a value without a key is one as well."""


def roles(keys: tuple[str, ...]) -> Roles:
    """What the keys, in compared form, are for. O(number of keys), O(1) for a set of keys that is known."""
    return _known(keys) if sum(map(len, keys)) <= MAX_KEPT else _known.__wrapped__(keys)


@lru_cache(maxsize=1024)
def _known(keys: tuple[str, ...]) -> Roles:
    places = range(len(keys))
    named = [at for at in places if keys[at] in _TARGET_RANK]
    return Roles(
        tuple(sorted(named, key=lambda at: _TARGET_RANK[keys[at]])),
        tuple((at, _WINDOW_PART[keys[at]]) for at in places if keys[at] in _WINDOW_PART),
        tuple(at for at in places if keys[at] in _CURSOR_KEYS),
        tuple(at for at in places if not keys[at] or keys[at] in COMMAND_KEYS),
    )
