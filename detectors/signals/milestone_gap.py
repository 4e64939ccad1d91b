"""`milestone_gap`: more steps since the last verified milestone than this scenario needed, and dryness.

Sees: the distance to the last verified milestone, against the configured number and twice the longest segment that
this run has closed. It is all that is left where everything varies.
Ignores on purpose: distance alone; long healthy stretches without milestone exist. Runs that never reported one: a
host that verifies nothing says nothing by its silence. It warns and asks, it never halts.
"""

from detectors.memory import Memory
from detectors.parameters import MilestoneGap


def beyond(memory: Memory, dryness: float, rules: MilestoneGap) -> bool:
    """Whether the gap and the dryness are both beyond their limits. O(1)."""
    if rules.steps == 0 or memory.milestones == 0:
        return False
    needed = max(rules.steps, 2 * memory.longest_gap)
    return memory.since_milestone > needed and dryness >= rules.dryness
