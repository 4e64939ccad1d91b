"""Rules as a command names them: a built-in profile or a file."""

import sys
from pathlib import Path

from detectors.rulefile import PROFILES, RuleFileError, parse, profile
from detectors.rules import RuleBook
from stallwatch.mistakes import Mistake

MAX_BYTES = 4 << 20
"""Far beyond any rule file; what is longer was not meant."""


def load_rules(source: str) -> RuleBook:
    """The rule book of a profile's name, else of a file. Raises `Mistake` with every problem of the file."""
    return profile(source) if source in PROFILES else read_rules(source)


def read_rules(file: str) -> RuleBook:
    """The rule book of a file, `-` for standard input. Raises `Mistake` with every problem of the file."""
    name = "<stdin>" if file == "-" else file
    try:
        if file == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(file).open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        profiles = " or ".join(PROFILES)
        raise Mistake(f"{name}: {error.strerror}; give a rule file or a profile, {profiles}") from None
    if len(data) > MAX_BYTES:
        raise Mistake(f"{name}: larger than {MAX_BYTES >> 20} MiB; a rule file is a short TOML text")
    try:
        return parse(data.decode(), name)
    except UnicodeDecodeError as error:
        raise Mistake(f"{name}: not UTF-8 at byte {error.start}; a rule file is a TOML text") from None
    except RuleFileError as error:
        raise Mistake(str(error)) from None
