"""Which of a run's events were seen: the next number, and a bitmap of the last 64 that are missing."""

from typing import Literal

import msgspec

WINDOW = 64
"""How far back a missing number is remembered; an older one counts as known when it comes after all."""
_MASK = (1 << WINDOW) - 1

Place = Literal["new", "late", "duplicate"]


class Sequence(msgspec.Struct, array_like=True):
    """Bounded: two integers and a count, whatever numbers come."""

    next: int = 0
    """The lowest number that no event has reached yet."""
    missing: int = 0
    """Bit i: the event `next - 1 - i` has not come."""
    gaps: int = 0
    """Numbers that were skipped and have not come since."""

    def admit(self, seq: int) -> tuple[Place, int]:
        """The event is in the books; (its place, how many numbers it skipped). O(1), also for huge jumps."""
        if seq < self.next:
            bit = 1 << (self.next - 1 - seq) if self.next - 1 - seq < WINDOW else 0
            if not self.missing & bit:
                return "duplicate", 0
            self.missing ^= bit
            self.gaps -= 1
            return "late", 0
        if seq == self.next:
            self.next = seq + 1
            self.missing = (self.missing << 1) & _MASK
            return "new", 0
        gap = seq - self.next
        shift = gap + 1
        # Bit 0 is this event, the bits above it the ones it skipped, and above those what was missing before.
        kept = (self.missing << shift) & _MASK if shift < WINDOW else 0
        skipped = ((1 << min(shift, WINDOW)) - 1) & ~1
        self.missing = kept | skipped
        self.next = seq + 1
        self.gaps += gap
        return "new", gap
