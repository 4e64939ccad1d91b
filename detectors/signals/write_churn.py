"""`write_churn`: writes that leave the world as it was, or bring it back to where it was.

Sees: equal hashes before and after (whatever the tool says), a write back to an older state of the same target, a
text that differs from a known one in digits and stamps only, and without hashes the same content for the same
target.
Ignores on purpose: the first return to an older state costs half (one revert followed by another way is good
work); going back on a screen is navigation; equal replacements that lead to new states go forward.
"""

from detectors.look import Look, Mark
from detectors.parameters import WriteChurn

_EACH, _MANY = 0.03, 9
"""What each call without news adds to the weight of one target of many, and how many do."""


def weigh(seen: Look, rules: WriteChurn, returns: int) -> Mark | None:
    """The mark of a write without effect, None otherwise. `returns`: earlier returns of this target. O(1)."""
    if seen.write == "same":
        return _without_effect(seen, rules)
    if seen.write == "rewritten":
        return Mark(rules.returned, "write_churn", ("effects", "calls"), over_news=True)
    if seen.write == "returned":
        weight = rules.returned if returns else rules.returned / 2
        families = ("effects", "calls") if seen.before is not None else ("effects",)
        return Mark(weight, "write_churn", families, over_news=True)
    if seen.write == "cosmetic":
        return Mark(rules.cosmetic, "write_churn", ("effects",), over_news=True)
    return None


def _without_effect(seen: Look, rules: WriteChurn) -> Mark | None:
    """One target of many that is as it should be already is no churn, unless others wrote what does not show."""
    f = seen.features
    if seen.fresh and not f.failed:
        return None
    another = (seen.unmet and not f.command) or seen.new_target
    if another and not f.body and seen.before is None and not seen.unmoved_state:
        grown = rules.one_of_many + _EACH * min(seen.since_news, _MANY)
        return Mark(min(rules.no_effect, grown), "write_churn", ("effects",))
    return Mark(rules.no_effect, "write_churn", ("effects", "answers"), over_news=True)
