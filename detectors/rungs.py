"""What a judgement makes of a run: its rung, and the change, command and episode that come with a new one."""

from copy import copy
from typing import Literal

from detectors import episodes
from detectors.commands import publish
from detectors.events import Change, Evidence, HaltMode
from detectors.family import carried
from detectors.judge import Judgement
from detectors.ladder import clear, climb, feedback_delivered
from detectors.occasion import Occasion, complete
from detectors.runs import Life

ASK, HALT = 3, 4
_NAMES: tuple[Literal["clear", "notice", "replan", "ask", "halt"], ...] = (
    "clear",
    "notice",
    "replan",
    "ask",
    "halt",
)
_COMMANDS: tuple[Literal["notice", "replan", "ask", "halt"], ...] = ("notice", "replan", "ask", "halt")


def judged(occasion: Occasion, seen: Judgement, *, assume_delivery: bool) -> None:
    """The run stands where the judgement puts it. A halted run stays where it is.

    The rung does not rise while a sub-agent brings news, nor above `ask` in mode advise. Feedback that was
    delivered counts from the next round on.
    """
    life = occasion.life
    if life.halted:
        return
    if life.delivered and seen.new_round:
        feedback_delivered(life.ladder)
        life.delivered = False
    before = life.ladder.rung
    if not before and not seen.findings and life.stall is None:
        climb(life.ladder, seen, occasion.rules)  # counts the round, and leads nowhere
        return
    held = copy(life.ladder) if seen.findings and _may_not_rise(occasion, before) else None
    rung = climb(life.ladder, seen, occasion.rules)
    if held is not None and rung > before:
        life.ladder, rung = held, before
    if rung > before:
        _up(occasion, seen, rung, assume_delivery=assume_delivery)
    elif rung < before:
        if rung == 0:
            forget_feedback(life)
        changed(occasion, rung, reason=seen.reason or _reason(occasion), seen=seen)
        life.asked_at = None
    episodes.follow(occasion, seen, rung)


def _may_not_rise(occasion: Occasion, rung: int) -> bool:
    capped = rung >= ASK and occasion.rules.mode == "advise"
    return capped or carried(occasion.root, occasion.run, occasion.at)


def _up(occasion: Occasion, seen: Judgement, rung: int, *, assume_delivery: bool) -> None:
    mode = occasion.rules.mode
    if mode != "observe":
        publish(
            occasion,
            _COMMANDS[rung - 1],
            rung=rung,
            reason=seen.reason,
            people=seen.people,
            model=seen.model,
            evidence=seen.evidence,
            lost=seen.lost[: episodes.MAX_LOST],
        )
    if assume_delivery or mode == "observe":
        # In observe nobody is told, so nobody can acknowledge: what would have happened is what is measured.
        occasion.life.delivered = True
    changed(occasion, rung, reason=seen.reason, seen=seen)


def halt(
    occasion: Occasion,
    *,
    reason: str,
    people: str,
    model: str,
    evidence: Evidence | None,
    mode: HaltMode = "graceful",
) -> None:
    """The run is halted whatever its rung is: by a person, an unanswered question, or the classic guard."""
    life = occasion.life
    opened = life.stall is None
    stall = episodes.begin(occasion, reason) if life.stall is None else life.stall
    stall.rung, stall.seq_to, stall.told_at = HALT, life.last_seq, life.steps
    stall.reason, stall.people, stall.model = reason, people[: episodes.MAX_TEXT], model[: episodes.MAX_TEXT]
    stall.evidence = evidence if evidence is not None else stall.evidence
    life.ladder.rung = HALT
    publish(
        occasion,
        "halt",
        rung=HALT,
        reason=reason,
        people=people,
        model=model,
        evidence=stall.evidence,
        lost=stall.lost,
        mode=mode,
    )
    changed(occasion, HALT, reason=reason)
    episodes.tell(occasion, stall, "opened" if opened else "updated")


def cleared(occasion: Occasion, *, why: str) -> None:
    """The run stands at rung 0 as new, its episode is closed. A halted run stays halted."""
    life = occasion.life
    if life.halted:
        return
    before = life.ladder.rung
    clear(life.ladder)
    life.asked_at = None
    forget_feedback(life)
    if before > 0:
        changed(occasion, 0, reason=_reason(occasion), text=why)
    episodes.close(occasion, why=why)


def changed(
    occasion: Occasion, rung: int, *, reason: str, seen: Judgement | None = None, text: str | None = None
) -> None:
    """The change of rung is in the outcome."""
    run, life = occasion.run, occasion.life
    stall = life.stall
    evidence = seen.evidence if seen is not None else stall.evidence if stall is not None else None
    if text is None:
        text = seen.people if seen is not None else stall.people if stall is not None else ""
    kind = seen.remedy if seen is not None else stall.remedy if stall is not None else "unclear"
    occasion.out.changes.append(
        Change(
            run_id=run.run_id,
            attempt=run.attempt,
            seq=life.last_seq,
            step=life.steps,
            rung=rung,
            action=_NAMES[rung],
            reason=reason,
            kind=kind,
            text=text,
            evidence=complete(evidence, occasion),
        )
    )


def forget_feedback(life: Life) -> None:
    """The episode is over: what was said in it is no feedback of the next one."""
    life.delivered = False
    life.feedback = []


def _reason(occasion: Occasion) -> str:
    stall = occasion.life.stall
    return stall.reason if stall is not None else ""
