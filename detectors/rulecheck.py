"""Thresholds that fit their ranges one by one and make no sense together: impossible, or never firing."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import msgspec

from detectors.parameters import Rung, Section, Signals
from detectors.rules import Rules
from detectors.ruletext import bare


class Problem(NamedTuple):
    """One thing wrong in a rule file, where it is and what to do about it."""

    path: str
    """Dotted, as in the file; empty for the file as a whole."""
    what: str
    remedy: str

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"{where}{self.what}; {self.remedy}"


def check(rules: Rules) -> list[Problem]:
    """Everything that is wrong with the set as a whole; empty if nothing is. O(fields)."""
    return [*_ladder(rules), *_reach(rules), *_times(rules), *_keys(rules), *_classic(rules)]


def _ladder(rules: Rules) -> Iterator[Problem]:
    rungs: list[tuple[str, Rung]] = [
        (name, getattr(rules.ladder, name)) for name in ("notice", "replan", "ask", "halt")
    ]
    for name, rung in rungs:
        if rung.lower >= rung.level:
            yield Problem(
                f"ladder.{name}.lower",
                f"{rung.lower:g} is not below the level {rung.level:g}: left as soon as taken",
                f"set it below {rung.level:g}",
            )
    for (below, low), (name, high) in pairwise(rungs):
        if high.level <= low.level:
            yield Problem(
                f"ladder.{name}.level",
                f"{high.level:g} is not above {below}'s {low.level:g}: levels rise from notice to halt",
                f"set it above {low.level:g}",
            )
        if high.lower < low.lower:
            yield Problem(
                f"ladder.{name}.lower",
                f"{high.lower:g} is below {below}'s {low.lower:g}: {name} would outlast {below}",
                f"set it to {low.lower:g} or more",
            )


def _reach(rules: Rules) -> Iterator[Problem]:
    """Dryness is a mean of the rounds' weights, so it never exceeds the largest of them."""
    most = max(_weights(rules.signals))
    for name in ("notice", "replan", "ask", "halt"):
        level = getattr(rules.ladder, name).level
        if level >= most:
            yield Problem(
                f"ladder.{name}.level",
                f"{level:g} is never reached: the largest weight of a round is {most:g}",
                f"set it below {most:g}, or raise a weight under signals",
            )
    if rules.signals.milestone_gap.steps and rules.signals.milestone_gap.dryness >= most:
        yield Problem(
            "signals.milestone_gap.dryness",
            f"{rules.signals.milestone_gap.dryness:g} is never reached: the largest weight is {most:g}",
            f"set it below {most:g}, or switch the signal off with steps = 0",
        )


def _weights(signals: Signals) -> Iterator[float]:
    for signal in signals.__struct_fields__:
        section: Section = getattr(signals, signal)
        for field in msgspec.structs.fields(type(section)):
            kind = bare(field.type)
            if isinstance(kind, msgspec.inspect.FloatType) and kind.ge == 0.0 and kind.le == 1.5:
                yield getattr(section, field.name)


def _times(rules: Rules) -> Iterator[Problem]:
    if rules.silence_s > rules.retention_s:
        yield Problem(
            "silence_s",
            f"{rules.silence_s:g} is above retention_s = {rules.retention_s:g}: "
            "a silent run would be forgotten before anybody is told",
            f"set it to {rules.retention_s:g} or less, or raise retention_s",
        )
    if rules.on_ask_timeout == "halt" and rules.ask_timeout_s > rules.retention_s:
        yield Problem(
            "ask_timeout_s",
            f"{rules.ask_timeout_s:g} is above retention_s = {rules.retention_s:g}: no halt would come",
            f"set it to {rules.retention_s:g} or less, or raise retention_s",
        )
    limited = rules.limits.rounds or rules.limits.tokens or rules.limits.cost_usd
    if limited and rules.limits.warn_at == 0:
        yield Problem("limits.warn_at", "0 warns at the first step", "set it above 0, 0.9 is usual")


def _keys(rules: Rules) -> Iterator[Problem]:
    for key in rules.fingerprints.volatile_keys:
        if key in rules.fingerprints.keep_keys:
            yield Problem(
                "fingerprints.keep_keys", f"{key!r} is also dropped by volatile_keys", "keep one of the two"
            )


def _classic(rules: Rules) -> Iterator[Problem]:
    if rules.engine != "classic":
        return
    classic = rules.classic
    if classic.window > classic.history:
        yield Problem(
            "classic.window",
            f"{classic.window} is above history = {classic.history}: it would never fill",
            f"set it to {classic.history} or less",
        )
    if classic.repeats > classic.history:
        yield Problem(
            "classic.repeats",
            f"{classic.repeats} is above history = {classic.history}: exact_repeat would never fire",
            f"set it to {classic.history} or less",
        )
    if classic.window < 4:
        yield Problem(
            "classic.window",
            f"{classic.window} holds no two laps of two calls: oscillation would never fire",
            "set it to 4 or more, to 6 or more for cycles of three",
        )
    if 0 < classic.novelty_floor <= 1 / classic.window:
        yield Problem(
            "classic.novelty_floor",
            f"{classic.novelty_floor:g} is not above 1/window: low_novelty would never fire",
            f"set it above {1 / classic.window:.3g}, or to 0 to switch it off",
        )
