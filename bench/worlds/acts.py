"""What an agent does and gets, before it is written in a fleet's dialect."""

from typing import Any

import msgspec
import xxhash


class Act(msgspec.Struct):
    """One call and its answer as the world gave it."""

    name: str
    """`verb.noun` of the dialect's table."""
    args: dict[str, Any]
    result: Any = ""
    shell: str = ""
    """The same call as a shell line, where there is one."""
    exit: int | None = None
    error: str = ""
    before: str = ""
    after: str = ""
    took: float = 0.5
    """Seconds that the call ran."""
    score: float | None = None
    milestone: str | None = None
    raw: bool = False
    """The arguments are written as they are: the call is malformed."""


def failed(
    name: str, args: dict[str, Any], error: str, *, shell: str = "", exit_code: int = 1, took: float = 0.4
) -> Act:
    """A call that ended with an error; the answer is the error's text."""
    return Act(name, args, error, shell, exit_code, error, took=took)


def digest(value: object) -> str:
    """16 hex of a state's content."""
    return xxhash.xxh3_64_hexdigest(str(value).encode())
