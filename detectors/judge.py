"""What each event means for one run: memory in, judgement out. The engine around it knows runs, seqs and commands."""

from detectors import dryness as dry
from detectors.canonical import name_hash
from detectors.events import Limits, Step
from detectors.feature_types import Features
from detectors.findings import Finding, Judgement, conclude
from detectors.look import Look, Mark
from detectors.memory import AGENTS, LINES, Index, Memory, fault_of, last_fault
from detectors.news import NEVER, learn, look
from detectors.parameters import Dryness, NoProgress
from detectors.rules import Rules
from detectors.signals import (
    exact_repeat,
    idle_wait,
    no_news,
    no_progress,
    rereading,
    same_error,
    write_churn,
)

__all__ = [
    "Finding",
    "Judgement",
    "fresh_baseline",
    "judge_step",
    "learn_late",
    "note_compaction",
    "note_limits",
    "note_milestone",
    "note_score",
    "note_user_input",
]

_TELLING = 0.5
"""Weight from which a mark speaks of a stall rather than of slow work."""
_UNMOVED = 5
"""Failures of one cause from which changes in between are no work of their own any more."""
_COUNTING = 0.3
"""Share of the weight of a call that goes well and wrong in turn while nothing is changed: it is being counted."""
_OWN_GROWTH = frozenset(("same_error", "idle_wait", "no_progress"))
_FORGOTTEN = 0.05
"""Mass below which a dry stretch is over: what comes then is another one."""


def judge_step(memory: Memory, step: Step, features: Features, rules: Rules, *, gap: int = 0) -> Judgement:
    """The memory includes the step afterwards. `gap`: events that never arrived before it. O(size of features).

    A compaction and a score that the step carries are noted here; its milestone is the engine's to judge.
    """
    if step.compaction:
        note_compaction(memory, None)
    if step.agent:
        _meet_agent(memory, step.agent)
    new_round = dry.enter(memory, step, rules)
    seen = look(memory, step, features)
    scored = step.score is not None and _finite(step.score)
    if scored and step.score is not None:
        no_progress.sample(memory, step.score, rules.signals.no_progress)
    mark = _weigh(memory, seen, rules, scored=scored)
    if mark is not None and seen.since_news > rules.dryness.patience:
        mark = _lasting(mark, seen.since_news, rules.dryness)
    if gap and mark is not None:
        # What was in the gap may have been the news that makes this call no repeat.
        mark = mark.weighing(mark.weight / 2)
    if mark is not None and mark.weight < _TELLING and _is_attempt(memory, seen):
        mark = None
    news = _is_news(seen, mark)
    learn(memory, step, seen)
    dry.settle(memory, mark, news, rules.dryness.rate)
    _count(memory, step, seen, mark, news=news)
    return conclude(memory, step, seen, rules, new_round=new_round)


def learn_late(memory: Memory, features: Features) -> None:
    """Lines of a step that came late are in the index; no verdict follows from them."""
    memory.lines.add(LINES, features.shapes, features.lines)


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
    memory.tokens = Index()
    memory.things = {}
    memory.recent = {}
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
    memory.failing = []
    memory.lost = {}


def _meet_agent(memory: Memory, name: str) -> None:
    """Another agent of the run has its own memory: what it reads first is no re-reading of the first agent's."""
    agent = name_hash(name)
    if agent not in memory.agents:
        memory.agents = [*memory.agents, agent][-AGENTS:]
        if len(memory.agents) > 1:
            memory.passes = max(memory.passes, 1)


