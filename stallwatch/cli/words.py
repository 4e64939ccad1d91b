"""`stallwatch release`, `halt` and `answer`: a person's word on a run."""

# Imports inside the commands keep `stallwatch --help` free of aiokafka; parameters are the options' order.
# ruff: noqa: PLC0415

import getpass
import time
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from stallwatch.cli.ending import say
from stallwatch.cli.run_id import Run, run_id
from stallwatch.cli.setting_options import CONNECTION, with_settings
from stallwatch.mistakes import Mistake
from streams.settings import Settings

if TYPE_CHECKING:
    from detectors.events import OperatorEvent
    from stallwatch.persons_word import Sent

COMMAND_ID_LENGTH = 32
W = TypeVar("W", bound="OperatorEvent")

Root = Annotated[
    str | None,
    typer.Option(
        metavar="RUN",
        help="The run's root: the key that its records have. "
        "Without it, the run's latest command is looked up on the control topic.",
        show_default=False,
        callback=run_id,
    ),
]
Attempt = Annotated[
    int | None,
    typer.Option(
        min=0, metavar="N", help="Only this attempt; without it, the current one.", show_default=False
    ),
]


def command_id(value: str | None) -> str | None:
    """The id as given. Raises `typer.BadParameter` for what a worker would ignore."""
    if value is not None and (len(value) != COMMAND_ID_LENGTH or not set(value) <= set("0123456789abcdef")):
        raise typer.BadParameter(
            f"a command's id has {COMMAND_ID_LENGTH} hexadecimal digits, as its record on the control topic shows"
        )
    return value


CommandId = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        help="The command that is answered. Without it, the run's latest command if it waits for an answer.",
        show_default=False,
        callback=command_id,
    ),
]
By = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Who says so; without it, the login name.", show_default=False),
]
Note = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Why; kept with the word.", show_default=False)
]
Timeout = Annotated[
    float, typer.Option(min=0.5, max=3600, metavar="SECONDS", help="How long to wait for Kafka at most.")
]


@with_settings(CONNECTION)
def release(
    settings: Settings,
    run: Run,
    root: Root = None,
    attempt: Attempt = None,
    command_id: CommandId = None,
    by: By = None,
    note: Note = None,
    timeout: Timeout = 30.0,
) -> int:
    """Let a halted run, or one that waits for an answer, go on with a fresh baseline."""
    from detectors.events import Release

    word = _word(Release, run, root=root, attempt=attempt, command_id=command_id, by=by, note=note)
    _tell("release", _sent(settings, word, timeout))
    return 0


@with_settings(CONNECTION)
def halt(
    settings: Settings,
    run: Run,
    immediate: Annotated[
        bool, typer.Option("--immediate", help="Without the grace to finish the step that is under way.")
    ] = False,
    root: Root = None,
    attempt: Attempt = None,
    command_id: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="Wait until the run's state has reached this command.",
            show_default=False,
            callback=command_id,
        ),
    ] = None,
    by: By = None,
    note: Note = None,
    timeout: Timeout = 30.0,
) -> int:
    """Halt a run, whatever its rung is."""
    from detectors.events import HaltOrder

    word = _word(
        HaltOrder,
        run,
        root=root,
        attempt=attempt,
        command_id=command_id,
        by=by,
        note=note,
        mode="immediate" if immediate else "graceful",
    )
    _tell("halt", _sent(settings, word, timeout))
    return 0


@with_settings(CONNECTION)
def answer(
    settings: Settings,
    run: Run,
    go: Annotated[
        bool | None,
        typer.Option(
            "--go/--stop", help="Let the run go on, or halt it; one of the two is needed.", show_default=False
        ),
    ] = None,
    root: Root = None,
    attempt: Attempt = None,
    command_id: CommandId = None,
    by: By = None,
    note: Note = None,
    timeout: Timeout = 30.0,
) -> int:
    """Answer a run that asks whether it may go on."""
    from detectors.events import Answer

    if go is None:
        raise Mistake("answer: say --go to let the run go on, or --stop to halt it")
    word = _word(Answer, run, go=go, root=root, attempt=attempt, command_id=command_id, by=by, note=note)
    _tell("answer go" if go else "answer stop", _sent(settings, word, timeout))
    return 0


def _word(kind: type[W], run: str, *, root: str | None, by: str | None, **fields: Any) -> W:
    """The word, under the checks that the worker will make. Raises `Mistake`."""
    from streams.badrecord import BadRecord
    from streams.codec import decode_operator, encode, run_key

    word = kind(run_id=run, root_run_id=root, by=by or _login(), at=round(time.time(), 3), **fields)
    try:
        decode_operator(run_key(word), encode(word))
    except BadRecord as bad:
        from stallwatch.recordings.recorded_line import described

        raise Mistake(f"{described(bad)}; correct the option of that name") from None
    return word


def _login() -> str | None:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        # A container's user may have no name; the word is then nobody's in particular.
        return None


def _sent(settings: Settings, word: "OperatorEvent", timeout: float) -> "Sent":
    import asyncio

    from stallwatch.clients.kafka_errors import kafka_errors
    from stallwatch.persons_word import send

    options = settings.client_options()
    with kafka_errors(options, "nothing was sent"):
        return asyncio.run(send(options, settings.topic_prefix, word, timeout_s=timeout))


def _tell(what: str, sent: "Sent") -> None:
    from stallwatch.terminal_text import printable
    from stallwatch.word_outlook import name_doubt, outlook, root_doubt

    word, latest = sent.word, sent.known.latest
    root = f" (root {word.root_run_id})" if word.root_run_id != word.run_id else ""
    sentence = (
        f"{what} of run {word.run_id}{root} is acknowledged on {sent.topic}, "
        f"partition {sent.partition}, offset {sent.offset}"
    )
    if latest is not None:
        reason = f" for {latest.reason}" if latest.reason else ""
        sentence += f"; the run's latest command was {latest.action}{reason}, version {latest.version}"
    elif sent.looked_up:
        sentence += "; no command of this run is known, so the run was taken as its own root"
    typer.echo(printable(sentence + "."))
    doubt = root_doubt(word, sent.known) or name_doubt(word, sent.known)
    if doubt is not None:
        say(doubt)
        return
    expected = outlook(word, sent.known)
    if expected is not None:
        typer.echo(printable(expected))
