"""What passes without an event: silence, an unanswered question, the end of a retention."""

from collections.abc import Iterator

from msgspec.structs import replace

from detectors import episodes
from detectors.acks import settled
from detectors.commands import publish
from detectors.lifecycle import GRACE_S, drop, end
from detectors.occasion import Occasion
from detectors.rules import Rules
from detectors.rungs import halt
from detectors.runs import RunState


def pass_time(occasion: Occasion, heard: float | None) -> None:
    """Everything of this run whose time has come by `occasion.at` is in the state and in the outcome.

    `heard`: when the run or one below it was last heard of (`family.last_signs`).
    """
    run, now = occasion.run, occasion.at
    assert now is not None
    if run.life is not None:
        if _passed(_answer_due(run, occasion.rules), now):
            _no_answer(occasion)
        if _passed(_silence_due(run, occasion.rules, heard), now):
            _silent(occasion)
        if _passed(_abandoned_due(run, occasion.rules, heard), now):
            end(occasion, why="nothing was heard of the run for the time that it is kept")
            run.closed_at = now
        return
    if _passed(_tombstone_due(run), now) and run.last is not None:
        run.tombstoned = True
        occasion.out.expired.append((run.run_id, run.last.version))
    if _passed(_forgotten_due(run, occasion.rules), now):
        drop(occasion.root, run, occasion.out)


def deadlines(run: RunState, rules: Rules, heard: float | None) -> Iterator[float]:
    """Times at which `pass_time` has something to do for this run. Seconds, in no order."""
    if run.life is not None:
        found = (
            _answer_due(run, rules),
            _silence_due(run, rules, heard),
            _abandoned_due(run, rules, heard),
        )
        yield from (due for due in found if due is not None)
        return
    yield from (due for due in (_tombstone_due(run), _forgotten_due(run, rules)) if due is not None)


def _passed(due: float | None, now: float) -> bool:
    return due is not None and now >= due


def _answer_due(run: RunState, rules: Rules) -> float | None:
    life = run.life
    if life is None or life.asked_at is None or life.halted or rules.on_ask_timeout != "halt":
        return None
    return life.asked_at + rules.ask_timeout_s if rules.mode == "enforce" else None


def _silence_due(run: RunState, rules: Rules, heard: float | None) -> float | None:
    """A halted run is expected to be silent, and so is one that waits for an answer."""
    if run.life is None or run.life.halted or run.life.silent or run.life.asked_at is not None:
        return None
    return heard + rules.silence_s if heard is not None else None


def _abandoned_due(run: RunState, rules: Rules, heard: float | None) -> float | None:
    """A run that never said it ended."""
    return heard + max(rules.retention_s, rules.silence_s) if heard is not None else None


def _tombstone_due(run: RunState) -> float | None:
    if run.closed_at is None or run.last is None or run.tombstoned or not settled(run):
        return None
    return run.closed_at + GRACE_S


def _forgotten_due(run: RunState, rules: Rules) -> float | None:
    since = run.closed_at if run.closed_at is not None else run.last_at
    return since + max(rules.retention_s, GRACE_S) if since is not None else None


def _no_answer(occasion: Occasion) -> None:
    stall = occasion.life.stall
    said = f": {stall.people}" if stall is not None and stall.people else ""
    halt(
        occasion,
        reason=stall.reason if stall is not None else "",
        people=f"nobody answered within {occasion.rules.ask_timeout_s:g} s{said}"[: episodes.MAX_TEXT],
        model="nobody answered the question about this run; stop here, the work so far is kept",
        evidence=None,
    )


def _silent(occasion: Occasion) -> None:
    """People are told once. The rung stays, an open stall keeps its reason and its command."""
    life = occasion.life
    life.silent = True
    occasion.out.signals.append("silence")
    text = f"no event for {occasion.rules.silence_s:g} s"
    if life.stall is not None:
        silent = replace(life.stall, reason="silence", shares={}, remedy="unclear", people=text)
        episodes.tell(occasion, silent, "updated")
        return
    stall = episodes.begin(occasion, "silence")
    stall.people = text
    episodes.tell(occasion, stall, "opened")
    if occasion.rules.mode != "observe":
        publish(
            occasion,
            "notice",
            rung=1,
            reason="silence",
            people=text,
            model="nothing was heard of this run; report where it stands",
            evidence=None,
        )


def heard_again(occasion: Occasion) -> None:
    """An event came: the silence is over, and so is the episode that it opened."""
    life = occasion.life
    if not life.silent:
        return
    life.silent = False
    if life.stall is not None and life.stall.rung == 0:
        episodes.close(occasion, why="the run was heard of again")
