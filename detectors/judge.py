"""What each event means for one run: memory in, judgement out. The engine around it knows runs, seqs and commands."""

from typing import Literal

import msgspec

from detectors import dryness as dry
from detectors.canonical import short, text_bytes
from detectors.catalog import BY_CODE, CODES, Family, Right
from detectors.events import Evidence, Limits, Lost, Step
from detectors.feature_types import Features
from detectors.look import Look, Mark
from detectors.memory import AGENTS, LINES, Memory
from detectors.news import learn, look
from detectors.parameters import NoProgress
from detectors.rules import Rules
from detectors.signals import (
    budget,
    exact_repeat,
    idle_wait,
    milestone_gap,
    no_news,
    no_progress,
    oscillation,
    rereading,
    same_error,
    write_churn,
)
from detectors.wording import sentences

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


class Judgement(msgspec.Struct, kw_only=True):
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
    evidence: Evidence = msgspec.field(default_factory=Evidence)
    since_news: int = 0
    since_milestone: int = 0
    loop: int = 0
    """Identity of the loop: hash of what it keeps coming back to."""
    limit: bool = False
    """A budget of the run is used up."""
    at_most: Right = "halt"
    """How far the evidence may lead at all."""


def judge_step(memory: Memory, step: Step, features: Features, rules: Rules, *, gap: int = 0) -> Judgement:
    """The memory includes the step afterwards. `gap`: events that never arrived before it. O(size of features).

    A compaction and a score that the step carries are noted here; its milestone is the engine's to judge.
    """
    if step.compaction:
        note_compaction(memory, None)
    _meet_agent(memory, step)
    new_round = dry.enter(memory, step, rules)
    seen = look(memory, step, features)
    scored = step.score is not None and _finite(step.score)
    if scored and step.score is not None:
        no_progress.sample(memory, step.score, rules.signals.no_progress)
    mark = _weigh(memory, seen, rules, scored=scored)
    news = _is_news(seen, mark)
    learn(memory, step, seen)
    dry.settle(memory, mark, news, rules.dryness.rate)
    _count(memory, step, seen, mark, news=news)
    return _judgement(memory, step, seen, rules, new_round=new_round)


def learn_late(memory: Memory, features: Features) -> None:
    """Lines of a step that came late are in the index; no verdict follows from them."""
    memory.lines.add((*features.shapes, *features.lines), LINES)


def note_milestone(memory: Memory, milestone: str, seq: int) -> None:
    """A verified milestone clears the run: dryness 0, counters from here. `milestone`, `seq`: the engine keeps them."""
    del milestone, seq
    if memory.since_milestone:
        memory.longest_gap = max(memory.longest_gap, memory.since_milestone)
        memory.milestones += 1
    memory.since_milestone = 0
    memory.acted = 0
    memory.wrote = True
    _reset(memory)


def note_score(memory: Memory, value: float | None) -> None:
    """The oracle's sample is known; None, NaN and infinities are no sample."""
    if value is None or not _finite(value):
        memory.scores = [*memory.scores, None][-8:]
        return
    no_progress.sample(memory, value, NoProgress())


def note_compaction(memory: Memory, lost: list[str] | None) -> None:
    """The context was compacted: one pass over the working set is free if the context before earned anything."""
    del lost
    if memory.compacted_at == memory.steps and memory.context:
        return
    memory.compacted_at = memory.steps
    memory.passes = 1 if memory.wrote or memory.context == 0 else 0
    memory.context += 1
    memory.wrote = False


def note_user_input(memory: Memory) -> None:
    """A person spoke: a fresh episode. What was asked before may be asked again."""
    memory.world += 1
    memory.acted = 0
    _reset(memory)


def note_limits(memory: Memory, limits: Limits | None) -> None:
    """The run's own budgets are known."""
    if limits is not None:
        memory.limits = (limits.rounds or 0, limits.tokens or 0, limits.cost_usd or 0.0)


def fresh_baseline(memory: Memory) -> None:
    """A person let the run go on: counted from here, what is known stays known."""
    memory.since_milestone = 0
    memory.scored = 0
    for fault in memory.faults.values():
        fault.count = min(fault.count, 1)
    for call in memory.calls.values():
        call.repeats = 0
        call.rechecks = 0
    _reset(memory)


def _reset(memory: Memory) -> None:
    dry.clear(memory)
    memory.since_news = 0
    memory.varied = memory.reread = 0.0
    memory.leading = []
    memory.answers = []
    memory.tools = []
    memory.errors = 0
    memory.cause = ""
    memory.lost = {}


def _meet_agent(memory: Memory, step: Step) -> None:
    """Another agent of the run has its own memory: what it reads first is no re-reading of the first agent's."""
    if not step.agent:
        return
    agent = short(text_bytes(step.agent))
    if agent not in memory.agents:
        memory.agents = [*memory.agents, agent][-AGENTS:]
        if len(memory.agents) > 1:
            memory.passes = max(memory.passes, 1)


