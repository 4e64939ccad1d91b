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
    finished = [run for run in result.runs if run.ending == "finished"]
    if finished:
        yield "Finished:"
    for run in finished:
        yield f"  {run.run_id:<{width}}  {counted(run.steps, 'step')}; {_earned(run)}"
    halted = [run for run in result.runs if run.ending == "halted"]
    if halted:
        yield "Halted:"
    for run in halted:
        yield f"  {run.run_id:<{width}}  step {run.steps} of {run.limit}, {run.reason}: {run.why}"
        yield f"  {'':<{width}}  kept: {_earned(run)}; its process ended {run.stopped_how}"
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


def _earned(run: RunReport) -> str:
    return ", ".join(run.milestones) or "no milestone"


def _instead(run: RunReport) -> str:
    wanted = "should have finished" if run.healthy else "should have been halted"
    came = f"was halted ({run.reason})" if run.ending == "halted" else f"is {run.ending}"
    return f"{wanted} and {came}, after {counted(run.steps, 'step')}"
