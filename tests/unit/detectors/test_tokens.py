"""Words, ids and numbers of arguments."""

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
        hashes("7", "a-12"),
    )


def test_numbers_and_truths() -> None:
    assert tokens(("n", "on", "share"), [5, True, 0.5], {}) == ([], hashes("on=True"), hashes("5", "0.5"))


def test_commands_are_read_in_their_other_form() -> None:
    assert tokens(("cmd",), ["ls # x"], {"ls # x": "ls"})[1] == hashes("ls")


def test_bounded() -> None:
    ids, words, _ = tokens(("q",), [" ".join(f"id{i} word{'x' * i}" for i in range(100))], {})
    assert (len(ids), len(words)) == (MAX_IDS, MAX_WORDS)
