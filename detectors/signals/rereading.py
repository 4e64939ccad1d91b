"""`rereading`: second sweeps over ground that was covered.

Sees: windows of a resource that were read before, with shifted borders as well, and whatever was read before a
compaction of the context and is read again: then the remedy is *amnesia*, the facts are to be given back.
Ignores on purpose: one pass over the working set after each compaction, if something was written or reached since
the one before; a re-read after a write to the resource.
"""

from detectors.look import Look, Mark
from detectors.parameters import Rereading


def weigh(seen: Look, rules: Rereading) -> Mark | None:
    """The mark of a read of known ground, None otherwise. O(1)."""
    f = seen.features
    if f.failed or f.missing or seen.write or not seen.known or seen.act or seen.excused:
        return None
    if seen.lost and not seen.changed_world:
        return Mark(rules.weight, "rereading", ("answers", "calls"))
    if seen.covered and seen.stale:
        return Mark(rules.after_write, "rereading", ("calls",))
    if seen.covered and not seen.same:
        return Mark(rules.weight, "rereading", ("answers", "calls"))
    return None
