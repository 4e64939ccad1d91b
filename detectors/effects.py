"""What a call does: from what the host declares, then from hashes, then from the answer, last from its name.

A name is a hint with a stated weight, since tool names are open-ended: it decides only where nothing else speaks.
"""

import re
from typing import Literal, get_args

Effect = Literal["read", "write", "run", "wait", "plan", "message", "unknown"]
EFFECTS: frozenset[str] = frozenset(get_args(Effect))

NAME_WEIGHT = 0.5
"""How much a name says against what a call did: half; an answer's shape or a hash overrules it."""

_SPLIT = re.compile(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])")
_WORDS: tuple[tuple[Effect, str], ...] = (
    (
        "read",
        (
            "read get list search find grep glob view open fetch lookup query show describe cat ls stat inspect count "
            "check status browse retrieve scan look peek download"
        ),
    ),
    (
        "write",
        (
            "write edit create update upsert insert delete remove put patch replace rename move copy mkdir append save "
            "store set add apply commit push submit upload make modify change cancel"
        ),
    ),
    (
        "run",
        "run exec execute bash shell terminal command python eval test build deploy sh cmd powershell notebook",
    ),
    ("wait", "wait sleep pause delay"),
    ("plan", "todo plan think thought reflect reminder"),
    ("message", "message reply respond notify say comment mail email post send answer chat ask tell"),
)
_NAMES: dict[str, Effect] = {word: effect for effect, words in _WORDS for word in words.split()}
_CACHE: dict[str, Effect] = {}
_CACHE_SIZE = 4096
_WAIT_COMMAND = re.compile(r"^\s*(?:sleep|timeout /t|Start-Sleep)\b[\s\w./:-]*$", re.IGNORECASE)


def declared(effect: str | None) -> Effect | None:
    """The host's word, where it is one of ours."""
    return effect if effect in EFFECTS and effect != "unknown" else None  # type: ignore[return-value]


def named(tool: str) -> Effect:
    """The hint of the tool's name: its first or last telling word. O(length)."""
    known = _CACHE.get(tool)
    if known is not None:
        return known
    words = (word.lower() for word in _SPLIT.split(tool[:128]) if word)
    effects = [_NAMES[word] for word in words if word in _NAMES]
    effect: Effect = "plan" if "plan" in effects else effects[0] if effects else "unknown"
    if len(_CACHE) >= _CACHE_SIZE:
        _CACHE.clear()
    _CACHE[tool] = effect
    return effect


def is_wait(text: str) -> bool:
    """A command that only lets time pass."""
    return len(text) <= 80 and _WAIT_COMMAND.match(text) is not None
