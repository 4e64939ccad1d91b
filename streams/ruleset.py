"""The rules that a worker's settings name."""

from pathlib import Path

from detectors import rulefile
from detectors.rules import RuleBook
from streams.settings import Settings


def load_book(settings: Settings) -> RuleBook:
    """The rule book of a built-in profile or a TOML file, under the settings' mode where they have one.

    Raises `detectors.rulefile.RuleFileError` with every problem in it, `OSError` for a file that cannot be read.
    """
    named = settings.rules
    book = (
        rulefile.parse(Path(named).read_text("utf-8"), named) if _is_file(named) else rulefile.profile(named)
    )
    return book if settings.mode is None else book.in_mode(settings.mode)


def _is_file(named: str) -> bool:
    return "/" in named or named.endswith(".toml")
