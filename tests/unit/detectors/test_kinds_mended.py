"""Calls that failed and are mended by a change, and calls that fail and pass in turn of themselves."""

from collections.abc import Callable, Iterator

import pytest
from kinds import Kind, Raw
from kinds_calls import judged, verdict


def _units() -> Iterator[Raw]:
    for name in ["mira", "nils", "olaf", "pia", "quin", "rosa"]:
        yield "probe", {"unit": name}, "ERROR: unit is down", {"error": True}, 5
        changed = {"before_hash": f"{name}-0", "after_hash": f"{name}-1"}
        yield "set_flag", {"unit": name, "on": True}, "set", changed, 5
        yield "probe", {"unit": name}, "unit is up", {}, 5


def _kapitel() -> Iterator[Raw]:
    for i in range(2, 9):
        yield "sh", {"cmd": f"make kapitel-{i}"}, "Fehler: eine Marke ist doppelt", {"exit_code": 2}, 20
        changed = {"before_hash": f"k{i}-a", "after_hash": f"k{i}-b"}
        yield (
            "ersetzen",
            {"datei": f"kapitel-{i}.tex", "alt": "marke:a", "neu": f"marke:{i}"},
            "ok",
            changed,
            7,
        )
        yield "sh", {"cmd": f"make kapitel-{i}"}, "gesetzt ohne Mangel", {"exit_code": 0}, 20


@pytest.mark.parametrize("kind", [_units, _kapitel], ids=lambda kind: kind.__name__)
def test_a_call_that_goes_well_after_a_change_is_news_in_known_words_too(kind: Kind) -> None:
    mended = [j.since_news for j in judged(kind())[2::3]]
    assert mended == [0] * len(mended)
    assert verdict(kind()).highest == 0


def _turns(bad: Raw, good: Raw, change: Callable[[int], Raw], other: Raw) -> Iterator[Raw]:
    """Mended once; then it fails and passes of itself, and goes well after a change again."""
    yield from (other, bad, change(1), good, bad, good, bad)
    yield from (change(2), good, bad, change(3), good)


_TURNS = (
    pytest.param(
        ("probe", {"unit": "main"}, "ERROR: unit is down", {"error": True}, 30),
        ("probe", {"unit": "main"}, "unit is up", {}, 30),
        ("set_level", {"unit": "main"}, "set"),
        ("probe", {"unit": "side"}, "unit is up", {}, 30),
        id="english",
    ),
    pytest.param(
        ("sh", {"cmd": "./prueba red"}, "Error: la sonda se ha perdido", {"exit_code": 3}, 25),
        ("sh", {"cmd": "./prueba red"}, "todo va bien en la red", {"exit_code": 0}, 25),
        ("ajustar", {"clave": "espera"}, "guardado"),
        ("sh", {"cmd": "./prueba disco"}, "todo va bien en la red", {"exit_code": 0}, 25),
        id="spanish",
    ),
)


@pytest.mark.parametrize(("bad", "good", "act", "other"), _TURNS)
def test_what_went_to_and_fro_of_itself_is_not_mended(
    bad: Raw, good: Raw, act: tuple[str, dict[str, str], str], other: Raw
) -> None:
    tool, args, answer = act

    def change(i: int) -> Raw:
        return tool, args | {"to": str(i)}, answer, {"before_hash": f"v{i}", "after_hash": f"v{i + 1}"}, 10

    found = judged(_turns(bad, good, change, other))
    assert found[3].since_news == 0
    assert found[8].since_news > 0
    assert found[11].since_news > 0


_SOUND = (
    pytest.param("sh", {"cmd": "ctest -R net"}, "Error: probe lost", "all good", "0101010101", id="by-turns"),
    pytest.param(
        "pruefung", {"name": "netz"}, "Fehler: Sonde fort", "alles gut", "1011010010110", id="at-random"
    ),
)


@pytest.mark.parametrize(("tool", "args", "wrong", "right", "turns"), _SOUND)
def test_counting_how_often_a_call_fails_is_left_alone(
    tool: str, args: dict[str, str], wrong: str, right: str, turns: str
) -> None:
    run: list[Raw] = [
        (tool, args, wrong if turn == "1" else right, {"exit_code": 2 if turn == "1" else 0}, 2)
        for turn in turns
    ]
    assert verdict(run).highest == 0
    assert max(j.weight for j in judged(run)) <= 0.5
    assert verdict([run[turns.index("1")]] * len(turns)).highest > 0
