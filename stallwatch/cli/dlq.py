"""`stallwatch dlq list` and `redrive`."""

# Imports inside the commands keep `stallwatch --help` free of aiokafka; parameters are the options' order.
# ruff: noqa: PLC0415

from typing import TYPE_CHECKING, Annotated

import typer

from stallwatch.cli.commands import command, group
from stallwatch.cli.setting_options import CONNECTION, with_settings
from stallwatch.mistakes import AnswerIsNoError, Mistake
from streams.settings import Settings

if TYPE_CHECKING:
    from stallwatch.deadletters.dead_letter import DeadLetter, Selection
    from stallwatch.deadletters.redrive import Fate

app = group("Look at input that could not be read, and send it again.")

Reason = Annotated[
    str | None,
    typer.Option(metavar="REASON", help="Only dead letters with this reason.", show_default=False),
]
Partition = Annotated[
    int | None,
    typer.Option(min=0, metavar="N", help="Only this partition of the dlq topic.", show_default=False),
]
Offset = Annotated[
    int | None,
    typer.Option(min=0, metavar="N", help="Only this offset; needs --partition.", show_default=False),
]
Timeout = Annotated[
    float, typer.Option(min=0.5, max=3600, metavar="SECONDS", help="How long to wait for Kafka at most.")
]


@command(app, "list")
@with_settings(CONNECTION)
def list_(
    settings: Settings,
    reason: Reason = None,
    partition: Partition = None,
    offset: Offset = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per dead letter.")] = False,
    timeout: Timeout = 30.0,
) -> int:
    """List the dead letters: what was wrong, and where each record came from.

    Contents are not shown: keys and sizes only.
    """
    import asyncio

    from stallwatch.clients.kafka_errors import kafka_errors
    from stallwatch.deadletters.dead_letter_output import print_list

    selection = _selection(reason, partition, offset)
    options = settings.client_options()
    with kafka_errors(options, "the dead letters cannot be read"):
        asyncio.run(print_list(options, settings.topic_prefix, selection, as_json=json, timeout_s=timeout))
    return 0


@command(app)
@with_settings(CONNECTION)
def redrive(
    settings: Settings,
    reason: Reason = None,
    partition: Partition = None,
    offset: Offset = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Send them. Without this, only say what would be sent.")
    ] = False,
    again: Annotated[
        bool,
        typer.Option(
            "--again",
            help="Those that were redriven before too. One that failed again since is sent once, as it failed last.",
        ),
    ] = False,
    rate: Annotated[
        float, typer.Option(min=0.1, max=100_000, metavar="NUMBER", help="At most so many records a second.")
    ] = 100.0,
    timeout: Timeout = 30.0,
) -> int:
    """Send dead letters back to the topic they came from: key, value and headers byte for byte.

    A dry run without --yes. Each record is stamped with the header dlq.redriven, and a mark is left on the
    dlq topic: what was redriven before, whether it failed again or not, is left out and counted, unless
    --again or its own --offset asks for it. The dead letters stay where they are until their retention ends.
    A step that was applied already is dropped as a duplicate. The exit code is 1 if there was nothing to
    send.
    """
    import asyncio

    from stallwatch.clients.kafka_errors import kafka_errors
    from stallwatch.deadletters.dead_letter_output import done_sentence, preview_line
    from stallwatch.deadletters.redrive import redrive as run_redrive

    selection = _selection(reason, partition, offset)
    options = settings.client_options()

    def say(letter: "DeadLetter", fate: "Fate") -> None:
        if not yes or fate == "refused":
            typer.echo(preview_line(letter, fate))

    with kafka_errors(options, "the redrive did not finish"):
        done = asyncio.run(
            run_redrive(
                options,
                settings.topic_prefix,
                selection,
                again=again,
                dry_run=not yes,
                per_second=rate,
                timeout_s=timeout,
                on_letter=say,
            )
        )
    if done.nothing:
        raise AnswerIsNoError(done_sentence(done, dry_run=not yes))
    typer.echo(done_sentence(done, dry_run=not yes))
    return 0


def _selection(reason: str | None, partition: int | None, offset: int | None) -> "Selection":
    from stallwatch.deadletters.dead_letter import Selection
    from streams.badrecord import Reason as Known

    if offset is not None and partition is None:
        raise Mistake("--offset: offsets count within a partition; say which with --partition")
    if reason is not None and reason not in list(Known):
        raise Mistake(f"--reason: {reason} is none of {', '.join(Known)}")
    return Selection(reason=reason, partition=partition, offset=offset)
