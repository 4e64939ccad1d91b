"""What a call does, by the host's word and by the hint of its name."""

import pytest

from detectors.effects import NAME_WEIGHT, declared, is_wait, named


@pytest.mark.parametrize(
    ("tool", "effect"),
    [
        ("read_file", "read"),
        ("listDocs", "read"),
        ("crm_upsert", "write"),
        ("TodoWrite", "plan"),
        ("bash", "run"),
        ("wait_for", "wait"),
        ("send_mail", "message"),
        ("x7", "unknown"),
        ("", "unknown"),
        ("データ", "unknown"),
    ],
)
def test_names_hint(tool: str, effect: str) -> None:
    assert named(tool) == effect


def test_only_known_words_are_declarations() -> None:
    assert declared("write") == "write"
    assert declared("unknown") is None
    assert declared("teleport") is None
    assert declared(None) is None


def test_a_name_counts_half_against_what_was_done() -> None:
    assert NAME_WEIGHT == 0.5


@pytest.mark.parametrize(
    ("text", "wait"), [("sleep 5", True), ("sleep 5; tail -1 log", False), ("sleepy", False)]
)
def test_commands_that_only_wait(text: str, wait: bool) -> None:
    assert is_wait(text) == wait
