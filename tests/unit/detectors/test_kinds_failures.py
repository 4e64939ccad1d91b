"""Failures: reworded, moved on, at one thing after the other, and calls that cannot be made at all."""

from collections.abc import Iterator

import pytest
from kinds import Kind, Raw
from kinds_calls import TREES, arrangements, judged, verdict, wordings

# Reworded and moved on ----------------------------------------------------------------------------------------


def _lease() -> Iterator[Raw]:
    said = arrangements(
        ["the lease", "of the pool", "was not renewed", "because the keeper", "gave no sign"], seed=5
    )
    modes = wordings(["fast", "slow", "deep", "wide", "plain", "soft", "hard"], size=3, seed=6)
    for _ in range(14):
        yield "renew_lease", {"mode": next(modes)}, f"Error: {next(said)}", {"error": True}, 5


def _presse() -> Iterator[Raw]:
    said = arrangements(["die Presse", "steht schief", "auf dem Sockel", "und hält", "keinen Druck"], seed=7)
    modes = wordings(["leise", "laut", "warm", "kalt", "oben", "unten", "quer"], size=3, seed=8)
    for _ in range(14):
        yield "presse_starten", {"art": next(modes)}, f"Fehler: {next(said)}", {"error": True}, 9


@pytest.mark.parametrize("kind", [_lease, _presse], ids=lambda kind: kind.__name__)
def test_a_failure_told_in_known_words_continues_its_cause(kind: Kind) -> None:
    weights = [j.weight for j in judged(kind())]
    assert min(weights[2:]) >= 0.9
    found = verdict(kind())
    assert found.first is not None
    assert found.first <= 8
    assert found.reasons[0] == "same_error"


def _types_one_by_one() -> Iterator[Raw]:
    left = [f"src/{name}.ts: error: type of {name} is wrong" for name in TREES[:12]]
    for i in range(12):
        yield "sh", {"cmd": "npm run types"}, "\n".join(left[i:]), {"exit_code": 2}, 8
        changed = {"before_hash": f"{i}a", "after_hash": f"{i}b"}
        yield "edit", {"path": f"src/{TREES[i]}.ts", "old": "any", "new": "string"}, "edited", changed, 5


def _stellen_im_satz() -> Iterator[Raw]:
    for i in range(12):
        offen = 96 - 7 * i
        yield (
            "satz_prüfen",
            {"teil": "alles"},
            f"FEHLER: {offen} Stellen verletzen die Regel",
            {"error": True},
            8,
        )
        changed = {"before_hash": f"s{i}", "after_hash": f"s{i + 1}"}
        yield "ersetzen", {"datei": "satz.tex", "alt": f"alt{i}", "neu": f"neu{i}"}, "ersetzt", changed, 5


def _tests_one_by_one() -> Iterator[Raw]:
    left = [f"FAIL {name}Test: se esperaba verde y fue rojo" for name in TREES[:11]]
    for i in range(11):
        yield "pruebas_correr", {"suite": "todo"}, "\n".join(left[i:]), {"error": True}, 30
        changed = {"before_hash": f"p{i}", "after_hash": f"p{i + 1}"}
        yield "cambiar", {"archivo": f"{TREES[i]}.kt", "de": "rojo", "a": "verde"}, "cambiado", changed, 9


def _warnings_left() -> Iterator[Raw]:
    for i, left in enumerate([412, 377, 350, 298, 255, 211, 160, 118, 97, 41, 12]):
        yield (
            "sh",
            {"cmd": "make lint"},
            f"error: {left} warnings are treated as errors",
            {"exit_code": 2},
            14,
        )
        changed = {"before_hash": f"w{i}", "after_hash": f"w{i + 1}"}
        yield "patch", {"path": "lint.cfg", "old": f"rule {i}", "new": f"rule {i} off"}, "patched", changed, 5


_SHRINKING = (_types_one_by_one, _tests_one_by_one, _stellen_im_satz, _warnings_left)


@pytest.mark.parametrize("kind", _SHRINKING, ids=lambda kind: kind.__name__)
def test_a_failure_that_shrinks_with_each_change_is_good_work(kind: Kind) -> None:
    assert verdict(kind()).highest == 0


@pytest.mark.parametrize("kind", _SHRINKING, ids=lambda kind: kind.__name__)
def test_the_same_failure_as_before_each_change_is_none(kind: Kind) -> None:
    run = list(kind())
    stuck = [run[0] if i % 2 == 0 else call for i, call in enumerate(run)]
    first = verdict(stuck).first
    assert first is not None
    assert first <= 12


