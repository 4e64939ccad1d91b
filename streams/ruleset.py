"""The rules that a worker's settings name."""

from pathlib import Path

from detectors import rulefile
from detectors.rules import RuleBook
from streams.settings import Settings


class RulesError(ValueError):
    """The rules cannot be used. `problems` has one sentence for each reason, each with the file's name."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


def load_book(settings: Settings) -> RuleBook:
    """The rule book of a built-in profile or a TOML file, under the settings' mode where they have one.

    Raises `RulesError` with everything that is wrong.
    """
    named = settings.rules
    try:
        book = (
            rulefile.parse(Path(named).read_text("utf-8"), named)
            if _is_file(named)
            else rulefile.profile(named)
        )
    except rulefile.RuleFileError as error:
        raise RulesError([f"{named}: {problem}" for problem in error.problems]) from None
    except UnicodeDecodeError as error:
        raise RulesError([f"{named}: not UTF-8 at byte {error.start}; a rule file is a TOML text"]) from None
    except OSError as error:
        raise RulesError([f"{named}: {error.strerror or error}; set a rule file or a profile"]) from None
    return book if settings.mode is None else book.in_mode(settings.mode)


def _is_file(named: str) -> bool:
    return "/" in named or named.endswith(".toml")
