"""The publishers: order, keys, gaps, and an agent that is never blocked or broken."""

import asyncio
import threading
from collections import defaultdict
from typing import Any

import pytest

from stallwatch.clients.publisher import AsyncStepPublisher, StepPublisher
from stallwatch.clients.publishing import DROP_REASONS, MAX_RUNS
from stallwatch.testing import FakeBroker
from streams.codec import decode_steps, encode, partition_for

NOTHING = dict.fromkeys(DROP_REASONS, 0)


def seqs(broker: FakeBroker) -> dict[str, list[int]]:
    """Run → `seq`s in the order of its partition."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for record in broker.records("stallwatch.steps"):
        event: Any = decode_steps(record.key, record.value)
        found[event.run_id].append(event.seq)
    return dict(found)


def test_steps_of_many_runs_stand_in_order_in_the_partition_of_their_key() -> None:
    broker = FakeBroker(partitions=12)
    with StepPublisher(transport=broker) as publisher:
        for _ in range(30):
            for run in range(50):
                publisher.run(f"run-{run}").step(tool="bash")
    assert seqs(broker) == {f"run-{run}": list(range(30)) for run in range(50)}
    assert all(r.partition == partition_for(r.key, 12) for r in broker.records("stallwatch.steps"))
    assert publisher.dropped == NOTHING


def test_threads_share_a_run_without_gaps_or_disorder() -> None:
    broker = FakeBroker()
    with StepPublisher(transport=broker, run_id="r") as publisher:
        threads = [
            threading.Thread(target=lambda: [publisher.step(tool="bash") for _ in range(200)])
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert seqs(broker) == {"r": list(range(800))}


def test_a_full_buffer_drops_the_newest_and_leaves_a_gap() -> None:
    broker = FakeBroker()
    broker.down = True
    with StepPublisher(transport=broker, run_id="r", buffer_records=5) as publisher:
        assert [publisher.step(tool="bash") for _ in range(8)] == list(range(8))
        assert publisher.dropped == NOTHING | {"buffer_full": 3}
        assert publisher.waiting == 5
        broker.down = False
        assert publisher.flush(30)
        assert publisher.step(tool="bash") == 8
    assert seqs(broker) == {"r": [0, 1, 2, 3, 4, 8]}


def test_the_buffer_is_bounded_in_bytes() -> None:
    broker = FakeBroker()
    broker.down = True
    with StepPublisher(transport=broker, run_id="r", buffer_bytes=50_000) as publisher:
        for _ in range(100):
            publisher.step(tool="bash", result="x" * 1000)
        assert 40_000 < publisher.waiting_bytes <= 50_000
        assert publisher.dropped["buffer_full"] + publisher.waiting == 100
        publisher.close(0)


def test_what_could_not_be_delivered_before_the_end_is_counted() -> None:
    broker = FakeBroker()
    broker.down = True
    publisher = StepPublisher(transport=broker, run_id="r")
    publisher.step(tool="bash")
    assert publisher.flush(0.01) is False
    assert publisher.close(0) is False
    assert publisher.dropped["undelivered"] == 1
    assert publisher.step(tool="bash") == 1  # an agent that goes on is not disturbed
    assert publisher.dropped["closed"] == 1
    assert publisher.close() is True
    assert publisher.flush() is True


def test_a_record_that_the_broker_refuses_is_counted() -> None:
    broker = FakeBroker(max_record_bytes=500)
    with StepPublisher(transport=broker, run_id="r") as publisher:
        publisher.step(tool="bash")
        publisher.step(tool="bash", result="x" * 1000)
        publisher.step(tool="bash")
        assert publisher.flush(30)
        assert publisher.dropped == NOTHING | {"rejected": 1}
        assert publisher.delivered == 2
    assert seqs(broker) == {"r": [0, 2]}


def test_a_defect_in_the_encoding_is_counted_and_leaves_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    broker = FakeBroker()
    with StepPublisher(transport=broker, run_id="r") as publisher:
        with monkeypatch.context() as patch:
            patch.setattr("stallwatch.clients.publishing.encode", lambda event: 1 // 0)
            assert publisher.step(tool="bash") == 0
        assert publisher.step(tool="bash") == 1
        assert publisher.dropped == NOTHING | {"unencodable": 1}
    assert seqs(broker) == {"r": [1]}


def test_a_handle_is_found_again_until_its_run_has_ended() -> None:
    with StepPublisher(transport=FakeBroker()) as publisher:
        first = publisher.run("r")
        assert publisher.run("r") is first
        first.run_ended("completed")
        second = publisher.run("r")
        assert second.attempt > first.attempt
        assert second.next_seq == 0
        assert publisher.run("r", attempt=7).attempt == 7
        assert publisher.run("r").attempt == 7


def test_attempts_that_are_made_up_are_the_time_and_never_equal() -> None:
    with StepPublisher(transport=FakeBroker()) as publisher:
        attempts = [publisher.run(f"r-{n}").attempt for n in range(100)]
    assert attempts == sorted(set(attempts))
    assert attempts[0] > 1_600_000_000_000


def test_a_process_may_go_on_with_the_attempt_of_an_earlier_one() -> None:
    broker = FakeBroker()
    with StepPublisher(transport=broker) as publisher:
        assert publisher.run("r", attempt=3, first_seq=40).step(tool="bash") == 40
        with pytest.raises(ValueError, match="first_seq"):
            publisher.run("s", first_seq=-1)
    assert seqs(broker) == {"r": [40]}


def test_a_signal_handler_may_record_while_the_agent_does(monkeypatch: pytest.MonkeyPatch) -> None:
    broker = FakeBroker()
    with StepPublisher(transport=broker, run_id="r") as publisher:

        def interrupted(event: Any) -> bytes:
            monkeypatch.undo()
            publisher.run_ended("cancelled")  # what a handler does that comes in the middle of `step`
            return encode(event)

        monkeypatch.setattr("stallwatch.clients.publishing.encode", interrupted)
        assert publisher.step(tool="bash") == 0
    assert sorted(seqs(broker)["r"]) == [0, 1]


@pytest.mark.parametrize("attempt", [-1, 1.5, "2", True, 2**60])
def test_an_attempt_that_is_none_is_refused(attempt: Any) -> None:
    with pytest.raises(ValueError, match="attempt"):
        StepPublisher(transport=FakeBroker(), run_id="r", attempt=attempt)


def test_the_handles_that_are_remembered_are_bounded() -> None:
    with StepPublisher(transport=FakeBroker()) as publisher:
        first = publisher.run("first")
        for n in range(MAX_RUNS):
            publisher.run(f"r-{n}")
        assert publisher.run("first") is not first
        assert len(publisher._runs) == MAX_RUNS


def test_without_a_run_of_its_own_a_publisher_says_what_to_do() -> None:
    with StepPublisher(transport=FakeBroker()) as publisher, pytest.raises(TypeError, match="run_id"):
        publisher.step(tool="bash")


def test_the_topic_has_the_prefix() -> None:
    broker = FakeBroker()
    with StepPublisher(transport=broker, run_id="r", topic_prefix="team.") as publisher:
        publisher.step(tool="bash")
    assert len(broker.events("team.steps")) == 1


def test_content_stays_behind_when_asked() -> None:
    broker = FakeBroker()
    with StepPublisher(transport=broker, run_id="r", content=False) as publisher:
        publisher.step(tool="bash", args={"command": "cat secret"}, result="hunter2", error="hunter2")
        publisher.user_input("hunter2")
        publisher.run_ended("failed", claim="hunter2")
    values = [record.value or b"" for record in broker.records("stallwatch.steps")]
    assert len(values) == 3
    assert not any(b"hunter2" in value or b"secret" in value for value in values)
    assert "features" in broker.events()[0]


async def test_the_async_twin_sends_from_the_running_loop() -> None:
    broker = FakeBroker()
    threads = threading.active_count()
    publisher = AsyncStepPublisher(transport=broker, run_id="r")
    publisher.run_started()  # before the start: it waits
    assert publisher.waiting == 1
    async with publisher:
        publisher.step(tool="bash")
        await asyncio.to_thread(publisher.step, tool="bash")
        assert await publisher.flush(30)
        assert publisher.delivered == 3
        assert threading.active_count() <= threads + 1  # the one of `to_thread`
        publisher.run_ended("completed")
    assert seqs(broker) == {"r": [0, 1, 2, 3]}
    publisher.step(tool="bash")
    assert publisher.dropped == NOTHING | {"closed": 1}
    assert await publisher.close()


async def test_the_async_twin_gives_up_at_its_end() -> None:
    broker = FakeBroker()
    broker.down = True
    publisher = AsyncStepPublisher(transport=broker, run_id="r")
    await publisher.start()
    publisher.step(tool="bash")
    assert await publisher.flush(0.01) is False
    assert await publisher.close(0) is False
    assert publisher.dropped == NOTHING | {"undelivered": 1}
    assert [task for task in asyncio.all_tasks() if "stallwatch" in task.get_name()] == []
