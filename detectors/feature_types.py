"""What is kept of a step: digests and labels, no content. The wire form of `Step.features`."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

ALGO = 1
"""Version of the fingerprints; equal values compare, different ones do not."""
MAX_LINES = 512
Hash32 = Annotated[int, Meta(ge=0, lt=2**32)]
Hash16 = Annotated[int, Meta(ge=0, lt=2**16)]
Position = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Hex16 = Annotated[str, Meta(max_length=16)]
Effect = Literal["read", "write", "run", "wait", "plan", "message", "unknown"]
Tone = Literal["", "ack", "negative", "underway", "over"]


class Features(msgspec.Struct, omit_defaults=True):
    """The features of one step. Computed by `detectors.features.features`, at the edge or in the worker."""

    algo: int = ALGO
    """Version of the fingerprints."""
    call: Hex16 = ""
    """Digest of tool and canonical arguments, 16 hex."""
    answer: Hex16 = ""
    """Digest of the raw result, 16 hex."""
    lines: Annotated[list[Hash32], Meta(max_length=MAX_LINES)] = []
    """Distinct lines of the answer with volatile parts scrubbed; beyond the bound the smallest hashes."""
    shapes: Annotated[list[Hash32], Meta(max_length=MAX_LINES)] = []
    """The same lines with digits masked, in the same order."""
    total: Annotated[int, Meta(ge=0)] = 0
    """Distinct lines before the bound."""
    heads: Annotated[list[Hash32], Meta(max_length=128)] = []
    """First fields of the lines of a list: what a later call may have its values from."""
    numbers: Annotated[list[Hash16], Meta(max_length=16)] = []
    """Of a short answer: for each number the hash of its value and of the value one below, so that a counter shows."""
    effect: Effect = "unknown"
    """What the call does: declared by the host, else the hint of the tool's name."""
    declared: bool = False
    """The effect is the host's word."""
    tone: Tone = ""
    """What a short answer says: taken, nothing there, under way, over."""
    failed: bool = False
    cause: Annotated[str, Meta(max_length=64)] = ""
    """The error cause of a failed call: a class, with a digest where the class alone is not the cause."""
    transient: bool = False
    """The cause may pass by itself."""
    echo: bool = False
    """A line of the answer is nothing but the arguments given back."""
    own: Annotated[int, Meta(ge=0)] = 0
    """Lines of a short answer that are little else than arguments given back."""
    empty: bool = False
    """The answer is there and has nothing in it."""
    missing: bool = False
    """No answer was recorded: no data."""
    size: Annotated[int, Meta(ge=0)] = 0
    """Bytes of the answer."""
    target: Hash32 = 0
    """The resource that the arguments name; 0 without one."""
    region: tuple[Position, Position] | None = None
    """The window of it, from and to, in the tool's own unit."""
    cursor: Hash32 = 0
    """An opaque position in it; 0 without one."""
    ids: Annotated[list[Hash32], Meta(max_length=32)] = []
    """Tokens of the arguments that look like ids: with digits or path signs."""
    words: Annotated[list[Hash32], Meta(max_length=32)] = []
    """Plain words of the arguments."""
    steps: Annotated[list[Hash32], Meta(max_length=16)] = []
    """Plain numbers of the arguments."""
    said: Annotated[list[Hash32], Meta(max_length=32)] = []
    """Lines of prose that the arguments carry: the agent's own words are no news when they come back."""
    body: Hash32 = 0
    """Content that the arguments carry; 0 without it."""
    body_shape: Hash32 = 0
    """The same with digits and volatile parts masked."""
    prose: bool = False
    """The longest argument is free prose."""
    leaves: Annotated[int, Meta(ge=0)] = 0
    """Values in the arguments."""
    grid: bool = False
    """The arguments are three and more names or numbers: a point among many."""
    command: bool = False
    """The arguments are one command line."""
    wait: bool = False
    """The call only lets time pass."""

    cores: Annotated[list[Hash32], Meta(max_length=32)] = []
    """Lines of a short answer without serial numbers, where it has some."""
    vocab: Annotated[list[Hash32], Meta(max_length=96)] = []
    """Words of a short answer: another wording of what is known has no new one."""
    figures: Annotated[int, Meta(ge=0)] = 0
    """Numbers in a short answer."""
    issued: Annotated[list[Hash32], Meta(max_length=8)] = []
    """Serial numbers of a short answer that is no list: handles that a later call is given."""

    @property
    def telling(self) -> int:
        """Lines that say something beside the arguments."""
        return max(0, self.total - self.own)

    @property
    def mere_echo(self) -> bool:
        """The answer brings nothing but the arguments: all of it, or what a command line was told to print."""
        return self.echo and (self.command or self.own >= self.total)
