"""What is held of a partition: deadlines, decoded roots, unsettled effects."""

from streams.partition import MAX_DECODED, Partition
from streams.record import PROGRESS_KEY, Entry, Progress, encode_progress, encode_state


def test_deadlines_come_due_in_order_and_once() -> None:
    partition = Partition(0, {})
    for key, due in ((b"b", 20.0), (b"a", 10.0), (b"c", 99.0)):
        partition.schedule(key, due)
    assert partition.due(50.0, 10) == [b"a", b"b"]
    assert partition.due(50.0, 10) == []


def test_a_new_deadline_replaces_the_old_one() -> None:
    partition = Partition(0, {})
    partition.schedule(b"a", 10.0)
    partition.schedule(b"a", 30.0)
    partition.schedule(b"b", 10.0)
    partition.schedule(b"b", None)
    assert partition.due(20.0, 10) == []
    assert partition.due(30.0, 10) == [b"a"]


def test_a_tick_takes_no_more_than_it_may() -> None:
    partition = Partition(0, {})
    for number in range(5):
        partition.schedule(str(number).encode(), float(number))
    assert partition.due(9.0, 2) == [b"0", b"1"]
    assert partition.due(9.0, 9) == [b"2", b"3", b"4"]


def test_a_busy_partition_keeps_few_roots_decoded_and_all_values() -> None:
    partition = Partition(0, {})
    for number in range(MAX_DECODED + 10):
        live = partition.load(str(number).encode())
        partition.freeze(live)
    partition.trim()
    assert len(partition.live) == MAX_DECODED
    assert len(partition.values) == MAX_DECODED + 10
    assert partition.load(b"0").root.root_id == "0"


def test_the_progress_of_the_last_life_is_known_at_the_opening() -> None:
    partition = Partition(0, {PROGRESS_KEY: encode_progress(Progress([9, 4, 0], [7, 4, 0, 6]))})
    partition.open()
    assert (partition.judged, partition.settled, partition.ticks) == ([9, 4, 0], [7, 4, 0, 6], 6)


def test_only_effects_that_may_not_have_been_sent_are_sent_again() -> None:
    sent = Entry("control", b"a", b"1", 0, 3)
    doubtful = Entry("control", b"a", b"2", 0, 8)
    tick = Entry("verdicts", b"b", b"3", 3, 6)
    held = Entry("control", b"b", b"4", 0, 9, held=True)
    values = {
        b"a": encode_state([8, -1, -1], [sent, doubtful], b""),
        b"b": encode_state([9, -1, -1], [held, tick], b""),
        b"c": b"rubbish",
        PROGRESS_KEY: encode_progress(Progress([10, 0, 0], [8, 0, 0, 6])),
    }
    partition = Partition(0, values)
    partition.open()
    assert partition.unsettled() == [doubtful, tick]


def test_a_forgotten_root_leaves_nothing() -> None:
    partition = Partition(0, {})
    partition.freeze(partition.load(b"a"))
    partition.schedule(b"a", 1.0)
    partition.forget(b"a")
    assert not partition.values
    assert not partition.live
    assert partition.due(9.0, 9) == []
