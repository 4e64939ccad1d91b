"""What a run has earned: verified milestones, and the segments of work between them."""

import xxhash

from detectors.events import Reached
from detectors.judge import note_milestone
from detectors.occasion import Occasion
from detectors.outcome import Segment
from detectors.rungs import cleared
from detectors.runs import Life, Spent

MAX_HOST_EVENTS = 64
MAX_EARNED = 32
MAX_EARNED_CHARS = 1024
"""Both bound what a command lists; the oldest go first."""


def reach(occasion: Occasion, milestone: str, seq: int) -> bool:
    """The milestone is earned at `seq`, its segment closed, the run cleared. False if it was no news.

    The same id again is a milestone only if something new was seen in between: a suite that a stuck agent
    runs green once more was reached before. One from before the open episode is earned but excuses nothing.
    """
    life = occasion.life
    known = next((r for r in life.earned if r.id == milestone), None)
    if known is not None:
        if seq <= known.seq or life.news_seq <= known.seq:
            return False
        life.earned.remove(known)
    life.earned.append(Reached(id=milestone, seq=seq))
    _bound(life.earned)
    close_segment(occasion, milestone=True)
    note_milestone(life.memory, milestone, seq)
    life.news_at, life.news_order = occasion.at, occasion.root.events
    if life.stall is None or seq >= life.stall.seq_from:
        cleared(occasion, why=f"milestone reached: {milestone}")
    return True


def first_time(life: Life, event_id: str) -> bool:
    """Whether the host's event is new: the last 64 ids are known, by digest."""
    key = xxhash.xxh3_64_intdigest(event_id.encode("utf-8", "surrogatepass"))
    if key in life.host_events:
        return False
    life.host_events.append(key)
    del life.host_events[:-MAX_HOST_EVENTS]
    return True


def close_segment(occasion: Occasion, *, milestone: bool) -> None:
    """The steps since the last milestone are a closed segment in the outcome; an empty one is none."""
    spent = occasion.life.segment
    occasion.life.segment = Spent()
    if spent.steps:
        occasion.out.segments.append(
            Segment(steps=spent.steps, tokens=spent.tokens, cost_usd=spent.cost_usd, milestone=milestone)
        )


def spend(life: Life, tokens: int | None, cost_usd: float | None) -> None:
    """One more step in every account that is open. Totals stay finite and exact in JSON."""
    # NaN and negative amounts are no data.
    cost = cost_usd if cost_usd is not None and cost_usd > 0 else 0.0
    stall = life.stall
    for account in (life.segment, life.dry):
        account.steps += 1
        if tokens:
            account.tokens = min(account.tokens + tokens, _MOST)
        if cost:
            account.cost_usd = min(account.cost_usd + cost, float(_MOST))
    if stall is not None:
        stall.seq_to = life.last_seq
        stall.tokens = min(stall.tokens + (tokens or 0), _MOST)
        stall.cost_usd = min(stall.cost_usd + cost, float(_MOST))


_MOST = 2**53


def _bound(earned: list[Reached]) -> None:
    del earned[:-MAX_EARNED]
    while len(earned) > 1 and sum(len(reached.id) for reached in earned) > MAX_EARNED_CHARS:
        del earned[0]
