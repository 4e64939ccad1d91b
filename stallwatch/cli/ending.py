"""How every command ends: its exit code, and one sentence on standard error for a person's mistake."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from stallwatch.cli.guarded_output import ReaderGoneError, guarded_output
from stallwatch.mistakes import Mistake
from stallwatch.terminal_text import printable

INTERRUPTED = 130
"""128 + SIGINT, as shells report it."""
PIPE_CLOSED = 141
"""128 + SIGPIPE: the reader (`head`, a pager) had enough."""


class Commands(TyperGroup):
    """A group of commands that prints no traceback for what is not a defect of ours."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """The command has run; raises `SystemExit` with its exit code unless `standalone_mode` is off."""

        def run() -> Any:
            return super(Commands, self).main(
                args, prog_name, complete_var, False, windows_expand_args, **extra
            )

        return sys.exit(exit_code(run)) if standalone_mode else run()

    def invoke(self, ctx: Any) -> Any:
        """The command has run. Typer would call a closed pipe 1, which is what "the answer is no" means here."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _forget_stdout()
            raise typer.Exit(PIPE_CLOSED) from None


def exit_code(run: Callable[[], Any]) -> int:
    """Runs a command; its exit code, whichever way it ended."""
    try:
        with guarded_output():
            result = run()
            if sys.stdout is not None:
                sys.stdout.flush()
    except Mistake as mistake:
        return _say(str(mistake), mistake.exit_code)
    except typer.TyperException as error:
        return _say(_usage(error), 2)
    except (BrokenPipeError, ReaderGoneError):
        _forget_stdout()
        return PIPE_CLOSED
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    return result if isinstance(result, int) else 0


def _usage(error: typer.TyperException) -> str:
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "stallwatch"
    return f"{message}; see {where} --help"


def _say(sentence: str, code: int) -> int:
    say(sentence)
    return code


def say(sentence: str) -> None:
    """The sentence is on standard error, if anything can be."""
    if sys.stderr is None:
        return
    lines = [printable(line) for line in sentence.splitlines()]
    try:
        sys.stderr.write("stallwatch: " + "\n  ".join(lines) + "\n")
        sys.stderr.flush()
    except OSError:
        _forget(sys.stderr)


def _forget_stdout() -> None:
    _forget(sys.stdout)


def _forget(stream: Any) -> None:
    """What is still buffered would raise once more when the interpreter closes the stream."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (AttributeError, OSError, ValueError):
        return
