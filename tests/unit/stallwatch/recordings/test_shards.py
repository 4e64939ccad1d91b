"""A root's share is the same everywhere, and the shares are about equal."""

from collections import Counter

from stallwatch.recordings.shards import SHARDS, shard_of


def test_the_share_of_a_root_is_the_same_in_every_process() -> None:
    assert [shard_of(name) for name in ("", "r-81", "Größe", "\ud800")] == [2, 24, 49, 16]


def test_shares_are_about_equal() -> None:
    counts = Counter(shard_of(f"run-{number}") for number in range(6400))
    assert len(counts) == SHARDS
    assert max(counts.values()) < 160
