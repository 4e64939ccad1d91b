"""Groups and commands of one make: help as flowing paragraphs, endings as `stallwatch.cli.ending` says."""

import inspect
from collections.abc import Callable
from copy import copy
from typing import Any

import typer
from typer.core import TyperCommand

from stallwatch.cli.ending import Commands

Function = Callable[..., int]


class Command(TyperCommand):
    """A command whose help is its docstring, reflowed: a line of the source is no line of a terminal."""

    def __init__(self, name: str | None, *, help: str | None = None, **given: Any) -> None:  # noqa: A002
        super().__init__(name, help=flowing(help or ""), **given)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The words are parsed. An option that is given twice, with two meanings, is bad usage: not the last one."""
        values = self._every_value(ctx, args)
        for parameter in self.get_params(ctx):
            given = values.get(parameter.name, ())
            if isinstance(given, list) and not parameter.multiple and any(v != given[0] for v in given):
                ctx.fail(_contradiction(parameter))
        return super().parse_args(ctx, args)

    def _every_value(self, ctx: Any, args: list[str]) -> dict[str, Any]:
        """What each option was given, every time: the parser of the command itself keeps the last only."""
        parser = self.make_parser(ctx)
        for parameter in self.get_params(ctx):
            if parameter.param_type_name == "option":
                repeated = copy(parameter)
                repeated.multiple = True
                repeated.add_to_parser(parser, ctx)
        values: dict[str, Any] = parser.parse_args(list(args))[0]
        return values


def _contradiction(parameter: Any) -> str:
    """Without the values: one may be a password."""
    if parameter.is_flag:
        return (
            f"{parameter.opts[0]} and {parameter.secondary_opts[0]} contradict each other; give one of them"
        )
    return f"{parameter.opts[0]} is given more than once, with different values; give it once"


def flowing(text: str) -> str:
    """The paragraphs of a docstring, each on one line."""
    return "\n\n".join(" ".join(part.split()) for part in inspect.cleandoc(text).split("\n\n"))


def group(about: str, **given: Any) -> typer.Typer:
    """A group of commands; called without one it shows its help and ends with 2."""
    app = typer.Typer(
        cls=Commands,
        help=about,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
        **given,
    )

    @app.callback(invoke_without_command=True)
    def _help(context: typer.Context) -> None:
        show_help(context)

    return app


def show_help(context: typer.Context) -> None:
    """Help where a command is missing; it is bad usage all the same. Raises `typer.Exit`."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


def command(
    app: typer.Typer, name: str | None = None, panel: str | None = None
) -> Callable[[Function], Function]:
    """The function is a command of `app`."""
    return app.command(name, cls=Command, rich_help_panel=panel)
