"""What a run looks like after a call: findings, evidence and words out of the memory."""

from functools import lru_cache
from typing import Literal

import msgspec

from detectors import dryness as dry
from detectors.canonical import short, text_bytes
from detectors.catalog import BY_CODE, CODES, INDEX, Family, Right
from detectors.events import Evidence, Lost, Step
from detectors.look import Look
from detectors.memory import LINES, Memory, last_fault
from detectors.rules import Rules
from detectors.signals import budget, milestone_gap, oscillation
from detectors.wording import own_lines, sentences

_SAY_AGAIN = 8
_DRY = 0.5
"""Weight from which a round counts as dry."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One signal's finding at a step."""

    reason: str
    """A code of `detectors.catalog`."""
    strength: float
    """0 … 1.5, its part of the dryness or the equivalent."""
    right: Right
    """How far it may lead on its own: a warning, a question, or (with a second family) a halt."""
    family: Family


class Judgement(msgspec.Struct):
    """What a run looks like after an event."""

    new_round: bool = True
    """The event opened a round (otherwise it belongs to the round before, whose weight was recomputed)."""
    dryness: float = 0.0
    weight: float = -1.0
    """Of the present round; negative while it is neutral."""
    findings: list[Finding] = []
    """Strongest first."""
    reason: str = ""
    """The primary reason code, empty without findings."""
    shares: dict[str, float] = {}
    families: dict[str, float] = {}
    """Family of evidence → its mass in the dryness."""
    remedy: Literal["amnesia", "no_gradient", "unclear"] = "unclear"
    people: str = ""
    """One plain sentence: what was seen."""
    model: str = ""
    """What would count as progress; the advice fits the kind."""
    lost: list[Lost] = []
    evidence: Evidence | None = None
    """None without findings."""
    since_news: int = 0
    since_milestone: int = 0
    loop: int = 0
    """Identity of the loop: hash of what it keeps coming back to."""
    limit: bool = False
    """A budget of the run is used up."""
    at_most: Right = "halt"
    """How far the evidence may lead at all."""


def conclude(memory: Memory, step: Step, seen: Look, rules: Rules, *, new_round: bool) -> Judgement:
    """What the run looks like after this call; evidence and words only with a finding. O(number of reasons)."""
    out = Judgement(new_round, dry.dryness(memory), memory.weight)
    out.since_news = memory.since_news
    out.since_milestone = memory.since_milestone
    cycle = 0
    if memory.weight >= _DRY or out.dryness >= rules.signals.milestone_gap.dryness:
        out.families = dry.families(memory)
        out.shares = dry.shares(memory)
        cycle = oscillation.period(memory.ring, rules.signals.oscillation)
        if cycle and memory.weight >= _DRY:
            out.shares = _as_cycle(out.shares)
    _find(out, memory, seen, rules)
    if not out.findings:
        return out
    out.reason = out.findings[0].reason
    out.remedy = _remedy(memory)
    out.lost = [Lost(answer=answer) for answer in memory.lost.values()] if out.remedy == "amnesia" else []
    out.evidence = evidence = _evidence(memory, step, seen, rules, out, cycle)
    out.loop = short(text_bytes(out.reason + (memory.cause or "".join(sorted(set(memory.answers[-3:]))))))
    fault = last_fault(memory)
    out.people, out.model = sentences(
        out.reason,
        evidence,
        out.remedy,
        since=memory.dry_step or memory.steps,
        one_call=fault is not None and fault.one_call and fault.count > 1,
    )
    _know_own_words(memory, out)
    return out


def _know_own_words(memory: Memory, out: Judgement) -> None:
    """What the agent may be told now is known when it comes back; the same words need no second look for a while."""
    said = INDEX[out.reason] + 1
    if memory.said != said or memory.steps - memory.said_at >= _SAY_AGAIN:
        memory.said, memory.said_at = said, memory.steps
        memory.lines.add(LINES, own_lines(out.people, out.model))


