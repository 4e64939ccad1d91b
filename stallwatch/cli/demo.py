"""`stallwatch demo`."""

# Imports inside the command keep `stallwatch --help` fast.
# ruff: noqa: PLC0415

from typing import Annotated

import typer


def demo(
    keep: Annotated[
        bool, typer.Option("--keep", help="Leave everything up at the end, for a look at the metrics.")
    ] = False,
) -> int:
    """Watch a small fleet get stuck and be stopped: everything real, on this machine, in under two minutes.

    The exit code is 1 if a healthy agent was halted or a stuck one was not.
    """
    from stallwatch.demo.command import run

    return run(keep=keep)