def _weigh(memory: Memory, seen: Look, rules: Rules, *, scored: bool) -> Mark | None:
    """The strongest mark of the call; None is neutral, or news."""
    signals = rules.signals
    f = seen.features
    target = memory.targets.get(f.target) if f.target else None
    marks = [
        mark
        for mark in (
            same_error.weigh(seen, signals.same_error, signals.idle_wait.pace_s),
            write_churn.weigh(seen, signals.write_churn, target.returns if target is not None else 0),
            rereading.weigh(seen, signals.rereading),
            idle_wait.weigh(seen, signals.idle_wait),
            exact_repeat.weigh(seen, signals.exact_repeat),
            no_news.weigh(seen, signals.no_news),
            no_progress.weigh(memory, signals.no_progress, scored=scored),
        )
        if mark is not None and (mark.over_news or not seen.fresh)
    ]
    if not marks:
        return None
    best = marks[0]
    for mark in marks[1:]:
        if mark.weight > best.weight:
            best = mark
    return best


def _is_news(seen: Look, mark: Mark | None) -> bool:
    """The call brought something and nothing speaks against it."""
    if mark is not None:
        return False
    f = seen.features
    if f.missing or f.effect == "plan" or f.wait:
        return False
    return seen.fresh or seen.moved or seen.write == "new" or (f.failed and seen.fault is None)


def _count(memory: Memory, step: Step, seen: Look, mark: Mark | None, *, news: bool) -> None:
    """The counters and the names of the dry stretch include the step."""
    f = seen.features
    memory.steps += 1
    memory.since_milestone += 1
    memory.since_news = 0 if news else memory.since_news + 1
    memory.tokens_spent = min(memory.tokens_spent + (step.tokens or 0), 2**53)
    if step.cost_usd is not None and step.cost_usd > 0 and _finite(step.cost_usd):
        memory.cost_spent = min(memory.cost_spent + step.cost_usd, 1e12)
    memory.idle = not f.failed and f.effect != "run"
    memory.ran = step.duration_s or 0.0
    memory.ring[-1] = (memory.ring[-1] + (short(text_bytes(step.tool)) ^ f.target ^ seen.answer)) & 0xFFFFFFFF
    if seen.same:
        memory.waited_from = memory.waited_from if memory.waited_from is not None else seen.before.ts  # type: ignore[union-attr]
    elif news:
        memory.waited_from = None
    if mark is None or mark.weight < 0.25:
        return
    if not memory.leading:
        memory.dry_from = step.seq
    varied = 1.0 if seen.before is None else 0.0
    memory.varied += 0.15 * (varied - memory.varied)
    memory.reread += 0.15 * ((1.0 if seen.lost else 0.0) - memory.reread)
    memory.leading = [*memory.leading, f.call][-8:]
    memory.answers = [*memory.answers, f.answer][-8:]
    memory.tools = [*memory.tools, step.tool[:64]][-8:]
    if f.failed:
        memory.errors += 1
        memory.cause = f.cause[:64]
    if seen.lost:
        memory.lost = dict([*memory.lost.items(), (f.target or seen.call, f.answer)][-8:])


def _judgement(memory: Memory, step: Step, seen: Look, rules: Rules, *, new_round: bool) -> Judgement:
    out = Judgement(
        new_round=new_round,
        dryness=dry.dryness(memory),
        weight=memory.weight,
        since_news=memory.since_news,
        since_milestone=memory.since_milestone,
    )
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
    out.evidence = _evidence(memory, step, seen, rules, out, cycle)
    out.loop = short(text_bytes(out.reason + (memory.cause or "".join(sorted(set(memory.answers[-3:]))))))
    out.people, out.model = sentences(out.reason, out.evidence, out.remedy)
    return out


def _find(out: Judgement, memory: Memory, seen: Look, rules: Rules) -> None:
    """The findings at this step, strongest first, and how far they may lead."""
    notice = rules.ladder.notice.level
    found = []
    if out.dryness >= notice:
        for code, share in out.shares.items():
            reason = BY_CODE[code]
            strength = share * out.dryness
            if strength >= 0.05:
                found.append(
                    Finding(reason=code, strength=strength, right=reason.right, family=reason.family)
                )
    if milestone_gap.beyond(memory, out.dryness, rules.signals.milestone_gap):
        found.append(
            Finding(reason="milestone_gap", strength=out.dryness / 2, right="ask", family="milestones")
        )
        out.families["milestones"] = out.families.get("milestones", 0.0) + out.dryness
    wait = rules.signals.idle_wait
    waited = (
        memory.ts - memory.waited_from if memory.waited_from is not None and memory.ts is not None else 0.0
    )
    if seen.same and waited >= wait.limit_s:
        found.append(Finding(reason="idle_wait", strength=notice, right="ask", family="time"))
    used = budget.used(memory, rules.limits)
    if used >= rules.limits.warn_at:
        out.limit = used >= 1.0
        found.append(Finding(reason="budget", strength=0.01, right="warn", family="limits"))
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
    return dict(sorted(rest.items(), key=_largest))


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
        tools=_frequent(memory.tools),
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
    counts: dict[str, int] = {}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    return [item for item, _ in sorted(counts.items(), key=_by_count)][:8]


def _by_count(item: tuple[str, int]) -> int:
    return -item[1]


def _finite(value: float) -> bool:
    return -1e300 < value < 1e300
