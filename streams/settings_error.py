"""What is wrong with the settings: every problem with its place, its value and its remedy."""

from collections.abc import Iterable

import msgspec


class Problem(msgspec.Struct, frozen=True):
    """One thing that is wrong with the settings."""

    where: str
    """The variable or flag."""
    value: str
    """What was found there, secrets masked."""
    remedy: str
    """What it must be instead, or what else to set."""

    def __str__(self) -> str:
        """One sentence."""
        return f"{self.where}={self.value}: {self.remedy}" if self.value else f"{self.where}: {self.remedy}"


class SettingsError(ValueError):
    """The settings cannot be used; `problems` has every reason, the message one line for each."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))
