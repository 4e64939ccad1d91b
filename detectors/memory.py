"""What one run remembers for judging. Bounded; array-like so that the changelog stays small."""

import msgspec


class Memory(msgspec.Struct, array_like=True):
    """Fresh for every attempt."""

    steps: int = 0
    last: str = ""
    repeats: int = 0
