"""What clients log becomes a line of the demo, once for each kind."""

import logging

import pytest

from stallwatch.demo.logged import logged_to


def test_a_burst_of_the_same_is_one_line_and_does_not_reach_standard_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])  # as in a process of its own
    said: list[str] = []
    with logged_to(said.append):
        for _ in range(20):
            logging.getLogger("aiokafka.conn").error("Unable connect to %s", "127.0.0.1:1")
        logging.getLogger("stallwatch.demo.orchestrator").warning("run %s is lost", "r")
        logging.getLogger("stallwatch.demo").info("too little to tell")
    assert said == ["Unable connect to 127.0.0.1:1", "run r is lost"]
    assert capsys.readouterr().err == ""
    logging.getLogger("aiokafka.conn").error("after it as before")
    assert len(said) == 2
