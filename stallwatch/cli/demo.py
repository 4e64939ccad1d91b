"""`stallwatch demo`."""

# Imports inside the command keep `stallwatch --help` fast.
# ruff: noqa: PLC0415

from pathlib import Path
from typing import Annotated

import typer


def demo(
    keep: Annotated[
        bool, typer.Option("--keep", help="Leave broker and worker up at the end, for a look at the metrics.")
    ] = False,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", metavar="N", help="Stop agents that are still at it after so many seconds."
        ),
    ] = 110.0,
    json: Annotated[
        Path | None,
        typer.Option("--json", metavar="FILE", help="Write the result to this file as well.", dir_okay=False),
    ] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            "--metrics-port", metavar="PORT", min=1, max=65535, help="Of the worker; by default a free one."
        ),
    ] = None,
    bootstrap_servers: Annotated[
        str | None,
        typer.Option(
            "--bootstrap-servers",
            metavar="HOST:PORT",
            help="Only the agents and their orchestrator, in the installation with these brokers.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Watch a small fleet get stuck and be stopped: everything real, on this machine alone, in under two minutes.

    Starts an embedded broker, the worker, and nine scripted agents that work on a scratch project; an
    orchestrator stops what is halted. The exit code is 1 if a healthy agent was halted or a stuck one was
    not.
    """
    from stallwatch.demo.command import run

    return run(
        keep=keep,
        seconds=seconds,
        json_file=json,
        metrics_port=metrics_port,
        bootstrap_servers=bootstrap_servers,
    )
