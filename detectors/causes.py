"""Error causes: what stands behind a failure, whatever words wrap it.

Faults of the environment are one cause by class, wherever they show (a host that does not resolve is the same for
every client). "Not found" is class and object. Everything else is a template of the telling line with numbers,
quoted text and paths masked. Volatile parts are gone before.
"""

import re
from typing import NamedTuple

from detectors.canonical import short, text_bytes
from detectors.error_classes import CLASSES
from detectors.volatile import figureless, scrub

MAX_TEXT = 4_000
"""Bytes of an answer that are looked at, from both ends."""
LONG_OUTPUT = 6
"""Lines; a longer output is a report (a test run) and its failing lines are the cause, names included."""


class Cause(NamedTuple):
    """One failure's cause."""

    code: str
    """Readable class, with a digest where the class alone is not the cause: "dns", "missing:1a2b3c4d"."""
    transient: bool
    """May pass by itself: patience is no stall."""


_MARKS = tuple(
    """
    error exception fatal fail traceback panic cannot could_not unable_to invalid denied refused not_found no_such
    aborted unexpected fehler erreur errore ошибк エラー 失敗 错误 失败 오류 실패
    """.replace("_", "\0").split()
)
_STEMS = tuple(mark.replace("\0", " ") for mark in _MARKS)
"""Stems that mark a line as telling of a failure: substring search of each is ten times faster than one pattern."""


_START = re.compile(
    r"\s*(?:\[?\w{0,24}(?:error|exception|fatal|fehler|erreur)\b|fail(?:ed|ure): (?!\d)|"
    r"(?:http\S* )?[45]\d\d (?:service|bad|internal|not|forbidden|unauthori[sz]ed|too many|gateway|request|conflict|"
    r"gone|unprocessable|payment|method|precondition)\b|traceback \(most recent|error:|fatal:|panic:|"
    r"bash: |sh: |zsh: |curl: \(|エラー|错误|错误：|失敗|ошибка)",
    re.IGNORECASE,
)
_LAST = re.compile(r"^\s*[\w.]*(?:Error|Exception|Warning)\b(?::|$)")
_QUOTED = re.compile(rb"'[^'\n]{1,120}'|\"[^\"\n]{1,120}\"|`[^`\n]{1,120}`")
_PATH = re.compile(rb"(?:[A-Za-z]:)?[\w.@~-]*(?:[/\\][\w.@~%+-]+)+")
_OBJECTS = (
    re.compile(rb"'([^'\n]{1,120})'|\"([^\"\n]{1,120})\"|`([^`\n]{1,120})`"),
    re.compile(rb"([\w.@~-]*(?:[/\\][\w.@~%+-]+)+)"),
    re.compile(rb"([\w.@+-]+): (?:command not found|not found|no such)", re.IGNORECASE),
)
"""What is not there, in the order of trust: quoted, a path, the word before the verdict."""


def failed(text: str, lines: int, *, exit_code: int | None, error: str | bool | None) -> bool:
    """Whether the call failed: what the tool reports comes first, an exit code of 1 without a word is an answer."""
    if error:
        return True
    if exit_code is not None:
        if exit_code in (0, 141):
            return False
        return exit_code != 1 or _is_marked(text[:MAX_TEXT])
    if lines > LONG_OUTPUT or not text:
        return lines > LONG_OUTPUT and text.startswith("Traceback (most recent")
    return _START.match(text) is not None or _LAST.match(text.rsplit("\n", 1)[-1]) is not None


def cause(text: str, lines: int, *, error: str | bool | None, args: list[str]) -> Cause:
    """The cause of a failed call. O(length), bounded by `MAX_TEXT`."""
    whole = text if len(text) <= 2 * MAX_TEXT else text[:MAX_TEXT] + "\n" + text[-MAX_TEXT:]
    if isinstance(error, str) and error not in whole:
        whole = f"{whole}\n{error}" if whole else error
    if lines <= LONG_OUTPUT:
        low = whole.lower() if whole.isascii() else None
        for name, transient, with_object, (in_low, in_any) in CLASSES:
            found = in_low.search(low) if low is not None else in_any.search(whole)
            if found is not None:
                if not with_object:
                    return Cause(name, transient)
                return Cause(f"{name}:{_object(_line_at(whole, found.start())):08x}", transient)
    telling = _telling(whole, lines)
    if lines > LONG_OUTPUT:
        return Cause(f"report:{short(figureless(scrub(text_bytes(telling)))):08x}", transient=False)
    masked = text_bytes(telling)
    for own in args:
        if 3 <= len(own) <= 300:
            masked = masked.replace(text_bytes(own), b"<arg>")
    masked = _PATH.sub(b"<path>", _QUOTED.sub(b"<quoted>", scrub(masked)))
    return Cause(f"error:{short(figureless(masked).strip()):08x}", transient=False)


def _is_marked(text: str) -> bool:
    low = text.lower()
    return any(stem in low for stem in _STEMS)


def _line_at(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return text[start : end if end >= 0 else len(text)]


def _object(line: str) -> int:
    """What was not found: the quoted, path-like or named thing of the line, else the line itself, masked."""
    data = text_bytes(line)
    for pattern in _OBJECTS:
        found = pattern.search(data)
        if found is not None:
            return short(next(group for group in found.groups() if group))
    return short(figureless(scrub(data)))


def _telling(text: str, lines: int) -> str:
    """The lines that say what failed: in a report all failing ones (at most 12), else the last marked one."""
    marked = [line.strip() for line in text.split("\n") if _is_marked(line)]
    if not marked:
        return text.strip()[:400]
    if lines > LONG_OUTPUT:
        return "\n".join(sorted(set(marked))[:12])
    return marked[-1]