# One thing after the other --------------------------------------------------------------------------------------


def _guessed(tool: str, key: str, paths: list[str], text: str) -> list[Raw]:
    return [(tool, {key: path}, text.format(path), {"error": True}, 4) for path in paths]


_GUESSED = (
    pytest.param(
        "read_file",
        "path",
        [
            "conf/app.toml",
            "etc/app.toml",
            "settings/app.toml",
            "deploy/app.toml",
            "ops/app.toml",
            "src/app.toml",
        ],
        "Error: file '{}' not found",
        id="english",
    ),
    pytest.param(
        "abrir",
        "archivo",
        [
            "datos/notas.csv",
            "tablas/notas.csv",
            "salida/notas.csv",
            "viejo/notas.csv",
            "copia/notas.csv",
            "base/notas.csv",
        ],
        "Error: no existe '{}'",
        id="spanish",
    ),
)


@pytest.mark.parametrize(("tool", "key", "paths", "text"), _GUESSED)
def test_a_few_guesses_at_where_a_thing_is_are_free(tool: str, key: str, paths: list[str], text: str) -> None:
    guesses = _guessed(tool, key, paths, text)
    assert verdict(guesses).highest == 0
    assert verdict([guesses[0]] * 6).highest > 0


_HOSTS = [f"{name}.lan" for name in TREES]
_FAULTS = (
    pytest.param("ssh_run", "host", "connect to {} port 22: Connection refused", id="refused"),
    pytest.param("abfragen", "rechner", "Zeitüberschreitung bei {}", id="timeout-german"),
    pytest.param("fetch", "site", "Could not resolve host: {}", id="dns"),
)


@pytest.mark.parametrize(("tool", "key", "text"), _FAULTS)
def test_a_fault_of_the_environment_weighs_a_little_less_where_each_is_at_another_place(
    tool: str, key: str, text: str
) -> None:
    walk: list[Raw] = [(tool, {key: name}, text.format(name), {"exit_code": 7}, 5) for name in _HOSTS]
    stay: list[Raw] = [
        (tool, {key: name}, text.format(name), {"exit_code": 7}, 5) for name in _HOSTS[:1] * 15
    ]
    everywhere, here = judged(walk), judged(stay)
    assert [j.weight for j in everywhere[2:]] == pytest.approx([0.8] * 13)
    assert [j.weight for j in here[2:]] == pytest.approx([1.0] * 13)
    far, near = verdict(walk), verdict(stay)
    assert near.first is not None
    assert far.first is not None
    assert near.first < far.first <= 8


# Calls that cannot be made --------------------------------------------------------------------------------------

_UNCALLABLE = (
    pytest.param(
        "mail_fetch",
        ["Unknown tool: 'mail_fetch'", "tool 'mail_fetch' not found", "'mail_fetch' is not a valid tool"],
        id="tool",
    ),
    pytest.param(
        "rpc",
        ["unknown method 'Depot.list'", "no such function: 'Depot.list'", "unsupported action 'Depot.list'"],
        id="method",
    ),
)
_MALFORMED = (
    pytest.param(
        "book_slot",
        ["parameter 'when' is required", "missing required argument: 'when'", "property 'when' is missing"],
        id="argument",
    ),
    pytest.param(
        "buchen",
        ["Invalid arguments for 'plan'", "invalid parameters: 'plan'", "'plan' does not match the schema"],
        id="schema",
    ),
)


@pytest.mark.parametrize(("tool", "texts"), [*_UNCALLABLE, *_MALFORMED])
def test_a_call_that_cannot_be_made_is_one_cause_in_whatever_words(tool: str, texts: list[str]) -> None:
    run: list[Raw] = [
        (tool, {"box": name}, texts[i % len(texts)], {"error": True}, 5) for i, name in enumerate(TREES)
    ]
    weights = [j.weight for j in judged(run)]
    assert min(weights[1:]) > 0, weights
    assert weights[3:] == pytest.approx([1.0] * 12)  # whatever it is given
    first = verdict(run).first
    assert first is not None
    assert first <= 8


def test_invalid_json_is_one_cause_wherever_it_breaks() -> None:
    run: list[Raw] = [
        (
            "rows_put",
            {"body": f'{{"tree": "{name}", "n": {i}'},
            f"Invalid JSON: expecting ',' at line {i % 4 + 1} column {7 * i % 31 + 2}",
            {"error": True},
            5,
        )
        for i, name in enumerate(TREES)
    ]
    assert [j.weight for j in judged(run)][2:] == pytest.approx([1.0] * 13)
    first = verdict(run).first
    assert first is not None
    assert first <= 7
