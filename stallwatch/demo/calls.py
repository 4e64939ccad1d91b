"""What an agent may do in one turn, and what comes back: the vocabulary of the scripted agents.

A script is a generator: it yields turns and is sent the answers. `yield from read("README.md")` is one
turn of one call, and its value is the answer.
"""

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call, not yet made."""

    tool: str
    args: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        """On one line."""
        return " ".join(" ".join([self.tool, *(str(value) for value in self.args.values())]).split())


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call brought."""

    text: str
    exit_code: int | None = None
    error: str | None = None
    before_hash: str | None = None
    """Content of the written file before and after, 16 hex; None where nothing was written."""
    after_hash: str | None = None

    @property
    def ok(self) -> bool:
        """The tool worked and, where it was a command, the command succeeded."""
        return self.error is None and not self.exit_code


@dataclass(frozen=True, slots=True)
class Turn:
    """The calls of one model answer; they are made in order, before the next turn is thought of."""

    calls: tuple[Call, ...] = ()
    compacted: bool = False
    """The agent's context was compacted: what earlier answers said is gone from it."""


Script = Generator[Turn, list[Answer], None]
"""An agent's whole life; it returns when the agent is done."""
Act = Generator[Turn, list[Answer], Answer]
"""One turn of one call, for `yield from`."""
Acts = Generator[Turn, list[Answer], list[Answer]]


def call(tool: str, **args: Any) -> Act:
    """One turn of one call; None among the arguments is left out."""
    answers = yield Turn((Call(tool, {key: value for key, value in args.items() if value is not None}),))
    return answers[0]


def together(*calls: Call) -> Acts:
    """One turn of several calls."""
    return (yield Turn(calls))


def read(path: str, start: int | None = None, end: int | None = None) -> Act:
    """Lines of a file, numbered from 1; both ends belong to them."""
    return call("read_file", path=path, start=start, end=end)


def search(pattern: str, path: str | None = None) -> Act:
    """Lines that match a regular expression."""
    return call("search", pattern=pattern, path=path)


def edit(path: str, old: str, new: str) -> Act:
    """One place of a file is another text."""
    return call("edit_file", path=path, old=old, new=new)


def write(path: str, text: str) -> Act:
    """A file is this text."""
    return call("write_file", path=path, text=text)


def shell(command: str) -> Act:
    """A command has run to its end."""
    return call("shell", command=command)


def start_job(command: str) -> Act:
    """A command runs in the background."""
    return call("start_job", command=command)


def wait(seconds: float) -> Act:
    """So many seconds have passed."""
    return call("wait", seconds=seconds)


def compacted() -> Generator[Turn, list[Answer], None]:
    """The context was compacted here."""
    yield Turn(compacted=True)
