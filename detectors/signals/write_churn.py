"""`write_churn`: writes that leave the world as it was, or bring it back to where it was.

Sees: equal hashes before and after (whatever the tool says), a write back to an older state of the same target, a
text that differs from a known one in digits and stamps only, and without hashes the same content for the same
target.
Ignores on purpose: the first return to an older state costs half (one revert followed by another way is good
work); going back on a screen is navigation; equal replacements that lead to new states go forward.
"""

from detectors.look import Look, Mark
from detectors.parameters import WriteChurn


def weigh(seen: Look, rules: WriteChurn, returns: int) -> Mark | None:
    """The mark of a write without effect, None otherwise. `returns`: earlier returns of this target. O(1)."""
    f = seen.features
    if seen.write == "same":
        if seen.fresh and not f.failed:
            return None
        return Mark(rules.no_effect, "write_churn", ("effects", "answers"), over_news=True)
    if seen.write == "rewritten":
        return Mark(rules.returned, "write_churn", ("effects", "calls"), over_news=True)
    if seen.write == "returned":
        weight = rules.returned if returns else rules.returned / 2
        families = ("effects", "calls") if seen.before is not None else ("effects",)
        return Mark(weight, "write_churn", families, over_news=True)
    if seen.write == "cosmetic":
        return Mark(rules.cosmetic, "write_churn", ("effects",), over_news=True)
    return None
