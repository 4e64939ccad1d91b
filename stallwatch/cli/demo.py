"""`stallwatch demo`."""

# Imports inside the command keep `stallwatch --help` fast.
# ruff: noqa: PLC0415

from pathlib import Path
from typing import Annotated

import typer


def demo(
    *,
    keep: Annotated[
        bool, typer.Option("--keep", help="Leave everything up at the end, for a look at the metrics.")
    ] = False,
    seconds: Annotated[
        float, typer.Option(metavar="NUMBER", help="Stop agents that are still at it after so many seconds.")
    ] = 110.0,
    json: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Write the result to this file too.", show_default=False),
    ] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            metavar="NUMBER",
            help="Port of the worker's metrics; without it, a free one.",
            show_default=False,
        ),
    ] = None,
    bootstrap_servers: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Let the fleet work under the installation at these brokers (host:port, comma-separated), "
            "instead of starting a broker and a worker of its own.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Watch a small fleet get stuck and be stopped: everything real, on this machine, in under two minutes.

    The exit code is 1 if a healthy agent was halted or a stuck one was not.
    """
    from stallwatch.demo.command import run

    return run(
        keep=keep,
        seconds=seconds,
        json_file=json,
        metrics_port=metrics_port,
        bootstrap_servers=bootstrap_servers,
    )
