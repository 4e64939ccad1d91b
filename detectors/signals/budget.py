"""`budget`: the run's rounds, tokens or cost against its limits.

Sees: the share of each limit that is used up. A backstop, never called a stall: it warns near the limit and is a
halt's second family of evidence beyond it.
"""

from detectors.memory import Memory
from detectors.parameters import Limits


def used(memory: Memory, rules: Limits) -> float:
    """The largest used share of the limits, 0 where there are none. O(1)."""
    rounds, tokens, cost = memory.limits
    share = 0.0
    for value, limit in (
        (memory.rounds, rounds or rules.rounds),
        (memory.tokens_spent, tokens or rules.tokens),
        (memory.cost_spent, cost or rules.cost_usd),
    ):
        if limit:
            share = max(share, value / limit)
    return share