def _weigh(memory: Memory, seen: Look, rules: Rules, *, scored: bool) -> Mark | None:
    """The strongest mark of the call; None is neutral, or news."""
    signals = rules.signals
    f = seen.features
    fresh = seen.fresh
    # What cannot hold is not asked: most calls are no failures, write nothing and bring news.
    found: list[Mark | None] = []
    if f.failed:
        found.append(same_error.weigh(seen, signals.same_error, signals.idle_wait.pace_s))
    if seen.write:
        target = memory.targets.get(f.target) if f.target else None
        found.append(
            write_churn.weigh(seen, signals.write_churn, target.returns if target is not None else 0)
        )
    if not fresh:  # none of these holds over news
        found.append(rereading.weigh(seen, signals.rereading))
        if seen.before is not None:
            found += (
                idle_wait.weigh(seen, signals.idle_wait),
                exact_repeat.weigh(seen, signals.exact_repeat, signals.idle_wait.fade_after_s - 0.01),
            )
    if not fresh or seen.pondering or seen.known_place:
        found.append(no_news.weigh(seen, signals.no_news, signals.idle_wait.pace_s))
    if scored:
        found.append(no_progress.weigh(memory, signals.no_progress, scored=scored))
    if not found:
        return None
    marks = [mark for mark in found if mark is not None and (mark.over_news or not fresh)]
    if not marks:
        return None
    if seen.before is not None and seen.before.flips and seen.in_row and not seen.changed_world:
        marks = [mark.weighing(mark.weight * _COUNTING) for mark in marks]
    best = marks[0]
    for mark in marks[1:]:
        if mark.weight > best.weight:
            best = mark
    if seen.thin and not best.over_news:
        best = best.weighing(best.weight / 2)
    return best


def _lasting(mark: Mark, since_news: int, rules: Dryness) -> Mark:
    """The longer nothing at all was brought, the more each such call says; failures and waits grow by themselves."""
    if mark.weight < _TELLING or mark.reason in _OWN_GROWTH or since_news >= NEVER:
        return mark
    grown = mark.weight * min(rules.most, 1 + rules.growth * (since_news - rules.patience))
    return mark.weighing(min(1.5, grown))


def _is_attempt(memory: Memory, seen: Look) -> bool:
    """One more change against a failure that many changes have not moved: what it is worth, the next check says."""
    if not seen.act or not seen.known or seen.features.failed:
        return False
    fault = last_fault(memory)
    return fault is not None and fault.count >= _UNMOVED


def _is_news(seen: Look, mark: Mark | None) -> bool:
    """The call brought something and nothing speaks against it."""
    if mark is not None:
        return seen.moved and mark.over_news and mark.reason == "no_news"  # figures that moved, jitter or not
    f = seen.features
    if f.missing or f.effect == "plan" or f.wait:
        return False
    return (
        seen.fresh
        or (seen.moved and (not seen.act or seen.new_window))
        or (seen.write == "new" and (seen.new_target or bool(seen.unmet)))
        or (f.failed and seen.fault is None)
    )


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
    memory.ring[-1] = (memory.ring[-1] + (name_hash(step.tool) ^ f.target ^ seen.answer)) & 0xFFFFFFFF
    if seen.same:
        if memory.waited_from is None:
            memory.waited_from = _later(seen.before.ts if seen.before is not None else None, memory.news_ts)
    elif news:
        memory.waited_from = None
    if news:
        memory.news_ts = memory.ts
    if f.failed:
        _count_failure(memory, step, f.cause[:64])
    if mark is None or mark.weight < 0.25:
        return
    if not memory.leading or sum(memory.base) < _FORGOTTEN:
        memory.dry_from, memory.dry_step = step.seq, memory.steps
        memory.leading, memory.answers, memory.tools = [], [], []
    varied = 1.0 if seen.before is None else 0.0
    memory.varied += 0.15 * (varied - memory.varied)
    memory.reread += 0.15 * ((1.0 if seen.lost else 0.0) - memory.reread)
    _keep(memory.leading, f.call)
    _keep(memory.answers, f.answer)
    _keep(memory.tools, step.tool[:64])
    if seen.lost:
        memory.lost = dict([*memory.lost.items(), (f.target or seen.call, f.answer)][-8:])


def _count_failure(memory: Memory, step: Step, cause: str) -> None:
    """The failures of the present cause and the tools that they came of include the step's."""
    fault = fault_of(memory, cause)
    memory.failing = [*(memory.failing if cause == memory.cause else []), step.tool[:64]][-8:]
    memory.cause = cause
    memory.errors = fault.count if fault is not None else 1


def _keep(items: list[str], item: str) -> None:
    """The item is the youngest of the last eight."""
    items.append(item)
    if len(items) > 8:
        del items[:-8]


def _later(a: float | None, b: float | None) -> float | None:
    return b if a is None else a if b is None else max(a, b)


def _finite(value: float) -> bool:
    return -1e300 < value < 1e300
