"""A Dockerfile as stages of instructions: enough to say what an image is built from and how it runs."""

import json
import re
from pathlib import Path
from typing import NamedTuple


class Instruction(NamedTuple):
    word: str
    text: str

    @property
    def argv(self) -> list[str]:
        """The exec form; an assertion fails for a shell form, which has a shell as process 1."""
        start = self.text.find("[")
        assert start >= 0, f"{self.word} is not in exec form"
        argv: list[str] = json.loads(self.text[start:])
        return argv


class Stage(NamedTuple):
    image: str
    name: str | None
    instructions: list[Instruction]

    def all(self, word: str) -> list[Instruction]:
        return [i for i in self.instructions if i.word == word]

    def last(self, word: str) -> Instruction:
        return self.all(word)[-1]


def read(path: Path) -> list[Stage]:
    """The stages in order. Comments are left out, continued lines joined."""
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.lstrip().startswith("#")]
    stages: list[Stage] = []
    for text in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines():
        if not text.strip():
            continue
        word, _, rest = text.strip().partition(" ")
        if word == "FROM":
            image, _, name = rest.partition(" AS ")
            stages.append(Stage(image, name or None, []))
        else:
            stages[-1].instructions.append(
                Instruction(word, " ".join(rest.split()) if word != "HEALTHCHECK" else rest)
            )
    return stages


def is_pinned(image: str) -> bool:
    """Whether the image names a version: a tag with a number, never `latest`."""
    name, _, tag = image.rpartition(":")
    return bool(name) and "latest" not in tag and bool(re.match(r"v?\d+\.\d+", tag))
