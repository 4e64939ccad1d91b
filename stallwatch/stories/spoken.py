"""What people said of a run, and what it led to."""

from collections.abc import Iterable, Sequence

import msgspec

from detectors.events import Answer, HaltOrder, OperatorEvent, Verdict

HALT = 4


class Spoken(msgspec.Struct, kw_only=True):
    """A person's word, as its record holds it."""

    what: str
    """release, halt, answer go, answer stop."""
    by: str | None = None
    at: float | None = None
    """Seconds since the epoch."""
    note: str | None = None
    attempt: int | None = None
    seq: int | None = None
    """Of the verdict that it led to; None: no verdict on record follows from it."""

    @property
    def lifts(self) -> bool:
        """Whether it lets the run go on."""
        return self.what in ("release", "answer go")


def spoken(words: Iterable[OperatorEvent]) -> list[Spoken]:
    """The words, each once, in order of their times."""
    found = {msgspec.msgpack.encode(word): word for word in words}
    return sorted(
        (
            Spoken(what=_what(w), by=w.by, at=_seconds(w), note=w.note, attempt=w.attempt)
            for w in found.values()
        ),
        key=lambda said: said.at or 0.0,
    )


def led_to(said: Sequence[Spoken], verdict: Verdict) -> Spoken | None:
    """The word that the verdict follows from: the worker gives the verdict the time of the word."""
    lifted, halted = verdict.event == "closed", verdict.event != "closed" and verdict.rung == HALT
    for word in said:
        if word.at is not None and word.at == verdict.at and (lifted if word.lifts else halted):
            return word
    return None


def _what(word: OperatorEvent) -> str:
    if isinstance(word, Answer):
        return "answer go" if word.go else "answer stop"
    return "halt" if isinstance(word, HaltOrder) else "release"


def _seconds(word: OperatorEvent) -> float | None:
    return word.at if isinstance(word.at, float) else None
