"""Rules as a command names them: a built-in profile or a file."""

from pathlib import Path

from detectors import rulefile
from detectors.rules import RuleBook
from stallwatch.mistakes import Mistake


def load_rules(source: str) -> RuleBook:
    """The rule book of a profile's name, else of a file. Raises `Mistake` with every problem of the file."""
    try:
        return rulefile.profile(source)
    except LookupError:
        pass
    path = Path(source)
    return rulefile.parse(path.read_text(), source)
