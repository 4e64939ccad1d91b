"""`budget`: the run's rounds, tokens or cost against its limits.

Sees: the share of each limit that is used up. A backstop, never called a stall: it warns near the limit and is a
halt's second family of evidence beyond it.
"""

from detectors.memory import Memory
from detectors.parameters import Limits


def used(memory: Memory, rules: Limits) -> float:
    """The largest used share of the limits, 0 where there are none. O(1)."""
    rounds, tokens, cost = memory.limits
    rounds, tokens, cost = rounds or rules.rounds, tokens or rules.tokens, cost or rules.cost_usd
    share = memory.rounds / rounds if rounds else 0.0
    if tokens:
        share = max(share, memory.tokens_spent / tokens)
    return max(share, memory.cost_spent / cost) if cost else share