def _find(out: Judgement, memory: Memory, seen: Look, rules: Rules) -> None:
    """The findings at this step, strongest first, and how far they may lead."""
    notice = rules.ladder.notice.level
    found: list[Finding] = []
    if out.dryness >= notice:
        for code, share in out.shares.items():
            reason = BY_CODE[code]
            strength = share * out.dryness
            if strength >= 0.05:
                found.append(
                    Finding(reason=code, strength=strength, right=reason.right, family=reason.family)
                )
    if memory.milestones and milestone_gap.beyond(memory, out.dryness, rules.signals.milestone_gap):
        found.append(
            Finding(reason="milestone_gap", strength=out.dryness / 2, right="ask", family="milestones")
        )
        out.families["milestones"] = out.families.get("milestones", 0.0) + out.dryness
    if memory.waited_from is not None and memory.ts is not None and seen.same:
        waited = memory.ts - memory.waited_from
        if waited >= rules.signals.idle_wait.limit_s:
            found.append(Finding(reason="idle_wait", strength=notice, right="ask", family="time"))
    used = budget.used(memory, rules.limits)
    if used >= rules.limits.warn_at:
        out.limit = used >= 1.0
        found.append(Finding(reason="budget", strength=0.01, right="warn", family="limits"))
    if not found:
        out.at_most = "ask"
        return
    if len(found) > 1:
        found.sort(key=_strength)
    out.findings = found
    soft = out.shares.get("no_progress", 0.0) + out.shares.get("milestone_gap", 0.0)
    unclocked = out.shares.get("idle_wait", 0.0) if memory.no_clock else 0.0
    if soft > 0.5 or unclocked > 0.3 or all(f.right != "halt" for f in found):
        out.at_most = "ask"


def _strength(finding: Finding) -> float:
    return -finding.strength


def _as_cycle(shares: dict[str, float]) -> dict[str, float]:
    """A cycle takes the name for what repeats in it; failures and writes keep theirs."""
    cycled = shares.get("exact_repeat", 0.0) + shares.get("no_news", 0.0) + shares.get("rereading", 0.0)
    rest = {c: s for c, s in shares.items() if c not in {"exact_repeat", "no_news", "rereading"}}
    if cycled:
        rest["oscillation"] = round(cycled + rest.get("oscillation", 0.0), 3)
    return dict(sorted(rest.items(), key=_largest)) if len(rest) > 1 else rest


def _largest(item: tuple[str, float]) -> tuple[float, int]:
    return -item[1], CODES.index(item[0])


def _remedy(memory: Memory) -> Literal["amnesia", "no_gradient", "unclear"]:
    if memory.reread >= 0.3 and memory.reread >= memory.varied:
        return "amnesia"
    return "no_gradient" if memory.varied >= 0.4 else "unclear"


def _evidence(memory: Memory, step: Step, seen: Look, rules: Rules, out: Judgement, cycle: int) -> Evidence:
    f = seen.features
    repeats = 0
    if seen.before is not None:
        entry = memory.calls.get(seen.call)
        repeats = entry.repeats + entry.rechecks + 1 if entry is not None and seen.same else 1
    known = 1 - (seen.unseen + seen.unseen_forms) / len(f.lines) if f.lines else None
    waited = None
    if memory.waited_from is not None and memory.ts is not None:
        waited = max(0.0, memory.ts - memory.waited_from)
    return Evidence(
        rules=rules.label,
        seq_from=memory.dry_from,
        seq_to=step.seq,
        steps=memory.steps,
        rounds=memory.rounds,
        steps_since_news=memory.since_news,
        steps_since_milestone=memory.since_milestone,
        dryness=round(out.dryness, 4),
        repeats=repeats,
        period=cycle,
        shares=dict(out.shares),
        tools=_frequent(memory.failing if out.reason == "same_error" else memory.tools),
        calls=_frequent(memory.leading),
        answers=_frequent(memory.answers),
        cause=memory.cause or None,
        errors=memory.errors,
        known_lines_ratio=None if known is None else round(max(0.0, known), 3),
        waited_s=waited,
        best_score=memory.best,
        scores=list(memory.scores),
        rounds_since_best=memory.scored,
        no_clock=memory.no_clock,
    )


def _frequent(items: list[str]) -> list[str]:
    """Each once, the most frequent first, of equally frequent ones the older."""
    return list(_ranked(tuple(items)))


@lru_cache(maxsize=256)
def _ranked(items: tuple[str, ...]) -> tuple[str, ...]:
    """A stall that goes round has the same few lists again and again."""
    distinct = list(dict.fromkeys(items))
    if 1 < len(distinct) < len(items):
        distinct.sort(key=items.count, reverse=True)
    return tuple(distinct[:8])
