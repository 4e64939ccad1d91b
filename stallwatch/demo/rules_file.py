"""The rules that the demo's runs are meant to be judged by."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

_FILE = resources.files("stallwatch.demo") / "rules.toml"


def rules_text() -> str:
    """The rule file's text."""
    return _FILE.read_text("utf-8")


@contextmanager
def rules_file() -> Iterator[Path]:
    """The rule file as one that other processes can read, within the `with` block."""
    with resources.as_file(_FILE) as path:
        yield path


def rules_place() -> str:
    """Where the file is, for a person."""
    return str(_FILE)
