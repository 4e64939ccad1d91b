"""Subscribers: what is known before, during and after the reading of the control topic."""

import asyncio
import queue
import threading
from typing import Any

import msgspec
import pytest

from detectors.events import Action, Command
from stallwatch.clients import control_tail
from stallwatch.clients.subscriber import AsyncControlSubscriber, ControlSubscriber, NotReadyError
from stallwatch.testing import FakeBroker
from streams.codec import decode_ack, encode, partition_for

CONTROL = "stallwatch.control"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control_tail, "FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr(control_tail, "POLL_S", 0.01)


def command(
    action: Action, version: int, attempt: int = 0, run_id: str = "r-81", root_run_id: str | None = None
) -> Command:
    return Command(
        command_id=f"{run_id}-{attempt}-{version}-{action}",
        run_id=run_id,
        action=action,
        version=version,
        attempt=attempt,
        root_run_id=root_run_id,
    )


def test_before_the_reading_the_choice_counts() -> None:
    broker = FakeBroker()
    broker.command(command("halt", 1))
    broker.down = True
    with ControlSubscriber(transport=broker) as asking:
        assert asking.ready is False
        assert asking.wait_ready(0.01) is False
        assert asking.contact_age_s is None
        with pytest.raises(NotReadyError, match="wait_ready"):
            asking.is_halted("r-81", 0)
        with ControlSubscriber(transport=broker, when_not_ready="open") as trusting:
            assert trusting.is_halted("r-81", 0) is False
        with ControlSubscriber(transport=broker, when_not_ready="closed") as careful:
            assert careful.is_halted("anybody", 0) is True
            broker.down = False
            assert careful.wait_ready(30)
            assert careful.is_halted("anybody", 0) is False
            assert careful.is_halted("r-81", 0) is True
        assert asking.wait_ready(30)
        assert asking.is_halted("r-81", 0) is True
        assert asking.contact_age_s is not None
    with pytest.raises(NotReadyError, match="closed"):
        asking.is_halted("r-81", 0)


def test_a_late_start_sees_every_halt_that_stands() -> None:
    broker = FakeBroker(partitions=12)
    for n in range(100):
        broker.command(command("notice", 1, run_id=f"r-{n}"))
        broker.command(command("halt", 2, run_id=f"r-{n}"))
    for n in range(0, 100, 4):
        broker.command(command("release", 3, run_id=f"r-{n}"))
    for n in range(0, 100, 10):
        broker.tombstone(f"r-{n}")
    with ControlSubscriber(transport=broker) as control:
        assert control.wait_ready(30)
        halted = {n for n in range(100) if control.is_halted(f"r-{n}", 0)}
        assert halted == {n for n in range(100) if n % 4 and n % 10}
        assert len(control.commands()) == 90
        assert control.reads == {"applied": 225, "superseded": 0, "tombstone": 10, "malformed": 0}


def test_callbacks_hear_the_latest_of_before_and_everything_after_once() -> None:
    broker = FakeBroker()
    broker.command(command("notice", 1))
    broker.command(command("halt", 2))
    heard: queue.Queue[tuple[str, str]] = queue.Queue()
    with ControlSubscriber(transport=broker) as control:
        control.on_command(lambda c: heard.put(("new", c.command_id)), existing=False)
        control.on_command(lambda c: heard.put(("all", c.command_id)))
        assert heard.get(timeout=30) == ("all", "r-81-0-2-halt")
        assert control.ready
        control.on_command(lambda c: heard.put(("late", c.command_id)))
        assert heard.get(timeout=30) == ("late", "r-81-0-2-halt")
        for again in (command("halt", 2), command("notice", 1), command("release", 3), command("release", 3)):
            broker.command(again)
        assert {heard.get(timeout=30) for _ in range(3)} == {
            (who, "r-81-0-3-release") for who in ("new", "all", "late")
        }
        broker.command(command("notice", 0, attempt=1))
        assert {heard.get(timeout=30) for _ in range(3)} == {
            (who, "r-81-1-0-notice") for who in ("new", "all", "late")
        }
        assert control.is_halted("r-81", 0) is True  # superseded
        assert control.is_halted("r-81", 1) is False
    assert heard.empty()


