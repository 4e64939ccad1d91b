"""From raw records to work: what counts as applied, replayed, dead; and how a detector's fault is survived."""

from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from detectors.engine import Engine
from detectors.events import Event
from detectors.outcome import Outcome
from detectors.rules import RuleBook, Rules
from detectors.state import RootState
from streams.batches import Batch
from streams.breaker import Breaker
from streams.census import Census
from streams.codec import decode_command, partition_for
from streams.judging import Judge
from streams.partition import Partition
from streams.record import PROGRESS_KEY, decode_progress, decode_state

TOPICS = ("steps", "operator", "acks")
NOW = 5_000.0


class Faulty(Engine):
    """Fails at one seq, after it has already changed the state."""

    bad_seq = -1

    def apply(self, root: RootState, event: Event, **kwargs: Any) -> Outcome:
        outcome = super().apply(root, event, **kwargs)
        if getattr(event, "seq", None) == self.bad_seq:
            raise ZeroDivisionError("a rule divided by nothing")
        return outcome


def judge(engine: Engine | None = None, breaker: Breaker | None = None) -> Judge:
    engine = engine or Engine(RuleBook(Rules()), assume_delivery=True)
    return Judge(engine, TOPICS, 1, lambda: NOW, Census(), breaker or Breaker(1.0, 60.0, 999), embedded=False)


def record(offset: int, value: bytes | None, key: bytes | None = b"r") -> Any:
    return SimpleNamespace(
        topic="steps", partition=0, offset=offset, key=key, value=value, headers=(), timestamp=4_000_000
    )


def step(seq: int, run: str = "r", **more: Any) -> bytes:
    fields = {
        "run_id": run,
        "seq": seq,
        "tool": "t",
        "args": {"q": 1},
        "result": "same",
        "turn": seq,
        "ts": 10.0 * seq,
    }
    return orjson.dumps({**fields, **more})


def batch(records: list[Any], topic: str = "steps") -> Batch:
    return Batch(
        SimpleNamespace(topic=topic, partition=0), records[0].offset, records[-1].offset + 1, 1, records
    )


def steps_of(partition: Partition, key: bytes = b"r") -> int:
    run = partition.load(key).root.runs[key.decode()]
    assert run.life is not None
    return run.life.steps


def test_states_are_written_once_a_root_with_the_progress_last() -> None:
    partition = Partition(0, {})
    work = judge().batch(partition, batch([record(i, step(i)) for i in range(4)]))
    assert [key for key, _ in work.states] == [b"r", PROGRESS_KEY]
    assert work.counts == {"applied": 4}
    assert decode_state(work.states[0][1] or b"")[0] == [3, -1, -1]
    assert decode_progress(work.states[1][1] or b"").judged == [4, 0, 0]
    assert (work.upto, work.input, work.oldest) == (4, 0, 4_000.0)


def test_what_the_state_includes_is_not_applied_again() -> None:
    partition, records = Partition(0, {}), [record(i, step(i)) for i in range(4)]
    judge().batch(partition, batch(records))
    again = judge().batch(partition, batch([*records, record(4, step(4))]))
    assert again.counts == {"replayed": 4, "applied": 1}
    assert steps_of(partition) == 5


def test_a_state_ahead_of_the_progress_is_not_applied_again_either() -> None:
    """A crash in the middle of the changelog batches: the root's own `applied` decides."""
    partition = Partition(0, {})
    judge().batch(partition, batch([record(i, step(i)) for i in range(4)]))
    partition.judged[0] = 1
    work = judge().batch(partition, batch([record(i, step(i)) for i in range(1, 6)]))
    assert work.counts == {"replayed": 3, "applied": 2}


def test_unreadable_records_are_dead_letters_and_move_the_progress() -> None:
    partition = Partition(0, {})
    work = judge().batch(
        partition, batch([record(0, b"{"), record(1, None), record(2, step(0), key=b"else")])
    )
    assert [letter.reason for letter in work.dead] == ["invalid_json", "empty", "wrong_key"]
    assert [letter.record.offset for letter in work.dead] == [0, 1, 2]
    assert [key for key, _ in work.states] == [PROGRESS_KEY], (
        "a commit must not be ahead of the durable progress"
    )


def test_nobody_may_have_the_key_of_the_progress() -> None:
    run = PROGRESS_KEY.decode()
    work = judge().batch(Partition(0, {}), batch([record(0, step(0, run), key=PROGRESS_KEY)]))
    assert [letter.reason for letter in work.dead] == ["wrong_key"]


@pytest.mark.parametrize("bad_seq", [0, 2, 4])
def test_a_fault_of_the_detector_costs_its_record_and_nothing_else(bad_seq: int) -> None:
    engine = Faulty(RuleBook(Rules()), assume_delivery=True)
    engine.bad_seq = bad_seq
    partition = Partition(0, {})
    first = judge(engine).batch(partition, batch([record(i, step(i)) for i in range(3)]))
    second = judge(engine).batch(partition, batch([record(i, step(i)) for i in range(3, 6)]))
    dead = [*first.dead, *second.dead]
    assert [(letter.reason, letter.record.offset) for letter in dead] == [("detector_error", bad_seq)]
    assert "ZeroDivisionError" in dead[0].detail
    assert steps_of(partition) == 5
    assert partition.load(b"r").applied[0] == 5


