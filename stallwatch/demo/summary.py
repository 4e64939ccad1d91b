"""The demo's result in words."""

import textwrap
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from stallwatch.demo.handed_down import explain_command, worker_command
from stallwatch.demo.report import Report, RunReport
from stallwatch.demo.rules_file import rules_place
from stallwatch.terminal_text import counted
from streams.settings import Settings
from streams.settings_table import BY_NAME

MIN_TEXT = 20
"""Columns that a sentence gets at least, whatever stands before it."""


class Line(NamedTuple):
    """One line, and how deep its continuations are indented where it has to be wrapped."""

    text: str
    indent: int = 2
    whole: bool = False
    """To be copied, so never wrapped."""


def summary(result: Report, *, settings: Settings | None = None, keep: bool = False) -> Iterator[Line]:
    """Plain lines. `settings`: of the installation that was visited; `keep`: broker and worker stay up."""
    if not result.judged and settings is not None:
        yield from _unjudged(result, settings)
        return
    yield from _counts(result)
    yield Line("")
    yield from _runs(result)
    yield Line("")
    yield from _saved(result)
    if result.metrics_url:
        yield Line(f"Metrics {'are' if keep else 'were'} served at {result.metrics_url}")
    yield from _surprises(result, settings)
    yield from _next(result, settings, keep=keep)


def wrapped(lines: Iterable[Line], width: int | None) -> Iterator[str]:
    """The lines as text of at most `width` columns, words kept whole; None: as they are."""
    for line in lines:
        if width is None or line.whole or len(line.text) <= width:
            yield line.text
        else:
            yield from textwrap.wrap(
                line.text,
                width,
                subsequent_indent=" " * min(line.indent, max(width - MIN_TEXT, 0)),
                break_long_words=False,
                break_on_hyphens=False,
                # The indent of the first line is its own.
                drop_whitespace=True,
                replace_whitespace=False,
            )


def _unjudged(result: Report, settings: Settings) -> Iterator[Line]:
    yield Line(
        f"NOT AS EXPECTED: in {result.seconds:.0f} s no verdict and no command came for any of the "
        f"{len(result.runs)} agents at {settings.bootstrap_servers}. Is a worker running there with topic prefix "
        f"{settings.topic_prefix!r}, and by the demo's rules? This starts one:"
    )
    yield Line(f"  {worker_command(settings, rules_place())}", whole=True)
    yield from _undelivered(result)


def _counts(result: Report) -> Iterator[Line]:
    healthy = [run for run in result.runs if run.healthy]
    stuck = [run for run in result.runs if not run.healthy]
    yield Line(
        f"{sum(run.as_expected for run in healthy)} of {len(healthy)} healthy agents finished undisturbed, "
        f"{sum(run.as_expected for run in stuck)} of {len(stuck)} stuck ones were halted, in {result.seconds:.0f} s"
    )


def _runs(result: Report) -> Iterator[Line]:
    width = max(len(run.run_id) for run in result.runs)
    indent = width + 4
    finished = [run for run in result.runs if run.ending == "finished"]
    if finished:
        yield Line("Finished:")
    for run in finished:
        yield Line(f"  {run.run_id:<{width}}  {counted(run.steps, 'step')}; {_earned(run)}", indent)
    halted = [run for run in result.runs if run.ending == "halted"]
    if halted:
        yield Line("Halted:")
    for run in halted:
        yield Line(
            f"  {run.run_id:<{width}}  step {run.steps} of {run.limit}, {run.reason}: {run.why}", indent
        )
        yield Line(f"  {'':<{width}}  kept: {_earned(run)}; its process ended {run.stopped_how}", indent)


def _saved(result: Report) -> Iterator[Line]:
    if not result.halted:
        return
    yield Line(
        f"Saved: {counted(result.steps_saved, 'step')} and about {counted(result.tokens_saved, 'token')} "
        "against letting the halted ones run to their limit (a token counts as 4 characters);"
    )
    yield Line(
        f"  {counted(result.milestones_kept, 'verified milestone')} of theirs kept, and named in the halts"
    )


def _surprises(result: Report, settings: Settings | None) -> Iterator[Line]:
    for run in result.runs:
        if not run.as_expected:
            yield Line(f"NOT AS EXPECTED: {run.run_id} ({run.about}) {_instead(run)}")
    if settings is not None and not result.ok:
        yield Line(
            "By other rules than the demo's some need more steps than their limit: does the worker there run "
            f"with --rules {rules_place()}?"
        )
    yield from _undelivered(result)


def _undelivered(result: Report) -> Iterator[Line]:
    for run in result.runs:
        if run.undelivered:
            yield Line(f"{run.run_id}: {counted(run.undelivered, 'event')} did not reach the broker")


def _next(result: Report, settings: Settings | None, *, keep: bool) -> Iterator[Line]:
    run_id = next((run.run_id for run in result.runs if run.ending == "halted"), result.runs[0].run_id)
    if keep:
        brokers = result.bootstrap_servers
        variable = BY_NAME["bootstrap_servers"].variable
        told = explain_command(run_id, Settings(bootstrap_servers=brokers), **{variable: brokers})
        yield Line(f"Worker and broker ({brokers}) stay up; Ctrl-C ends them. Meanwhile, in another shell:")
        yield Line(f"  curl -s {result.metrics_url} | grep ^stallwatch_", whole=True)
        yield Line(f"  export {variable}={brokers}", whole=True)
        yield Line(f"  {told}", whole=True)
    elif settings is not None:
        yield Line("The story of one of them, told by the topics:")
        yield Line(f"  {explain_command(run_id, settings)}", whole=True)
    else:
        yield Line("With --keep all stays up, and `stallwatch explain RUN` tells the story of a run.")
    yield Line("How each reason is found, and what it cannot see: docs/detection.md")


def _earned(run: RunReport) -> str:
    return ", ".join(run.milestones) or "no milestone"


def _instead(run: RunReport) -> str:
    wanted = "should have finished" if run.healthy else "should have been halted"
    came = f"was halted ({run.reason})" if run.ending == "halted" else f"is {run.ending}"
    return f"{wanted} and {came}, after {counted(run.steps, 'step')}"