def test_a_slow_callback_does_not_hold_up_the_answers() -> None:
    broker = FakeBroker()
    entered, go_on = threading.Event(), threading.Event()

    def slow(given: Command) -> None:
        entered.set()
        assert go_on.wait(30)

    heard: queue.Queue[str] = queue.Queue()
    with ControlSubscriber(transport=broker) as control:
        control.on_command(slow)
        assert control.wait_ready(30)
        broker.command(command("halt", 1, run_id="first"))
        assert entered.wait(30)
        broker.command(command("halt", 1, run_id="second"))
        while not control.is_halted("second", 0):
            threading.Event().wait(0.001)
        control.on_command(lambda c: heard.put(c.run_id), existing=True)
        go_on.set()
        assert {heard.get(timeout=30), heard.get(timeout=30)} == {"first", "second"}


def test_what_is_malformed_is_counted_and_skipped() -> None:
    broker = FakeBroker(partitions=1)
    for value in (b"", b"{", b'{"action":"halt"}', b"\xff"):
        broker.produce(CONTROL, b"r-81", value)
    broker.command(command("halt", 1))
    with ControlSubscriber(transport=broker) as control:
        assert control.wait_ready(30)
        assert control.is_halted("r-81", 0)
        assert control.reads["malformed"] == 4


def test_after_an_outage_reading_goes_on_where_it_was(caplog: pytest.LogCaptureFixture) -> None:
    broker = FakeBroker()
    broker.command(command("halt", 1))
    heard: queue.Queue[str] = queue.Queue()
    with ControlSubscriber(transport=broker) as control:
        control.on_command(lambda c: heard.put(c.command_id))
        assert heard.get(timeout=30) == "r-81-0-1-halt"
        broker.down = True
        before = broker.attempts
        while broker.attempts < before + 4:
            threading.Event().wait(0.001)
        assert control.ready  # what was read holds
        assert control.is_halted("r-81", 0)
        broker.command(command("release", 2))
        broker.down = False
        assert heard.get(timeout=30) == "r-81-0-2-release"
        assert control.reads["superseded"] == 0  # not read again from the beginning
    assert "the control topic is reached again" in caplog.text


def test_new_partitions_are_read_from_their_beginning() -> None:
    broker = FakeBroker(partitions=1)
    broker.command(command("halt", 1, run_id="old"))
    heard: queue.Queue[str] = queue.Queue()
    with ControlSubscriber(transport=broker, refresh_s=0.01) as control:
        control.on_command(lambda c: heard.put(c.run_id))
        assert heard.get(timeout=30) == "old"
        broker.grow(CONTROL, 3)
        broker.produce(CONTROL, b"new", encode(command("halt", 1, run_id="new")), partition=2)
        assert heard.get(timeout=30) == "new"
        assert control.is_halted("old", 0)
        assert control.reads["superseded"] == 0


def test_acknowledgements_go_to_the_roots_partition() -> None:
    broker = FakeBroker(partitions=12)
    with ControlSubscriber(transport=broker, by="orchestrator-1") as control:
        assert control.acknowledge(
            command("halt", 3, attempt=2, run_id="child", root_run_id="root"), "done", "pid 7"
        )
        assert control.acknowledge(command("halt", 1), "refused")
        assert control.flush(30)
        assert control.acks_dropped == 0
    records = {record.key: record for record in broker.records("stallwatch.acks")}
    assert all(record.partition == partition_for(key, 12) for key, record in records.items())
    ack = decode_ack(b"root", records[b"root"].value)
    assert (ack.command_id, ack.run_id, ack.root_run_id) == ("child-2-3-halt", "child", "root")
    assert (ack.attempt, ack.status, ack.by, ack.detail) == (2, "done", "orchestrator-1", "pid 7")
    assert isinstance(ack.at, float)
    assert msgspec.json.decode(records[b"r-81"].value or b"").keys() == {
        "command_id", "run_id", "status", "by", "at"
    }  # fmt: skip


def test_acknowledgements_wait_for_a_broker_that_is_away() -> None:
    broker = FakeBroker()
    with ControlSubscriber(transport=broker) as control:
        assert control.wait_ready(30)
        broker.down = True
        assert control.acknowledge(command("halt", 1), "accepted")
        assert control.flush(0.01) is False
        broker.down = False
        assert control.flush(30)
    assert len(broker.events("stallwatch.acks")) == 1


