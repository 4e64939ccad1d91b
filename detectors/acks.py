"""Acknowledgements: what an orchestrator did with a command."""

from detectors.events import Ack
from detectors.outcome import Status
from detectors.runs import RunState

_RANK = {"": 0, "failed": 1, "refused": 2, "accepted": 3, "done": 4}


def acknowledge(run: RunState, ack: Ack) -> Status:
    """The best word on the run's last command is kept; feedback that is done counts from the next round on.

    An orchestrator may be slower than the run: a notice or replan of the open episode that is acknowledged after
    the next command is feedback all the same. Any other acknowledgement of an older command changes nothing.
    """
    life = run.life
    if ack.status == "done" and life is not None and ack.command_id in life.feedback:
        life.feedback.remove(ack.command_id)
        life.delivered = True
        heard: Status = "applied"
    else:
        heard = "ignored"
    last = run.last
    if last is None or last.command_id != ack.command_id:
        return heard
    if _RANK[ack.status] <= _RANK[last.acked]:
        return "duplicate"
    last.acked = ack.status
    return "applied"


def settled(run: RunState) -> bool:
    """Whether nobody has to act on the last command of an ended run any more: a halt needs to be done."""
    last = run.last
    return last is None or last.action != "halt" or last.attempt < run.attempt or last.acked == "done"
