"""`stallwatch explain`."""

# Imports inside the command keep `stallwatch --help` free of aiokafka; parameters are the options' order.
# ruff: noqa: PLC0415

from typing import TYPE_CHECKING, Annotated

import typer

from stallwatch.cli.ending import say
from stallwatch.cli.run_id import Run, run_id
from stallwatch.cli.setting_options import CONNECTION, with_settings
from stallwatch.mistakes import AnswerIsNoError
from streams.settings import Settings

if TYPE_CHECKING:
    from stallwatch.stories.story import Story


@with_settings(CONNECTION)
def explain(
    settings: Settings,
    run: Run,
    source: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="Judge the recorded steps in this file (JSON Lines, plain or gzip; - reads standard input) "
            "instead of reading the topics. May be given several times.",
            show_default=False,
        ),
    ] = None,
    root: Annotated[
        str | None,
        typer.Option(
            metavar="RUN",
            help="The run's root, if it is known: then only its partition is read.",
            show_default=False,
            callback=run_id,
        ),
    ] = None,
    rules: Annotated[
        str,
        typer.Option(
            metavar="FILE|PROFILE", help="With --from: judge by this rule file or built-in profile."
        ),
    ] = "default",
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="With --from: leave out lines that cannot be read.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the story as one JSON object.")] = False,
    timeout: Annotated[
        float, typer.Option(min=0.5, max=3600, metavar="SECONDS", help="How long to wait for Kafka at most.")
    ] = 30.0,
) -> int:
    """Tell why a run was warned or halted: what was seen, when, what it cost, what was kept, what would help.

    The story comes from the verdicts, control and operator topics, or from recorded steps with --from. The exit code
    is 1 if the topics know nothing of the run.
    """
    if source:
        from stallwatch.cli.rules_source import load_rules
        from stallwatch.stories.explain import story_from_files

        story = story_from_files(source, run, load_rules(rules), skip_bad=skip_bad)
    else:
        story = _from_topics(settings, run, root, timeout)
        if not story.known:
            under = "" if root is None else f" under root {root}"
            other = "" if root is None else ", or its root (leave out --root to look everywhere)"
            raise AnswerIsNoError(
                f"nothing is known of run {run}{under} on {settings.topic_prefix}verdicts and "
                f"{settings.topic_prefix}control: it was never warned, or its id is another{other}"
            )
        if root is not None and story.root_run_id not in (None, root):
            say(f"the root of run {run} is {story.root_run_id}, not {root}")
    _print(story, json=json)
    return 0


def _from_topics(settings: Settings, run: str, root: str | None, timeout: float) -> "Story":
    import asyncio

    from stallwatch.clients.kafka_errors import kafka_errors
    from stallwatch.stories.explain import story_from_topics

    options = settings.client_options()
    with kafka_errors(options, "the story cannot be read"):
        return asyncio.run(
            story_from_topics(options, settings.topic_prefix, run, root=root, timeout_s=timeout)
        )


def _print(story: "Story", *, json: bool) -> None:
    if json:
        import msgspec

        typer.echo(msgspec.json.encode(story))
        return
    from stallwatch.stories.story_text import paragraphs

    typer.echo("\n\n".join("\n".join(lines) for lines in paragraphs(story) if lines))