def test_a_key_that_another_partitioner_placed_is_counted_and_judged() -> None:
    key = next(k for k in (f"run-{i}".encode() for i in range(99)) if partition_for(k, 4) != 0)
    engine = Engine(RuleBook(Rules()))
    other = Judge(engine, TOPICS, 4, lambda: NOW, Census(), Breaker(1.0, 60.0, 9), embedded=False)
    partition = Partition(0, {})
    work = other.batch(partition, batch([record(0, step(0, key.decode()), key=key)]))
    assert work.counts == {"misrouted": 1}
    assert steps_of(partition, key) == 1


def test_a_state_that_cannot_be_read_is_given_up_and_counted() -> None:
    work = judge().batch(Partition(0, {b"r": b"\x01rubbish"}), batch([record(0, step(0))]))
    assert work.resets == {"unreadable": 1}
    assert work.counts == {"applied": 1}


def stuck(count: int) -> list[Any]:
    return [record(i, step(i)) for i in range(count)]


def test_halts_are_held_by_the_breaker_and_go_out_when_it_closes() -> None:
    breaker = Breaker(share=0.01, window_s=60.0, least=0)
    made, partition = judge(breaker=breaker), Partition(0, {})
    work = made.batch(partition, batch(stuck(60)))
    actions = [decode_command(e.value).action for e in work.entries if e.topic == "control"]
    assert "halt" not in actions
    assert len(work.withheld) == 1
    held = [e for e in partition.load(b"r").outbox if e.held]
    assert [decode_command(e.value).action for e in held] == ["halt"]
    later = made.unhold(partition)
    assert later is not None
    assert [e.value for e in later.entries] == [e.value for e in held]
    assert made.unhold(partition) is None


def test_a_held_halt_survives_a_restart_and_is_not_sent_by_it() -> None:
    made, partition = judge(breaker=Breaker(0.01, 60.0, 0)), Partition(0, {})
    made.batch(partition, batch(stuck(60)))
    after = Partition(0, partition.values)
    after.open()
    work = made.reopen(after)
    assert "halt" not in [decode_command(e.value).action for e in work.entries if e.topic == "control"]
    assert after.held == {b"r"}


def test_effects_leave_the_outbox_when_they_are_settled() -> None:
    made, partition = judge(), Partition(0, {})
    made.batch(partition, batch(stuck(30)))
    assert partition.load(b"r").outbox
    partition.settled[0] = 30
    made.batch(partition, batch([record(30, step(30))]))
    assert all(entry.offset >= 30 for entry in partition.load(b"r").outbox)


def test_what_the_engine_refuses_is_a_dead_letter() -> None:
    engine = Engine(RuleBook(Rules(engine="classic")))
    partition = Partition(0, {})
    value = orjson.dumps({"run_id": "r", "seq": 0, "tool": "t", "features": {}})
    work = judge(engine).batch(partition, batch([record(0, value), record(1, step(1))]))
    assert [(letter.reason, letter.record.offset) for letter in work.dead] == [("refused", 0)]
    assert "classic" in work.dead[0].detail
    assert work.counts == {"refused": 1, "applied": 1}


def test_an_ended_run_leaves_the_control_topic_and_then_the_changelog() -> None:
    clock = [NOW]
    rules = Rules(retention_s=7200.0)
    engine = Engine(RuleBook(rules), assume_delivery=True)
    made = Judge(engine, TOPICS, 1, lambda: clock[0], Census(), Breaker(1.0, 60.0, 999), embedded=False)
    partition = Partition(0, {})
    ended = orjson.dumps({"kind": "run_ended", "run_id": "r", "seq": 60, "outcome": "failed"})
    work = made.batch(partition, batch([*stuck(60), record(60, ended)]))
    halt = next(
        c for c in map(decode_command, (e.value for e in work.entries if e.topic == "control")) if c.rung == 4
    )
    ack = orjson.dumps({"run_id": "r", "command_id": halt.command_id, "status": "done"})
    made.batch(partition, batch([record(0, ack)], topic="acks"))
    partition.settled[:3] = [61, 0, 1]

    def tick(at: float) -> Any:
        clock[0] = at
        work = made.tick(partition, at)
        if work is not None:
            partition.settled[work.input] = work.upto
        return work

    assert tick(4_000 + 60) is None
    tombstone = tick(4_000 + 3_601)
    assert [(e.topic, e.key, e.value) for e in tombstone.entries] == [("control", b"r", None)]
    assert b"r" in partition.values
    gone = tick(4_000 + 7_201)
    assert (b"r", None) in gone.states
    assert b"r" not in partition.values
    assert tick(4_000 + 90_000) is None
