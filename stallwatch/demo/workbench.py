"""The tools of the scripted agents. They do what they say, in one scratch folder; nothing is played."""

import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import xxhash

from stallwatch.demo.calls import Answer, Call

COMMAND_TIMEOUT_S = 20.0
MAX_ANSWER_CHARS = 20_000
"""Longer output is cut, as agent tools do."""
PROGRAMS = ("python", "ls", "tail")
"""What the shell may start; `python` is the interpreter that runs the demo."""

EFFECTS = {
    "read_file": "read",
    "search": "read",
    "edit_file": "write",
    "write_file": "write",
    "start_job": "run",
    "wait": "wait",
}
"""What each tool does to the world, as its host declares it with every step; a shell command may do anything."""


class ToolError(Exception):
    """A tool could not do what was asked; the message is the answer's error."""


class Workbench:
    """Tools over one folder. Background jobs end with the `with` block."""

    def __init__(
        self,
        root: Path,
        *,
        sleep: Callable[[float], object] = time.sleep,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.root = root.resolve()
        self._sleep = sleep
        # Nothing of the user's environment reaches the scripts, so that every machine shows the same demo.
        self._environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "PYTHONDONTWRITEBYTECODE": "1",
            **(settings or {}),
        }
        self._jobs: list[subprocess.Popen[bytes]] = []
        self._tools: dict[str, Callable[..., Answer]] = {
            "read_file": self._read,
            "search": self._search,
            "edit_file": self._edit,
            "write_file": self._write,
            "shell": self._shell,
            "start_job": self._start_job,
            "wait": self._wait,
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """No job of this workbench runs any more."""
        for job in self._jobs:
            job.kill()
        for job in self._jobs:
            job.wait()

    def do(self, call: Call) -> Answer:
        """The call has been made. A failure is an answer, never an exception."""
        try:
            return self._tools[call.tool](**call.args)
        except ToolError as error:
            return Answer("", error=str(error))

    def _read(self, path: str, start: int = 1, end: int | None = None) -> Answer:
        lines = self._text(path).splitlines()
        return Answer(
            "\n".join(
                f"{number:4}  {line}"
                for number, line in enumerate(lines, 1)
                if start <= number <= (end or number)
            )
        )

    def _search(self, pattern: str, path: str = ".") -> Answer:
        try:
            wanted = re.compile(pattern)
        except re.error as error:
            raise ToolError(f"bad pattern {pattern!r}: {error}") from None
        found = [
            f"{file.relative_to(self.root)}:{number}: {line.strip()}"
            for file in self._files(self._inside(path))
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
            if wanted.search(line)
        ]
        return Answer("\n".join(found)[:MAX_ANSWER_CHARS] if found else "no matches")

    def _edit(self, path: str, old: str, new: str) -> Answer:
        before = self._text(path)
        count = before.count(old)
        if count != 1:
            raise ToolError(f"{path}: the text to replace is there {count} times, it must be there once")
        after = before.replace(old, new)
        self._inside(path).write_text(after, encoding="utf-8")
        return Answer(f"edited {path}", before_hash=_digest(before), after_hash=_digest(after))

    def _write(self, path: str, text: str) -> Answer:
        target = self._inside(path)
        before = _digest(self._text(path)) if target.exists() else None
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        return Answer("ok", before_hash=before, after_hash=_digest(text))

    def _shell(self, command: str) -> Answer:
        try:
            done = subprocess.run(  # noqa: S603 - only programs of PROGRAMS, in the scratch folder
                self._argv(command),
                cwd=self.root,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=COMMAND_TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise ToolError(f"no end after {COMMAND_TIMEOUT_S:g} s: {command}") from None
        output = done.stdout.decode("utf-8", "replace").rstrip("\n")
        return Answer(output[-MAX_ANSWER_CHARS:], exit_code=done.returncode)

    def _start_job(self, command: str) -> Answer:
        job = subprocess.Popen(  # noqa: S603
            self._argv(command),
            cwd=self.root,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._jobs.append(job)
        return Answer(f"started in the background, pid {job.pid}")

    def _wait(self, seconds: float) -> Answer:
        self._sleep(seconds)
        return Answer(f"waited {seconds:g} s")

    def _argv(self, command: str) -> list[str]:
        argv = shlex.split(command)
        if not argv or argv[0] not in PROGRAMS:
            raise ToolError(f"not found: {command}")
        if argv[0] == "python":
            # Without `site`: the project needs the standard library alone, and starts in half the time.
            return [sys.executable, "-S", *argv[1:]]
        return [shutil.which(argv[0], path=self._environment["PATH"]) or argv[0], *argv[1:]]

    def _text(self, path: str) -> str:
        try:
            return self._inside(path).read_text(encoding="utf-8")
        except OSError as error:
            raise ToolError(f"{path}: {error.strerror}") from None

    def _inside(self, path: str) -> Path:
        full = (self.root / path).resolve()
        if not full.is_relative_to(self.root):
            raise ToolError(f"{path}: outside the project")
        return full

    def _files(self, at: Path) -> list[Path]:
        if at.is_file():
            return [at]
        # Logs and the generated index are no source, as a search tool that honours ignore files has it.
        return sorted(
            file
            for file in at.rglob("*")
            if file.is_file()
            and file.suffix in {".py", ".md", ".csv", ".toml"}
            and "__pycache__" not in file.parts
        )


def _digest(text: str) -> str:
    return xxhash.xxh3_64_hexdigest(text.encode())


def test_command(*modules: str) -> str:
    """The command that runs the project's tests, all or those of some modules."""
    return " ".join(["python -m unittest", *modules])


def ran_tests(call: Call, answer: Answer, *, green: bool) -> bool:
    """Whether this call ran tests with the given outcome: what a host can verify by itself."""
    command: Any = call.args.get("command", "")
    ran = call.tool == "shell" and "-m unittest" in command and "\nRan " in "\n" + answer.text
    return ran and (answer.exit_code == 0) is green
