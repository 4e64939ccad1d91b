"""One call seen against what the run knows: the facts that the signals weigh. No weights here."""

from typing import Literal

import msgspec

from detectors.feature_types import Features
from detectors.memory import Call, Fault

Write = Literal["", "new", "same", "returned", "cosmetic", "rewritten"]
Numeric = Literal["", "counter", "moved"]
Patience = Literal["", "weak", "strong"]
_LONG, _THIN = 8, 16
"""Lines of a long answer, and the part of them that is thin news."""
_FEW_WORDS = 4
"""Words of an answer below which nothing is made of them."""
_PLANS = 4
"""Plans and thoughts in a row that are free; more of them without an act between are a stall of their own."""


class Look(msgspec.Struct, gc=False):
    """What is true of one call, given the memory before it."""

    features: Features
    call: int
    """Hash of agent and call."""
    answer: int
    """Hash of the essential answer, whatever the order of its lines."""
    before: Call | None
    """The same call the last time."""
    unseen: int
    """Lines whose shape no tool's answer had."""
    unseen_forms: int
    """Lines of a known shape whose exact form is new."""
    numeric: Numeric
    """What the numbers did where only they are new: a call counter, or anything else."""
    act: bool
    """It changed something, as far as its answer, hashes and name tell."""
    bare: bool
    """An act that carries no content: a click, a command without text."""
    in_row: bool
    """The step before was the same call."""
    silent: bool
    """It succeeded without a word."""
    novelty: float
    """Share of its words that this tool was never given."""
    new_ids: int
    """Ids that this tool was never given, or that came up within the last few steps."""
    planned: int
    """Plans and thoughts in a row before this call."""
    since_news: int
    """Steps between the last one that brought something and this one; large where none did."""
    new_pair: bool
    """It names two things or more and hardly anything else, and this tool was never asked about them together."""
    new_numbers: int
    worklist: bool
    """A value that an earlier answer had and this tool was never given: a list is being walked."""
    new_target: bool
    new_window: bool
    """A part of the resource that was not covered."""
    stale: bool
    """Something was written since the resource was looked at the last time."""
    covered: bool
    """A part of the resource that was covered before."""
    known_place: bool
    """The act led back to a state that its screen or target had, one of the last few."""
    write: Write
    fault: Fault | None
    """The same cause before."""
    gap_s: float | None
    """Since the same call, or for a failure since the same cause; None without a clock."""
    pause_s: float | None
    """Since the end of the step before, whatever it was; None without a clock."""
    patience: Patience
    """What speaks for waiting: it moved before or is under way (strong), something was started (weak)."""
    excused: bool
    """A first re-read after a compaction, within the free passes."""
    lost: bool
    """Its content was seen before a compaction and not since."""
    world: int
    """World version at this call."""
    tokens: list[int]
    """Words, ids and numbers of its arguments as the memory keeps them: apart for each tool."""
    unmet: set[int]
    """Of the ids, those that this tool was never given, in the same form."""
    handle: bool = False
    """An id that an answer issued for what was just made or opened."""
    unworded: int = 0
    """Words of a short answer that neither answers nor arguments had."""
    unmoved_state: bool = False
    """The host's hash is one from before, though another tool has changed something."""
    fault_age: int = 0
    """Steps since the last failure of this cause."""
    news_since: bool = False
    """Something was brought since the last failure of this cause."""
    named: bool = False
    """One of them is a word of this call's arguments: the answer is about what was asked."""
    serial: bool = False
    """Nothing is new but serial numbers."""
    asks: bool = False
    """It is about a thing that the run was not about so far."""
    thin: bool = False
    """One new line in a long answer, to a question about nothing new."""
    restated: bool = False
    """Another arrangement of words that are all known, to a question about nothing new."""
    counter: bool = False
    """Only a number that counts the calls is new."""
    moved: bool = False
    """Only numbers are new, and not as a count of the calls."""
    fresh: bool = False
    """The answer has a line that no answer had."""
    known: bool = False
    """Nothing in the answer is new."""
    same: bool = False
    """The same call with the same essential answer as the last time."""
    changed_world: bool = False
    """Something was written since the same call."""

    def __post_init__(self) -> None:
        """What follows from the facts and is asked by nearly every signal, worked out once."""
        f = self.features
        before = self.before
        self.asks = bool(
            self.unmet
            or self.named
            or self.new_target
            or self.new_window
            or self.new_pair
            or (self.new_numbers and not f.prose)
        )
        self.counter = self.unseen == 0 and self.numeric == "counter"
        if before is not None:
            if before.answer == self.answer:
                self.unseen = self.unseen_forms = 0  # whatever of it the index has forgotten
                self.numeric = ""
            self.same = before.answer == self.answer or self.counter
            self.changed_world = before.world != self.world
        if self.unseen or self.numeric == "moved" or self.serial:
            self.restated = self._is_restated()
            if before is None and not self.asks and f.total >= _LONG:
                self.thin = 0 < self.unseen <= max(1, f.total // _THIN)
        if self._is_mended():
            self.fresh = True
        elif self.restated or (before is None and f.tone == "negative" and not self.unseen):
            self.known = True  # nothing there, whatever its figures
        elif self.unseen and not self.thin:
            self.fresh = True
        elif not self.unseen and self.numeric == "moved":
            self.moved = True
        else:
            self.known = self.numeric != "moved"

    def _is_mended(self) -> bool:
        """A call that has failed so far does not any more, after something was changed."""
        before = self.before
        return (
            before is not None
            and before.failed
            and not before.flips
            and not self.features.failed
            and self.changed_world
        )

    def _is_restated(self) -> bool:
        if self.serial and self.before is None:
            return True
        vocab = len(self.features.vocab)
        if vocab < _FEW_WORDS or self.unworded * 10 > vocab or self.asks:
            return False
        total = self.features.total
        if self.unseen * 2 > total > 2 or (self.unworded and total <= 2):
            return False
        if self.before is not None:
            return (self.unseen > 0 and total > 2) or (self.serial and self.changed_world)
        return self.unseen > 0 or (self.numeric == "moved" and self.wordy)

    @property
    def wordy(self) -> bool:
        """The answer is told in words."""
        words = len(self.features.vocab)
        return words >= 12 and words >= 2 * self.features.figures

    @property
    def textual(self) -> bool:
        """The answer is a text in which figures stand here and there."""
        f = self.features
        words = len(f.vocab)
        return words >= 20 and (words >= 3 * f.figures or (f.total >= 5 and self.unseen_forms * 2 <= f.total))

    @property
    def after_news(self) -> bool:
        """The step before brought something."""
        return self.since_news == 0

    @property
    def musing(self) -> bool:
        """Prose addressed to nothing, a while after thoughts began to follow each other, and taken without a word."""
        f = self.features
        alone = f.prose and f.leaves <= 1 and not f.command and not f.failed and not f.target
        return alone and self.planned > 0 and f.total <= 1 and (self.silent or f.tone == "ack")

    @property
    def pondering(self) -> bool:
        """Thoughts and plans have followed each other for longer than is free."""
        return self.planned >= _PLANS


class Mark(msgspec.Struct, frozen=True, gc=False):
    """What one signal makes of a call."""

    weight: float
    """0 … 1.5."""
    reason: str
    families: tuple[str, ...]
    over_news: bool = False
    """It holds although the answer has news."""

    def weighing(self, weight: float) -> "Mark":
        """The same with another weight. O(1)."""
        return Mark(weight, self.reason, self.families, self.over_news)
