"""What came of it: the demo's result, as a value."""

import msgspec

from stallwatch.demo.board import Board, Row


class RunReport(msgspec.Struct, frozen=True, kw_only=True):
    """One run's end."""

    run_id: str
    about: str
    healthy: bool
    """Whether it was meant to finish; otherwise it was meant to be halted."""
    ending: str
    steps: int
    limit: int
    """Steps that its host would have let it make."""
    tokens: int
    """Estimated, four characters each."""
    milestones: list[str]
    as_expected: bool
    reason: str = ""
    why: str = ""
    stopped_how: str | None = None
    steps_saved: int = 0
    tokens_saved: int = 0
    """Estimated: the steps saved, at the mean of its steps since the last milestone."""
    undelivered: int = 0


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The whole demo's end."""

    ok: bool
    """Every healthy run finished without a halt, and every stuck one was halted."""
    seconds: float
    finished: int
    halted: int
    milestones_kept: int
    """Of the halted runs, as the halt commands list them."""
    steps_saved: int
    tokens_saved: int
    metrics_url: str
    """Of the worker; empty where it is not known."""
    bootstrap_servers: str
    judged: bool
    """Whether any verdict or command about one of the runs came."""
    runs: list[RunReport]


def report(board: Board, *, seconds: float, metrics_url: str, bootstrap_servers: str) -> Report:
    """The result as of now."""
    runs = [_run(row) for row in board.rows.values()]
    return Report(
        ok=all(run.as_expected for run in runs),
        seconds=round(seconds, 1),
        finished=sum(run.ending == "finished" for run in runs),
        halted=sum(run.ending == "halted" for run in runs),
        milestones_kept=sum(
            len(row.halt.milestones) for row in board.rows.values() if row.halt and row.status == "halted"
        ),
        steps_saved=sum(run.steps_saved for run in runs),
        tokens_saved=sum(run.tokens_saved for run in runs),
        metrics_url=metrics_url,
        bootstrap_servers=bootstrap_servers,
        judged=board.judged_at_all,
        runs=runs,
    )


def _run(row: Row) -> RunReport:
    halted = row.status == "halted" and row.halt is not None
    expected = halted if not row.behaviour.healthy else row.status == "finished" and row.halt is None
    saved = max(row.behaviour.limit - row.steps, 0) if halted else 0
    recent = row.steps_since_milestone or row.steps
    tokens = row.tokens_since_milestone if row.steps_since_milestone else row.tokens
    return RunReport(
        run_id=row.run_id,
        about=row.behaviour.about,
        healthy=row.behaviour.healthy,
        ending=row.status,
        steps=row.steps,
        limit=row.behaviour.limit,
        tokens=row.tokens,
        milestones=[m.id for m in row.halt.milestones] if halted and row.halt else list(row.milestones),
        as_expected=expected,
        reason=row.reason if halted else "",
        why=row.why if halted else "",
        stopped_how=row.stopped_how,
        steps_saved=saved,
        tokens_saved=saved * tokens // recent if recent else 0,
        undelivered=row.undelivered,
    )
