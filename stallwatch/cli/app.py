"""The tree of commands."""

from typing import Annotated

import typer

from stallwatch.cli.ending import Commands
from stallwatch.cli.replay import replay


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # noqa: PLC0415 - 10 ms that only --version needs

        typer.echo(f"stallwatch {version('stallwatch')}")
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
) -> int:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        return 2
    return 0


app.command()(replay)


def main() -> None:
    """The entry point of the `stallwatch` script: runs one command and exits with its code."""
    app(prog_name="stallwatch")
