"""The tree of commands."""

from typing import Annotated

import typer

from stallwatch.cli import dlq, rules, topics
from stallwatch.cli.commands import command, show_help
from stallwatch.cli.demo import demo
from stallwatch.cli.ending import Commands
from stallwatch.cli.explain import explain
from stallwatch.cli.replay import replay
from stallwatch.cli.words import answer, halt, release
from stallwatch.cli.worker import worker

WATCH, LOOK, SAY, RUN = "Try it", "Look at runs", "Have a word", "Run it"


def _version(wanted: bool) -> None:
    if not wanted:
        return
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - only --version needs it

    try:
        number = version("stallwatch")
    except PackageNotFoundError:
        number = "of a checkout that is not installed"
    typer.echo(f"stallwatch {number}")
    raise typer.Exit


app = typer.Typer(
    name="stallwatch",
    cls=Commands,
    help="Finds AI-agent runs that are busy and get nowhere, and stops them while keeping what they earned.",
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    show_help(context)


command(app, panel=WATCH)(demo)
command(app, panel=LOOK)(replay)
command(app, panel=LOOK)(explain)
command(app, panel=SAY)(release)
command(app, panel=SAY)(halt)
command(app, panel=SAY)(answer)
command(app, panel=RUN)(worker)
app.add_typer(topics.app, name="topics", rich_help_panel=RUN)
app.add_typer(dlq.app, name="dlq", rich_help_panel=RUN)
app.add_typer(rules.app, name="rules", rich_help_panel=RUN)


def main() -> None:
    """The entry point of the `stallwatch` script: runs one command and exits with its code."""
    app(prog_name="stallwatch")
