"""Answers that say what is known: in other words, with other serial numbers, with one new line among many."""

import random
from collections.abc import Callable, Iterator

import pytest
from kinds import Raw
from kinds_calls import arrangements, judged, verdict, wordings

_NAMES = [
    "alma",
    "bert",
    "cora",
    "dirk",
    "elsa",
    "finn",
    "gina",
    "hugo",
    "inge",
    "jens",
    "kara",
    "lars",
    "mona",
    "nils",
]
_TOOLS = ["awl", "adze", "saw", "axe", "rasp", "vise"]

_RESTATED = (
    pytest.param(
        "faq",
        "question",
        ["opening", "hours", "depot", "noon", "dusk", "visitors", "today", "weekday", "gate"],
        [
            "the depot",
            "opens at noon",
            "and closes at dusk",
            "on working days",
            "once the bell",
            "was heard twice",
        ],
        id="english",
    ),
    pytest.param(
        "auskunft_holen",
        "anliegen",
        ["zimmer", "see", "bett", "pension", "ufer", "gasthof", "frühstück", "herberge", "nacht"],
        [
            "Im Haus am See",
            "sind noch zwei Zimmer frei",
            "mit Frühstück",
            "für drei Nächte",
            "und ohne Balkon",
        ],
        id="german",
    ),
    pytest.param(
        "buscar_norma",
        "texto",
        ["patente", "barco", "red", "puerto", "permiso", "pesca", "tarifa", "muelle", "lonja"],
        [
            "la pesca de arrastre",
            "pide un permiso",
            "que da el puerto",
            "cada primavera",
            "tras pagar la tasa",
        ],
        id="spanish",
    ),
)


def _told(tool: str, key: str, asked: Iterator[str], parts: list[str], calls: int) -> Iterator[Raw]:
    answers = arrangements(parts, seed=11, joint=" ")
    for _ in range(calls):
        yield tool, {key: next(asked)}, next(answers), {}, 6


@pytest.mark.parametrize(("tool", "key", "words", "parts"), _RESTATED)
def test_another_arrangement_of_known_words_is_no_news(
    tool: str, key: str, words: list[str], parts: list[str]
) -> None:
    run = list(_told(tool, key, wordings(words, size=3, seed=5), parts, 24))
    assert [j.since_news for j in judged(run)] == list(range(24))
    first = verdict(run).first
    assert first is not None
    assert first <= 15


@pytest.mark.parametrize(("tool", "key", "words", "parts"), _RESTATED)
def test_the_same_words_about_one_new_thing_after_the_other_are_news(
    tool: str, key: str, words: list[str], parts: list[str]
) -> None:
    run = list(_told(tool, key, iter(_NAMES), parts, len(_NAMES)))
    assert all(j.since_news == 0 for j in judged(run))
    assert verdict(run).highest == 0


def _request_numbers() -> Iterator[Raw]:
    chance = random.Random(2)
    asked = wordings(["lamp", "blue", "where", "order", "state", "late", "shelf", "hall"], size=3, seed=3)
    for _ in range(20):
        answer = (
            f"The order is kept in the hall\nrequest req-{chance.randint(10000, 99999)}\nask with this number"
        )
        yield "order_state", {"q": next(asked)}, answer, {}, 5


def _tickets() -> Iterator[Raw]:
    asked = wordings(
        ["drucker", "papier", "leer", "büro", "flur", "etage", "dringend", "stau"], size=3, seed=4
    )
    for i in range(20):
        yield (
            "störung_melden",
            {"text": next(asked)},
            {"vorgang": f"ticket-{i + 1:04d}", "zustand": "offen"},
            {},
            8,
        )


def _trace_ids() -> Iterator[Raw]:
    chance = random.Random(9)
    asked = wordings(["port", "mole", "quay", "tide", "crane", "berth", "rope", "buoy"], size=3, seed=6)
    for _ in range(20):
        trace = f"{chance.choice('bdf')}{chance.randint(10, 99)}{chance.choice('ace')}{chance.randint(1, 9)}"
        yield "ask_harbour", {"text": next(asked)}, f"Berth is kept for the ferry, trace {trace}", {}, 7


@pytest.mark.parametrize("kind", [_request_numbers, _tickets, _trace_ids], ids=lambda kind: kind.__name__)
def test_an_answer_that_is_new_in_its_serial_number_only_is_no_news(
    kind: Callable[[], Iterator[Raw]],
) -> None:
    run = list(kind())
    assert [j.since_news for j in judged(run)] == list(range(20))
    first = verdict(run).first
    assert first is not None
    assert first <= 12


def _with_one_more_line(
    tool: str, key: str, asked: Iterator[str], long: list[str], calls: int
) -> Iterator[Raw]:
    chance = random.Random(8)
    for _ in range(calls):
        odd = " ".join("".join(chance.choices("bdfgklmnprstvz" + "aeiou" * 3, k=8)) for _ in range(5))
        yield tool, {key: next(asked)}, "\n".join([*long, odd]), {}, 6


_THIN = (
    pytest.param(
        "inventory",
        "q",
        ["tools", "list", "where", "hall", "store", "show", "all", "rack"],
        [f"{name} keeps a {_TOOLS[i % 6]} in the hall" for i, name in enumerate(_NAMES)],
        id="english",
    ),
    pytest.param(
        "wetterbericht",
        "wo",
        ["küste", "binnen", "berg", "tal", "hafen", "stadt", "insel", "moor"],
        [f"Messstelle {name} meldet Wind aus Nord" for name in _NAMES],
        id="german",
    ),
)


@pytest.mark.parametrize(("tool", "key", "words", "long"), _THIN)
def test_one_new_line_in_a_long_known_answer_is_no_news(
    tool: str, key: str, words: list[str], long: list[str]
) -> None:
    run = list(_with_one_more_line(tool, key, wordings(words, size=3, seed=1), long, 24))
    assert [j.since_news for j in judged(run)] == list(range(24))
    first = verdict(run).first
    assert first is not None
    assert first <= 20


@pytest.mark.parametrize(("tool", "key", "words", "long"), _THIN)
def test_one_new_line_is_news_where_a_new_thing_is_asked_about(
    tool: str, key: str, words: list[str], long: list[str]
) -> None:
    run = list(_with_one_more_line(tool, key, (f"{n}-{i}" for i, n in enumerate(words * 2)), long, 16))
    assert all(j.since_news == 0 for j in judged(run))
    assert verdict(run).highest == 0
