"""The reference of the command line as Markdown, read off the commands: `python -m stallwatch.cli.reference`."""

import sys
from collections.abc import Iterator
from typing import Any

import typer.main

from detectors.events import Change
from stallwatch.cli.setting_options import is_setting
from stallwatch.cli.tree import app
from stallwatch.recordings.tally import Tally
from streams.settings_table import SETTINGS

INTRODUCTION = """\
# The command line

Made by `python -m stallwatch.cli.reference > docs/cli.md`; a test finds drift.

| exit code | means |
|---|---|
| 0 | done |
| 1 | the answer is no: topics that differ, nothing to redrive, a run that nothing is known of, a demo that failed |
| 2 | bad usage, bad input, or a broker that does not answer: one sentence on standard error says what to put right |
| 70 | a process ended in the middle: the worker rather than commit over a doubt, or one that judged for `replay` |
| 130, 141 | interrupted; the reader of the output went away |

Settings come from a flag (`--topic-prefix`), else from a variable (`STALLWATCH_TOPIC_PREFIX`), else from the default;
a secret may also be in a file that the variable with `_FILE` names.
"""
OUTPUT = """\
## The output of `replay --json`

A contract: one object per line, in input order. A change of rung has the fields {change}; `step` counts the run's
steps from 1, `action` is the rung's name going up and coming down, `clear` at rung 0, and `kind` is the remedy. Runs
that stay clear print nothing. With `--summary` a run that ends, is superseded by a higher attempt, or is still open
when the input ends has a closing object, known by `"summary": true`: {summary}. `rung` is where the run stood at
the end, `reason`, `kind` and `text` belong to the highest rung it reached, and `missing` counts events that never
arrived.

Lines that cannot be read end the replay with 2 and their place (`steps.jsonl:17: seq: expected int, got str`), after
everything found before them was printed. Events that reach a run after its end are counted as late; the markers of
about the last 10,000 ended runs are kept for that. Acknowledgements do not belong into the input: feedback counts as
delivered.

The output does not depend on `--jobs`. All events of a root run are judged by one process, so one run alone is not
judged any faster, nor are runs of more than about 4 MB each that stand one after the other. The processes take the
lines from the one that reads, never more than about 4 MB ahead of what is printed; they end with it, however it ends.
"""


def reference() -> str:
    """The whole page."""
    root: Any = typer.main.get_command(app)
    output = OUTPUT.format(change=_names(Change), summary=_names(Tally))
    return "\n".join([INTRODUCTION, *_command(root, "stallwatch", 2), output])


def _names(struct: type[Any]) -> str:
    return ", ".join(f"`{name}`" for name in struct.__struct_fields__)


def _command(command: Any, path: str, level: int) -> Iterator[str]:
    yield f"{'#' * level} `{path}`\n\n{command.help}\n"
    subcommands = getattr(command, "commands", {})
    if not subcommands:
        yield from _parameters(command, path)
    for name, sub in subcommands.items():
        yield from _command(sub, f"{path} {name}", min(level + 1, 4))


def _parameters(command: Any, path: str) -> Iterator[str]:
    given = [parameter for parameter in command.params if not parameter.is_eager]
    own = [parameter for parameter in given if not is_setting(parameter.name)]
    arguments = [parameter for parameter in own if parameter.param_type_name == "argument"]
    usage = "".join(f" {_argument(argument)}" for argument in arguments)
    yield f"```console\n$ {path} [OPTIONS]{usage}\n```\n"
    rows = [(f"`{argument.metavar}`".replace("|", "\\|"), argument) for argument in arguments]
    rows += [(_option(option), option) for option in own if option not in arguments]
    if rows:
        yield "| | |\n|---|---|"
        for words, parameter in rows:
            yield f"| {words} | {_help(parameter)} |"
        yield ""
    settings = [parameter.opts[0] for parameter in given if is_setting(parameter.name)]
    if len(settings) == len(SETTINGS):
        yield "Every setting is an option too: see [the settings](settings.md).\n"
    elif settings:
        flags = ", ".join(f"`{flag}`" for flag in settings)
        yield f"[Settings](settings.md) that are options too: {flags}.\n"


def _argument(argument: Any) -> str:
    return f"{argument.metavar}{'...' if argument.nargs == -1 else ''}"


def _option(option: Any) -> str:
    words = ", ".join(f"`{word}`" for word in [*option.opts, *option.secondary_opts])
    return f"{words} {option.metavar}".replace("|", "\\|") if option.metavar else words


def _help(parameter: Any) -> str:
    text = parameter.help.replace("\\[", "[").replace("|", "\\|")
    shown = parameter.default
    if isinstance(shown, int | float | str) and not isinstance(shown, bool):
        return f"{text} [default: {shown:g}]" if isinstance(shown, float) else f"{text} [default: {shown}]"
    return str(text)


if __name__ == "__main__":
    sys.stdout.write(reference())
