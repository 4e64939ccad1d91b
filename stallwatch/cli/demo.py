"""`stallwatch demo`."""

# Imports inside the command keep `stallwatch --help` fast.
# ruff: noqa: PLC0415

from pathlib import Path
from typing import Annotated

import typer

from stallwatch.cli.setting_options import CONNECTION, load, with_flags
from stallwatch.mistakes import Mistake
from streams.settings_table import BY_NAME

INSTALLATION = (*(name for name in CONNECTION if name != "bootstrap_servers"), "group_id")
"""What else is to be known of an installation whose brokers were named."""


@with_flags(INSTALLATION, panel="With --bootstrap-servers (STALLWATCH_TOPIC_PREFIX is --topic-prefix)")
def demo(
    flags: dict[str, object],
    *,
    keep: Annotated[
        bool,
        typer.Option("--keep", help="Leave everything up at the end, for a look at the metrics and stories."),
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
    print_rules: Annotated[
        bool,
        typer.Option(
            "--print-rules",
            help="Print the rule file that the demo's runs are meant to be judged by, and start nothing.",
        ),
    ] = False,
    bootstrap_servers: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT",
            help="Let the fleet work under the installation at these brokers (host:port, comma-separated), "
            "instead of starting a broker and a worker of its own. The worker there should judge by the "
            "demo's rules (--print-rules).",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Watch a small fleet get stuck and be stopped: everything real, on this machine, in under two minutes.

    The exit code is 1 if a healthy agent was halted or a stuck one was not.
    """
    from stallwatch.demo.command import run
    from stallwatch.demo.rules_file import rules_text

    if print_rules:
        typer.echo(rules_text(), nl=False)
        return 0
    settings = None
    if bootstrap_servers is not None:
        settings = load({**flags, "bootstrap_servers": bootstrap_servers})
    elif given := [BY_NAME[name].flag for name, value in flags.items() if value is not None]:
        raise Mistake(
            f"{', '.join(given)}: only with --bootstrap-servers; the demo's own broker needs no settings"
        )
    return run(keep=keep, seconds=seconds, json_file=json, metrics_port=metrics_port, settings=settings)
