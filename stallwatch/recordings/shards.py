"""Runs by shares: what one process judges of a recording, the same on every machine and in every run."""

from xxhash import xxh3_64_intdigest

SHARDS = 64
"""Shares that a recording has, however many processes there are: a process judges whole shares."""


def shard_of(root_id: str) -> int:
    """The share of a root and all its runs, 0 … `SHARDS` - 1."""
    return xxh3_64_intdigest(root_id.encode("utf-8", "surrogatepass")) % SHARDS
