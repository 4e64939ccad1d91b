"""Handles that an answer has just issued, as against the things of a list that are worked through."""

import random
from collections.abc import Callable, Iterator
from itertools import islice

import pytest
from kinds import Raw
from kinds_calls import arrangements, judged, verdict, wordings

_New = Callable[[random.Random], str]


def _hex(chance: random.Random) -> str:
    return f"{chance.getrandbits(32) | 0xA0000000:08x}"


def _mixed(chance: random.Random) -> str:
    return "".join(chance.choice("ghjkmpqrst") + chance.choice("123456789") for _ in range(4)) + "w"


_CASES = (
    pytest.param(
        ("start_query", "about", "query_rows", "query"),
        ["rows", "paid", "late", "open", "north", "south", "plain", "total"],
        ["the table keeps", "its rows to itself", "and asks the clerk", "for another one", "in spring"],
        _hex,
        id="hex",
    ),
    pytest.param(
        ("auftrag_anlegen", "zweck", "auftrag_ansehen", "kennung"),
        ["miete", "strom", "wasser", "heizung", "keller", "dach", "garten", "zaun"],
        ["Der Auftrag liegt", "beim Amt im Keller", "und wartet auf Post", "vom Bezirk", "seit gestern"],
        _mixed,
        id="letters-and-digits",
    ),
)


def _opened_and_read(
    tools: tuple[str, ...], words: list[str], answers: list[str], new: _New
) -> Iterator[Raw]:
    """Each is opened in other words and looked into once."""
    chance = random.Random(2)
    asked = wordings(words, size=3, seed=7)
    for answer in answers:
        handle = new(chance)
        yield tools[0], {tools[1]: next(asked)}, {tools[3]: handle, "accepted": True}, {}, 5
        yield tools[2], {tools[3]: handle}, answer, {}, 5


def _listed_and_read(
    tools: tuple[str, ...], words: list[str], answers: list[str], new: _New
) -> Iterator[Raw]:
    chance = random.Random(2)
    handles = [new(chance) for _ in answers]
    rows = [f"{handle} {words[i % 8]}" for i, handle in enumerate(handles)]
    yield tools[0], {tools[1]: "whatever there is"}, "\n".join(rows), {}, 5
    for handle, answer in zip(handles, answers, strict=True):
        yield tools[2], {tools[3]: handle}, answer, {}, 5


@pytest.mark.parametrize(("tools", "words", "parts", "new"), _CASES)
def test_what_a_handle_leads_to_in_known_words_is_no_news(
    tools: tuple[str, ...], words: list[str], parts: list[str], new: _New
) -> None:
    answers = list(islice(arrangements(parts, seed=3), 14))
    run = list(_opened_and_read(tools, words, answers, new))
    assert [j.since_news for j in judged(run)[1:]] == list(range(27))
    first = verdict(run).first
    assert first is not None
    assert first <= 16


@pytest.mark.parametrize(("tools", "words", "parts", "new"), _CASES)
def test_the_same_words_about_the_things_of_a_list_are_news(
    tools: tuple[str, ...], words: list[str], parts: list[str], new: _New
) -> None:
    answers = list(islice(arrangements(parts, seed=3), 14))
    run = list(_listed_and_read(tools, words, answers, new))
    assert all(j.since_news == 0 for j in judged(run))
    assert verdict(run).highest == 0


@pytest.mark.parametrize(("tools", "words", "parts", "new"), _CASES)
def test_an_equal_answer_weighs_more_behind_a_handle_than_in_a_list(
    tools: tuple[str, ...], words: list[str], parts: list[str], new: _New
) -> None:
    answers = [" ".join(parts)] * 14
    opened = [j.weight for j in judged(_opened_and_read(tools, words, answers, new))[3::2]]
    listed = [j.weight for j in judged(_listed_and_read(tools, words, answers, new))[2:]]
    assert min(opened) > 2 * max(listed)
    assert verdict(_listed_and_read(tools, words, answers, new)).highest == 0
