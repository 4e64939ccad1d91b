"""`stallwatch rules check` and `show`."""

# Imports inside the commands keep `stallwatch --help` fast.
# ruff: noqa: PLC0415

from typing import Annotated

import typer

from stallwatch.cli.commands import command, group

app = group("Check rule files, and show what a run would be judged by.")


@command(app)
def check(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|PROFILE",
            help="A rule file (TOML), - for standard input, or a built-in profile.",
            show_default=False,
        ),
    ],
) -> int:
    """Check a rule file: every problem at once, each with the path of its field.

    The exit code is 2 if a worker would refuse the file.
    """
    from stallwatch.cli.rules_source import load_rules
    from stallwatch.terminal_text import counted, printable

    sets = load_rules(source).sets().values()
    names = ", ".join(rules.label for rules in sets)
    typer.echo(printable(f"{source}: {counted(len(sets), 'rule set')} without a problem: {names}."))
    return 0


@command(app)
def show(
    source: Annotated[
        str, typer.Argument(metavar="[FILE|PROFILE]", help="A rule file, or a built-in profile.")
    ] = "default",
    task: Annotated[
        str | None,
        typer.Option(
            metavar="TASK",
            help="What runs of this scenario are judged by; without it, what all others are.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Print a resolved rule set as TOML, each value with its meaning and range as a comment.

    The output is a rule file again: redirect it, change it, check it.
    """
    from detectors.rulefile import show as as_toml
    from stallwatch.cli.rules_source import load_rules
    from stallwatch.terminal_text import printable

    book = load_rules(source)
    _, shown = book.for_new_run(task)
    others = [rules.label for rules in book.sets().values() if rules != shown]
    if others:
        typer.echo(printable(f"# Also in this file: {', '.join(others)} (choose one with --task)."))
    typer.echo(as_toml(shown), nl=False)
    return 0
