"""Rules as text: every field with its meaning, and strings that TOML reads back."""

import itertools
import tomllib
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from detectors.rules import Rules
from detectors.ruletext import allowed, quoted, show


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Annotated[int, Meta(ge=1, le=10)], "a whole number from 1 to 10"),
        (Annotated[float, Meta(gt=0.0, le=1.5)], "a number above 0 to 1.5"),
        (Literal["b", "a"], "one of a, b"),
        (Annotated[str, Meta(min_length=1, max_length=64)], "a text of 1 to 64 characters"),
        (Annotated[tuple[str, ...], Meta(max_length=64)], "a list of up to 64 texts"),
    ],
)
def test_what_a_field_may_be_in_words(kind: object, words: str) -> None:
    assert allowed(kind) == words


def test_every_field_is_shown_with_a_meaning() -> None:
    lines = show(Rules()).splitlines()
    for before, line in itertools.pairwise(lines):
        if " = " in line and not line.startswith("#"):
            assert before.startswith("# "), line
            assert len(before.split(" (")[0]) > 4, line


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_read_back(text: str) -> None:
    assert tomllib.loads(f"a = {quoted(text)}") == {"a": text}
