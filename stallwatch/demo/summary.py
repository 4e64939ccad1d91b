"""The demo's result in words."""

from collections.abc import Iterator

from stallwatch.demo.report import Report, RunReport
from stallwatch.terminal_text import counted


def summary(result: Report) -> Iterator[str]:
    """Plain lines."""
    healthy = [run for run in result.runs if run.healthy]
    stuck = [run for run in result.runs if not run.healthy]
    yield (
        f"{sum(run.as_expected for run in healthy)} of {len(healthy)} healthy agents finished undisturbed, "
        f"{sum(run.as_expected for run in stuck)} of {len(stuck)} stuck ones were halted, in {result.seconds:.0f} s"
    )
    yield ""
    width = max(len(run.run_id) for run in result.runs)
    for title, runs in (("Finished", "finished"), ("Halted", "halted")):
        chosen = [run for run in result.runs if run.ending == runs]
        if chosen:
            yield f"{title}:"
        for run in chosen:
            yield f"  {run.run_id:<{width}}  {_finished(run) if runs == 'finished' else _halted(run)}"
    yield ""
    if result.halted:
        yield (
            f"Saved: {counted(result.steps_saved, 'step')} and about {counted(result.tokens_saved, 'token')} "
            "against letting the halted ones run to their limit (a token counts as 4 characters);"
        )
        yield f"  {counted(result.milestones_kept, 'verified milestone')} of theirs kept, and named in the halts"
    if result.metrics_url:
        yield f"Metrics were served at {result.metrics_url}"
    for run in result.runs:
        if not run.as_expected:
            yield f"NOT AS EXPECTED: {run.run_id} ({run.about}) {_instead(run)}"
        if run.undelivered:
            yield f"{run.run_id}: {counted(run.undelivered, 'event')} did not reach the broker"


def _finished(run: RunReport) -> str:
    return f"{counted(run.steps, 'step')}, {_earned(run)}"


def _halted(run: RunReport) -> str:
    why = run.why.rstrip(".")
    return f"step {run.steps} of {run.limit} ({run.reason}): {why}; {_earned(run)}; stopped {run.stopped_how}"


def _earned(run: RunReport) -> str:
    return ", ".join(run.milestones) or "no milestone"


def _instead(run: RunReport) -> str:
    wanted = "should have finished" if run.healthy else "should have been halted"
    came = f"was halted ({run.reason})" if run.ending == "halted" else f"is {run.ending}"
    return f"{wanted} and {came}, after {counted(run.steps, 'step')}"
