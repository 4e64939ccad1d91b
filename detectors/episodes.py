"""Episodes: one open stall of a run, opened, updated and closed. One alarm, not forty."""

from typing import Literal

import xxhash

from detectors.events import Verdict
from detectors.judge import Judgement
from detectors.occasion import Occasion, complete
from detectors.runs import Stall

UPDATE_EVERY = 8
"""Steps between two updates that only report another primary reason."""
MAX_TEXT = 500
"""Characters kept of a sentence."""
RUN_ENDED = "the run ended"
"""How the text of a closing verdict begins where the run's own end closed the episode."""
MAX_LOST = 8
"""Facts that a command gives back."""


def episode_id(run_id: str, attempt: int, number: int) -> str:
    """Deterministic, 32 hex; `number` counts the attempt's episodes from 1."""
    key = f"{run_id}\x00{attempt}\x00episode\x00{number}"
    return xxhash.xxh3_128_hexdigest(key.encode("utf-8", "surrogatepass"))


def follow(occasion: Occasion, seen: Judgement, rung: int) -> None:
    """The episode is what the judgement says: opened above rung 0, updated, closed at rung 0."""
    life = occasion.life
    stall = life.stall
    if rung == 0:
        if stall is not None:
            close(occasion, why="the signs of the stall are gone")
        return
    event: Literal["opened", "updated"] = "updated"
    if stall is None:
        event = "opened"
        stall = begin(occasion, seen.reason)
    elif rung == stall.rung and not _worth_telling(stall, seen.reason, life.steps):
        _note(occasion, stall, seen)
        return
    stall.rung = rung
    stall.told_at = life.steps
    _note(occasion, stall, seen, told=True)
    tell(occasion, stall, event)


def begin(occasion: Occasion, reason: str) -> Stall:
    """A new episode is open; it reaches back to the step after the last news."""
    life = occasion.life
    life.stalls += 1
    key = episode_id(occasion.run.run_id, occasion.run.attempt, life.stalls)
    life.stall = Stall(key, reason, min(life.news_seq + 1, life.last_seq), life.last_seq, life.steps)
    life.stall.tokens = life.dry.tokens
    life.stall.cost_usd = life.dry.cost_usd
    return life.stall


def close(occasion: Occasion, *, why: str) -> None:
    """The open episode is closed and told, `why` as the verdict's text; nothing happens without one."""
    stall = occasion.life.stall
    if stall is None:
        return
    occasion.life.stall = None
    stall.rung, stall.people = 0, why[:MAX_TEXT]
    tell(occasion, stall, "closed")


def tell(occasion: Occasion, stall: Stall, event: Literal["opened", "updated", "closed"]) -> None:
    """A verdict about the episode is in the outcome."""
    occasion.out.verdicts.append(
        Verdict(
            episode_id=stall.episode_id,
            run_id=occasion.run.run_id,
            root_run_id=occasion.root.root_id,
            attempt=occasion.run.attempt,
            event=event,
            reason=stall.reason,
            shares=dict(stall.shares),
            rung=stall.rung,
            evidence=complete(stall.evidence, occasion),
            seq_from=stall.seq_from,
            seq_to=stall.seq_to,
            tokens=stall.tokens,
            cost_usd=stall.cost_usd,
            remedy=stall.remedy,
            text=stall.people,
            at=occasion.when,
            rules=occasion.rules.label,
        )
    )


def _worth_telling(stall: Stall, reason: str, steps: int) -> bool:
    return bool(reason) and reason != stall.reason and steps - stall.told_at >= UPDATE_EVERY


def _note(occasion: Occasion, stall: Stall, seen: Judgement, *, told: bool = False) -> None:
    """The episode's latest facts. The reason moves only with a verdict: what is told is what is kept."""
    stall.seq_to = occasion.life.last_seq
    if not seen.findings:
        return
    if told and seen.reason:
        stall.reason = seen.reason
        stall.shares = dict(seen.shares)
        stall.remedy = seen.remedy
        stall.people = seen.people[:MAX_TEXT]
        stall.model = seen.model[:MAX_TEXT]
    stall.lost = seen.lost[:MAX_LOST]
    stall.evidence = seen.evidence
