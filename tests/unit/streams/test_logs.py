"""Logs: one line an event, fields beside it, and libraries that cannot flood."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from streams.logs import LIMIT, NOISY, WINDOW_S, RateLimit, configure


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in NOISY}
    yield
    root.handlers[:] = before
    root.setLevel(level)
    for name, was in levels.items():
        logging.getLogger(name).setLevel(was)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_an_event_with_its_fields_as_json() -> None:
    stream = io.StringIO()
    configure("INFO", "json", stream=stream)
    log = logging.getLogger("stallwatch.test")
    log.debug("not written")
    log.info("halt published", extra={"fields": {"run_id": "r-81", "rung": 4, "event": "shadow"}})
    (line,) = lines(stream)
    assert line.pop("time").endswith("Z")
    assert line == {
        "level": "info",
        "logger": "stallwatch.test",
        "event": "halt published",
        "run_id": "r-81",
        "rung": 4,
        "event_": "shadow",
    }


def test_no_field_can_break_a_line() -> None:
    stream = io.StringIO()
    configure("INFO", "json", stream=stream)
    logging.getLogger("stallwatch.test").info(
        "odd", extra={"fields": {"a": float("nan"), "b": "x\n\ud800", "c": object, "d": b"\xff", 5: {1: 2}}}
    )
    (line,) = lines(stream)
    assert (line["a"], line["b"], line["d"], line["5"]) == (None, "x\n\ufffd", "\ufffd", {"1": 2})


def test_an_exception_is_within_its_line() -> None:
    stream = io.StringIO()
    configure("INFO", "json", stream=stream)
    try:
        raise KeyError("gone")
    except KeyError:
        logging.getLogger("stallwatch.test").exception("failed")
    (line,) = lines(stream)
    assert line["level"] == "error"
    assert "KeyError: 'gone'" in line["exception"]


def test_text_for_people() -> None:
    stream = io.StringIO()
    configure("DEBUG", "text", stream=stream)
    fields = {"run_id": "r-81", "why": "two words", "none": "", "quote": 'a"b', "nl": "a\nb"}
    logging.getLogger("stallwatch.test").warning("halt published", extra={"fields": fields})
    text = stream.getvalue()
    assert text.endswith(
        ' warning halt published run_id=r-81 why="two words" none="" quote="a\\"b" nl="a\\nb"\n'
    )


def test_configuring_again_replaces_the_handler() -> None:
    first, second = io.StringIO(), io.StringIO()
    configure(stream=first)
    configure(stream=second)
    logging.getLogger("stallwatch.test").info("once")
    assert first.getvalue() == ""
    assert len(lines(second)) == 1


def test_libraries_are_at_least_warnings() -> None:
    stream = io.StringIO()
    configure("DEBUG", stream=stream)
    logging.getLogger("aiokafka.conn").info("chatter")
    logging.getLogger("faust.app").debug("chatter")
    logging.getLogger("streams.batches").info("[^--BatchConsumer]: Starting...")
    assert stream.getvalue() == ""


def test_a_kafka_client_without_a_broker_cannot_flood() -> None:
    stream, clock = io.StringIO(), Clock()
    configure(stream=stream, clock=clock)
    client = logging.getLogger("aiokafka.client")
    for port in range(4300):
        client.error('Unable connect to "%s:%s": %s', "127.0.0.1", port, "refused")
        clock.now += 0.001
    assert len(lines(stream)) == LIMIT
    clock.now = WINDOW_S + 1
    client.error('Unable connect to "%s:%s": %s', "127.0.0.1", 1, "refused")
    assert lines(stream)[-1]["suppressed"] == 4300 - LIMIT


def test_another_kind_of_line_passes() -> None:
    stream = io.StringIO()
    configure(stream=stream, clock=Clock())
    for _ in range(10):
        logging.getLogger("aiokafka.client").error("one kind")
        logging.getLogger("aiokafka.consumer").error("one kind")
        logging.getLogger("aiokafka.client").error("another kind")
    assert len(lines(stream)) == 3 * LIMIT


def test_our_own_lines_are_never_held_back() -> None:
    stream = io.StringIO()
    configure(stream=stream, clock=Clock())
    for _ in range(50):
        logging.getLogger("stallwatch.pipeline").warning("one kind")
    assert len(lines(stream)) == 50


def test_made_up_templates_do_not_fill_the_memory() -> None:
    limit = RateLimit(Clock())
    for i in range(5000):
        limit.filter(logging.LogRecord("aiokafka", logging.ERROR, "", 0, f"template {i}", None, None))
    assert len(limit._seen) <= 512
