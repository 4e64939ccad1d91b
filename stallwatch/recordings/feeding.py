"""Lines to the engine: the loop that one process and several have in common."""

from collections.abc import Callable, Iterable

from detectors.events import Event
from detectors.outcome import Outcome
from stallwatch.recordings.recorded_line import decode_line, described
from streams.badrecord import BadRecord

Feed = Callable[[Event, int], Outcome]
"""Applies an event; told the place of its line in the whole input, from 0."""


class BadLineError(Exception):
    """The line at `place` cannot be read, or was refused; `problem` says why and what helps."""

    def __init__(self, place: int, problem: str) -> None:
        super().__init__(problem)
        self.place = place
        self.problem = problem


def feed_lines(places: Iterable[int], lines: Iterable[bytes], feed: Feed, *, skip_bad: bool) -> int:
    """Every line was fed; returns how many were left out. Raises `BadLineError`, unless `skip_bad`."""
    left_out = 0
    for place, line in zip(places, lines, strict=True):
        if not line or line.isspace():
            continue
        try:
            outcome = feed(decode_line(line), place)
            if outcome.status != "refused":
                continue
            problem = outcome.problem
        except BadRecord as bad:
            problem = f"{described(bad)}; {_remedy(line)}"
        if not skip_bad:
            raise BadLineError(place, problem)
        left_out += 1
    return left_out


def _remedy(line: bytes) -> str:
    if line.strip()[:1] == b"[" or line.strip() == b"{":
        return "the input must be JSON Lines, one event per line: for instance `jq -c '.[]' FILE` makes it of an array"
    return "correct the line, or leave such lines out with --skip-bad"
