"""Where a run stands: rungs 0 clear, 1 notice, 2 replan, 3 ask, 4 halt; up one at a time, down by hysteresis."""

import msgspec

from detectors.catalog import OUTPUT_SIDE
from detectors.judge import Judgement
from detectors.parameters import Rung
from detectors.rules import Rules

RUNGS = ("clear", "notice", "replan", "ask", "halt")
SECOND_FAMILY = 0.2
"""Mass that makes a family of evidence count beside the first."""
SAME_LOOPS = 4
_DRY, _HALF_DRY = 0.5, 0.25
"""Weights of a round that brings nothing, and of one that brings next to nothing."""
_EASED = 4
"""Times the evidence that a halt needs, without any news, from which it needs less dryness: beyond the longest
such stretch of a recorded run that ended well (20 calls)."""


class Ladder(msgspec.Struct, array_like=True):
    """Bounded state of the ladder."""

    rung: int = 0
    rounds_on_rung: int = 0
    delivered: bool = False
    """The host acknowledged this rung's feedback as done and a later round began."""
    ignored: int = 0
    """Dry rounds with output-side evidence since feedback was delivered."""
    loops: list[int] = []
    """Identities of the loops that a notice was given for, the last few."""
    relapsed: bool = False
    """The open episode is a loop that was told of before."""


def climb(ladder: Ladder, judgement: Judgement, rules: Rules) -> int:
    """The rung after this judgement is in the ladder and returned. O(1)."""
    steps = rules.ladder
    rungs: tuple[Rung, ...] = (steps.notice, steps.replan, steps.ask, steps.halt)
    if judgement.new_round:
        ladder.rounds_on_rung += 1
        if ladder.delivered and _ignores(judgement, rules):
            ladder.ignored += 1
    if ladder.rung and not judgement.findings and judgement.dryness < rungs[ladder.rung - 1].lower:
        _step_down(ladder)
        return ladder.rung
    if ladder.rung >= 4 or not judgement.findings or judgement.weight == 0.0:
        return ladder.rung
    nxt = rungs[ladder.rung]
    dwell = nxt.dwell_rounds // 2 if ladder.relapsed and ladder.rung < 3 else nxt.dwell_rounds
    level = _halt_level(ladder, judgement, rules) if ladder.rung == 3 else nxt.level
    if ladder.rung and (judgement.dryness < level or ladder.rounds_on_rung < dwell):
        return ladder.rung
    if ladder.rung == 0 or (ladder.rung < 3 and _may_ask(judgement)) or _may_halt(ladder, judgement, rules):
        _step_up(ladder, judgement)
    return ladder.rung


def clear(ladder: Ladder) -> None:
    """A verified milestone, a person's word or a release: rung 0, as new."""
    ladder.rung = ladder.rounds_on_rung = ladder.ignored = 0
    ladder.delivered = False
    ladder.relapsed = False
    ladder.loops = []


def feedback_delivered(ladder: Ladder) -> None:
    """The feedback of the present rung has reached the model; what it does from the next round on counts."""
    ladder.delivered = True


def _step_up(ladder: Ladder, judgement: Judgement) -> None:
    if ladder.rung == 0:
        ladder.relapsed = judgement.loop in ladder.loops
        ladder.loops = [loop for loop in ladder.loops if loop != judgement.loop][1 - SAME_LOOPS :]
        ladder.loops.append(judgement.loop)
        ladder.ignored = 0
    ladder.rung += 1
    ladder.rounds_on_rung = 0
    if ladder.rung == 1:
        ladder.delivered = False


def _step_down(ladder: Ladder) -> None:
    ladder.rung -= 1
    ladder.rounds_on_rung = 0
    if ladder.rung == 0:
        ladder.delivered = False
        ladder.ignored = 0


def _halt_level(ladder: Ladder, judgement: Judgement, rules: Rules) -> float:
    """The dryness that a halt needs: less, the longer nothing at all was brought, down to that of a question."""
    beyond = max(0, judgement.since_news - _long(rules))
    return max(rules.ladder.ask.level, rules.ladder.halt.level - rules.ladder.easing * beyond)


def _long(rules: Rules) -> int:
    """Rounds without any news that are evidence of their own."""
    return _EASED * rules.ladder.evidence_rounds


def _may_ask(judgement: Judgement) -> bool:
    """A budget alone warns and no more."""
    return any(finding.right != "warn" for finding in judgement.findings)


def _may_halt(ladder: Ladder, judgement: Judgement, rules: Rules) -> bool:
    """Output-side evidence went on for rounds after delivered feedback, and there is a second family or a limit."""
    if ladder.rung != 3 or judgement.at_most != "halt" or not ladder.delivered:
        return False
    if ladder.ignored < rules.ladder.evidence_rounds:
        return False
    heavy = {family for family, mass in judgement.families.items() if mass >= SECOND_FAMILY}
    if judgement.since_news >= _long(rules) and heavy != {"errors"}:
        heavy.add("calls")  # whatever was called brought nothing, and it was not another failure each time
    return not heavy.isdisjoint(OUTPUT_SIDE) and (len(heavy) >= 2 or judgement.limit)


def _ignores(judgement: Judgement, rules: Rules) -> bool:
    """A dry round with output-side evidence; after a while without any news nearly every round is one."""
    if judgement.since_news >= 2 * rules.ladder.evidence_rounds:
        return judgement.weight >= _HALF_DRY
    return judgement.weight >= _DRY and _output_side(judgement)


def _output_side(judgement: Judgement) -> bool:
    return any(judgement.families.get(family, 0.0) >= SECOND_FAMILY for family in OUTPUT_SIDE)
