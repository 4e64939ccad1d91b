"""`stallwatch replay`."""

# Imports inside the command keep `stallwatch --help` fast.
# ruff: noqa: PLC0415

from typing import Annotated

import typer


def replay(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Recorded events as JSON Lines, plain or gzip; - reads standard input. "
            "Several files are read one after the other as one recording.",
            show_default=False,
        ),
    ],
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per change of rung, in input order.")
    ] = False,
    summary: Annotated[
        bool,
        typer.Option("--summary", help="Add one closing line per run, also for runs that stayed clear."),
    ] = False,
    rules: Annotated[
        str,
        typer.Option(
            "--rules",
            metavar="FILE|PROFILE",
            help="Judge by this rule file, or by a built-in profile: default or classic.",
        ),
    ] = "default",
    skip_bad: Annotated[
        bool,
        typer.Option("--skip-bad", help="Count lines that cannot be read and go on, instead of ending."),
    ] = False,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            metavar="N",
            min=1,
            max=64,
            help="Judge in N processes, from the first line. Without it, one process judges the first 4,000 "
            "lines, and one per usable core (at most 8) what comes after them. The output is the same.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Judge recorded runs with the worker's own engine, without a broker.

    The input holds what the steps topic holds (step, run_started, run_ended, compaction, user_input,
    milestone, score); lines of the operator topic (release, answer, halt) may stand among them. Feedback
    counts as delivered at the next round, and deadlines that need a clock are left out. The exit code is 0
    for readable input, whatever was found.
    """
    from stallwatch.cli.rules_source import load_rules
    from stallwatch.recordings.jobs import jobs_for
    from stallwatch.recordings.replay_output import JsonOutput, TableOutput
    from stallwatch.recordings.replay_run import replay_files

    output = (JsonOutput if json else TableOutput)(summary=summary)
    replay_files(files, load_rules(rules), output, skip_bad=skip_bad, jobs=jobs_for(jobs))
    return 0
