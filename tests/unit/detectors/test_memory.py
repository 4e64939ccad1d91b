"""Bounded, ordered, the same after a way over bytes."""

import msgspec

from detectors.memory import Index, Memory, put


def test_membership_is_exact_up_to_the_bound() -> None:
    index = Index()
    for i in range(100):
        index.add(64, [i])
    assert all(i in index for i in range(40, 100))
    assert index.unseen([98, 99, 100, 101]) == {100, 101}


def test_it_never_holds_more_than_two_generations() -> None:
    index = Index()
    for i in range(10_000):
        index.add(64, [i, -i % 2**32, 7 * i % 2**32])
        assert len(index) <= 2 * 64 + 3
    index.add(64, range(5_000))
    assert len(index) <= 2 * 64


def test_what_is_seen_again_outlives_the_generations() -> None:
    index = Index()
    for i in range(1_000):
        index.add(64, [10**6, i])
    assert 10**6 in index
    assert 0 not in index


def test_put_keeps_the_youngest() -> None:
    entries: dict[int, str] = {}
    for i in range(6):
        put(entries, i, str(i), 4)
    put(entries, 3, "again", 4)
    assert list(entries.items()) == [(2, "2"), (4, "4"), (5, "5"), (3, "again")]


def test_a_memory_is_the_same_after_a_way_over_bytes() -> None:
    memory = Memory()
    memory.lines.add(512, [5, 3, 9])
    put(memory.numbers, 4, [1, 2], 16)
    memory.scores = [0.5, None]
    data = msgspec.msgpack.encode(memory)
    again = msgspec.msgpack.decode(data, type=Memory)
    assert msgspec.msgpack.encode(again) == data
    assert list(again.lines.young) == [5, 3, 9]
