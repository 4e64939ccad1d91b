"""What our clients log while the demo shows itself: a line among the others, not a burst across the table."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

NAMES = ("aiokafka", "stallwatch")
"""Loggers whose lines are about the broker or the demo. Of others, a defect's above all, nothing is held back."""


@contextmanager
def logged_to(say: Callable[[str], None]) -> Iterator[None]:
    """`say` hears of every warning of theirs, in the `with` block, each kind of line once."""
    handler = _Once(say)
    loggers = [logging.getLogger(name) for name in NAMES]
    for logger in loggers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeHandler(handler)


class _Once(logging.Handler):
    """A broker that is away is told by every client, again and again: once is enough."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say
        self._told: set[tuple[str, str]] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """The record's message is told, unless one of its kind was."""
        kind = (record.name, str(record.msg))
        if kind not in self._told:
            self._told.add(kind)
            self._say(record.getMessage())