def test_acknowledgements_that_cannot_be_sent_are_counted() -> None:
    broker = FakeBroker()
    broker.down = True
    control = ControlSubscriber(transport=broker)
    control.acknowledge(command("halt", 1), "done")
    assert control.close(0) is False
    assert control.acks_dropped == 1
    assert control.acknowledge(command("halt", 1), "done") is False
    assert control.acks_dropped == 2
    assert control.close() is True


def test_mistakes_of_the_caller_are_told() -> None:
    broker = FakeBroker()
    with pytest.raises(ValueError, match="'maybe'"):
        ControlSubscriber(transport=broker, when_not_ready="maybe")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="refresh_s"):
        ControlSubscriber(transport=broker, refresh_s=0)
    with ControlSubscriber(transport=broker) as control, pytest.raises(ValueError, match="accepted, done"):
        control.acknowledge(command("halt", 1), "ok")  # type: ignore[arg-type]


def test_closing_from_a_callback_ends_it() -> None:
    broker = FakeBroker()
    broker.command(command("halt", 1))
    closed: queue.Queue[bool] = queue.Queue()
    control = ControlSubscriber(transport=broker)
    control.on_command(lambda c: closed.put(control.close()))
    assert closed.get(timeout=30) is True
    assert control.ready is False


def test_a_callback_that_is_going_on_may_acknowledge_before_the_end() -> None:
    broker = FakeBroker()
    broker.command(command("halt", 1))
    entered, go_on = threading.Event(), threading.Event()
    control = ControlSubscriber(transport=broker)

    def obey(given: Command) -> None:
        entered.set()
        assert go_on.wait(30)
        assert control.acknowledge(given, "done")

    control.on_command(obey)
    assert entered.wait(30)
    threading.Timer(0.05, go_on.set).start()
    assert control.close(30) is True
    assert len(broker.events("stallwatch.acks")) == 1


def test_a_callback_that_never_ends_does_not_keep_the_subscriber_open() -> None:
    broker = FakeBroker()
    broker.command(command("halt", 1))
    entered, go_on = threading.Event(), threading.Event()
    control = ControlSubscriber(transport=broker)
    control.on_command(lambda given: (entered.set(), go_on.wait(30)))
    assert entered.wait(30)
    assert control.close(0.01) is False
    assert control.ready is False
    go_on.set()


async def test_closing_the_async_twin_from_a_callback_ends_it() -> None:
    broker = FakeBroker()
    broker.command(command("halt", 1))
    done = asyncio.Event()
    control = AsyncControlSubscriber(transport=broker)

    async def obey(given: Command) -> None:
        control.acknowledge(given, "done")
        assert await control.flush(30)
        done.set()
        await control.close(30)

    control.on_command(obey)
    await control.start()
    await done.wait()
    while control.ready:
        await asyncio.sleep(0)
    assert len(broker.events("stallwatch.acks")) == 1


async def test_the_async_twin_reads_calls_and_acknowledges_in_its_loop() -> None:
    broker = FakeBroker()
    broker.command(command("halt", 1))
    heard: asyncio.Queue[Any] = asyncio.Queue()
    control = AsyncControlSubscriber(transport=broker, by="me")

    async def obey(given: Command) -> None:
        control.acknowledge(given, "done")
        await heard.put((given.command_id, threading.get_ident()))

    control.on_command(obey)
    with pytest.raises(NotReadyError):
        control.is_halted("r-81", 0)
    async with control:
        assert await control.wait_ready(30)
        assert control.is_halted("r-81", 0)
        assert await heard.get() == ("r-81-0-1-halt", threading.get_ident())
        broker.command(command("release", 2))
        assert (await heard.get())[0] == "r-81-0-2-release"
        assert await control.flush(30)
    assert [ack["command_id"] for ack in broker.events("stallwatch.acks")] == [
        "r-81-0-1-halt",
        "r-81-0-2-release",
    ]
    assert [task for task in asyncio.all_tasks() if "stallwatch" in task.get_name()] == []
    assert control.ready is False
    assert await control.wait_ready(0.01) is False
    assert await control.close() is True


async def test_the_async_twin_gives_up_at_its_end() -> None:
    broker = FakeBroker()
    broker.down = True
    control = AsyncControlSubscriber(transport=broker)
    assert await control.wait_ready(0.01) is False
    control.acknowledge(command("halt", 1), "done")
    assert await control.close(0.01) is False
    assert control.acks_dropped == 1
