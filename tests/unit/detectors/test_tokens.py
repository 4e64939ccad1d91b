"""Words, ids and numbers of arguments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.canonical import short
from detectors.tokens import _TOKEN, MAX_IDS, MAX_WORDS, split, tokens


def hashes(*texts: str) -> list[int]:
    return [short(text.encode()) for text in texts]


@given(st.text(st.characters(max_codepoint=127)))
def test_text_is_split_at_the_same_borders_whatever_the_script(text: str) -> None:
    assert split(text) == _TOKEN.findall(text)
    assert split(text + "é") == _TOKEN.findall(text + "é")


def test_words_ids_and_numbers() -> None:
    assert tokens(("q",), ["Show order 7 of a-12"], {}) == (
        hashes("order 7", "a-12"),
        hashes("show", "order", "of"),
        hashes("7", "a12"),
    )


@pytest.mark.parametrize("written", ["A-0012", "a_0012", "a0012", "A.0012"])
def test_a_serial_number_is_counted_through_however_it_is_written(written: str) -> None:
    assert tokens(("id",), [written], {}) == (hashes(written), [], hashes("a0012"))


@pytest.mark.parametrize(
    ("text", "ids", "words"),
    [
        ("read_all_orders", ["read_all_orders"], ["read", "all", "orders"]),
        ("the well-known list", [], ["the", "well", "known", "list"]),
        ("well-known", ["well-known"], ["well", "known"]),
        ("Anna Berg", ["Anna Berg"], ["anna", "berg"]),
        ("anna berg", [], ["anna", "berg"]),
        ("anna", ["anna"], ["anna"]),
    ],
)
def test_names_are_ids_and_the_words_they_are_made_of(text: str, ids: list[str], words: list[str]) -> None:
    assert tokens(("q",), [text], {}) == (hashes(*ids), hashes(*words), [])


def test_a_command_of_one_word_is_no_name() -> None:
    assert tokens(("cmd",), ["ls"], {}) == ([], hashes("ls"), [])


def test_what_prose_beside_other_values_mentions_is_not_asked_about() -> None:
    note = "please tell them about order-7 today"
    assert tokens(("note",), [note], {})[0] == hashes("order-7")
    assert tokens(("note", "to"), [note, "Anna"], {})[0] == hashes("Anna")


def test_numbers_and_truths() -> None:
    assert tokens(("n", "on", "share"), [5, True, 0.5], {}) == ([], hashes("on=True"), hashes("5", "0.5"))


def test_commands_are_read_in_their_other_form() -> None:
    assert tokens(("cmd",), ["ls # x"], {"ls # x": "ls"})[1] == hashes("ls")


def test_bounded() -> None:
    ids, words, _ = tokens(("q",), [" ".join(f"id{i} word{'x' * i}" for i in range(100))], {})
    assert (len(ids), len(words)) == (MAX_IDS, MAX_WORDS)


@pytest.mark.parametrize(
    "text", ["order A-0012", "read_all_orders now", "a well-known way", "No. 7: /srv/app/a.py"]
)
def test_one_foreign_letter_changes_the_reading_of_nothing_else(text: str) -> None:
    ids, words, numbers = tokens(("q",), [f"{text} e"], {})
    foreign = tokens(("q",), [f"{text} é"], {})
    assert (foreign[0], foreign[2]) == (ids, numbers)
    assert set(words) - set(hashes("e")) <= set(foreign[1])
