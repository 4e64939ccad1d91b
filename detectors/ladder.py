"""Where a run stands: rungs 0 clear, 1 notice, 2 replan, 3 ask, 4 halt; up one at a time, down by hysteresis."""

import msgspec

from detectors.judge import Judgement
from detectors.rules import Rules

RUNGS = ("clear", "notice", "replan", "ask", "halt")


class Ladder(msgspec.Struct, array_like=True):
    """Bounded state of the ladder."""

    rung: int = 0
    rounds_on_rung: int = 0
    delivered: bool = False
    """The host acknowledged this rung's feedback as done and a later round began."""


def climb(ladder: Ladder, judgement: Judgement, rules: Rules) -> int:
    """The rung after this judgement is in the ladder and returned. O(1)."""
    if not judgement.findings:
        if judgement.dryness < 0.2:
            ladder.rung = 0
        return ladder.rung
    ladder.rounds_on_rung += judgement.new_round
    if ladder.rung < 4 and (ladder.rung == 0 or ladder.rounds_on_rung >= 3):
        ladder.rung += 1
        ladder.rounds_on_rung = 0
        ladder.delivered = False
    return ladder.rung


def clear(ladder: Ladder) -> None:
    """A verified milestone, a person's word or a release: rung 0, as new."""
    ladder.rung = ladder.rounds_on_rung = 0
    ladder.delivered = False


def feedback_delivered(ladder: Ladder) -> None:
    """The feedback of the present rung has reached the model; what it does from the next round on counts."""
    ladder.delivered = True
