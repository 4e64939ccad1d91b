"""The longer nothing is brought, the more each call says, and the less dryness a halt needs."""

from collections.abc import Iterator

import pytest
from kinds import Kind, Raw
from kinds_calls import TREES, judged, verdict, wordings

from detectors.parameters import Dryness, Ladder
from detectors.rules import Rules

_FLAT = Rules(dryness=Dryness(growth=0.0))
_NOT_EASED = Rules(ladder=Ladder(easing=0.0))
_BIRDS = ["Amsel", "Drossel", "Fink", "Star", "Meise", "Specht", "Kleiber"]


def _same_page() -> Iterator[Raw]:
    for _ in range(24):
        yield "page_text", {"page": "prices"}, "Prices of the year\nHay is dear\nOats are cheap", {}, 3


def _same_answer() -> Iterator[Raw]:
    asked = wordings(["Tarif", "Nacht", "Strecke", "Depot"], size=3, seed=1)
    for i in range(24):
        frage = next(asked) + " bitte" * (i % 3)
        yield "suche", {"frage": frage}, "Tarif A gilt am Tag\nTarif B gilt nachts\nTarif C gilt nie", {}, 6


@pytest.mark.parametrize("kind", [_same_page, _same_answer], ids=lambda kind: kind.__name__)
def test_calls_weigh_more_the_longer_nothing_was_brought(kind: Kind) -> None:
    grown = [j.weight for j in judged(kind())]
    flat = [j.weight for j in judged(kind(), _FLAT)]
    assert max(flat) <= 1.0
    assert grown[:6] == flat[:6]  # one that brought something, one after it, and the four of the patience
    for at in range(6, 24):
        times = min(1.5, 1 + 0.05 * (at - 5)) if flat[at] >= 0.5 else 1.0
        assert grown[at] == pytest.approx(flat[at] * times)


@pytest.mark.parametrize("kind", [_same_page, _same_answer], ids=lambda kind: kind.__name__)
def test_a_long_stretch_is_asked_about_sooner_than_by_the_weights_alone(kind: Kind) -> None:
    grown = [j.dryness for j in judged(kind())]
    flat = [j.dryness for j in judged(kind(), _FLAT)]
    ask = Rules().ladder.ask.level
    assert next(i for i, d in enumerate(grown) if d >= ask) < next(i for i, d in enumerate(flat) if d >= ask)
    assert verdict(kind()).halted is not None


def _found_at_times() -> Iterator[Raw]:
    for i in range(30):
        found = f"{TREES[i // 3]} grows at the gate" if i % 3 == 0 else "Prices of the year\nHay is dear"
        yield "page_text", {"page": f"walk {TREES[i // 3]}" if i % 3 == 0 else "prices"}, found, {}, 3


def _gemessen_zwischendurch() -> Iterator[Raw]:
    for i in range(28):
        new = i % 4 == 0
        text = f"Im Wipfel nistet {_BIRDS[i // 4]}" if new else "Alle Stämme\nstehen im Hof"
        yield "ansehen", {"stamm": TREES[i // 4] if new else "alle"}, text, {}, 4


@pytest.mark.parametrize("kind", [_found_at_times, _gemessen_zwischendurch], ids=lambda kind: kind.__name__)
def test_nothing_grows_where_something_is_found_now_and_then(kind: Kind) -> None:
    assert [j.weight for j in judged(kind())] == [j.weight for j in judged(kind(), _FLAT)]


def _as_it_should_be() -> Iterator[Raw]:
    for i in range(45):
        kept = {"before_hash": f"h{i}", "after_hash": f"h{i}"}
        yield "apply_role", {"host": f"{TREES[i % 15]}-{i:02d}", "role": "base"}, "changed=0", kept, 6


def _schon_gesperrt() -> Iterator[Raw]:
    for i in range(45):
        kept = {"before_hash": f"k{i}", "after_hash": f"k{i}"}
        yield "karte_sperren", {"karte": f"K{7000 + 13 * i}"}, {"gesperrt": True}, kept, 9


@pytest.mark.parametrize("kind", [_as_it_should_be, _schon_gesperrt], ids=lambda kind: kind.__name__)
def test_a_long_silence_eases_the_halt(kind: Kind) -> None:
    found = verdict(kind())
    assert found.halted is not None
    assert 25 <= found.halted <= 32
    later = verdict(kind(), _NOT_EASED).halted
    assert later is None or later >= found.halted + 10


def _refused_everywhere() -> Iterator[Raw]:
    for i in range(70):
        host = f"{TREES[i % 15]}-{i:02d}.lan"
        yield (
            "ssh_run",
            {"host": host, "cmd": "uptime"},
            f"connect to {host}: Connection refused",
            {"exit_code": 255},
            5,
        )


def _nirgends_gefunden() -> Iterator[Raw]:
    for i in range(70):
        name = f"{TREES[i % 15]}{i}"
        yield "akte_holen", {"akte": name}, "Fehler: Zeitüberschreitung beim Archiv", {"error": True}, 4


@pytest.mark.parametrize("kind", [_refused_everywhere, _nirgends_gefunden], ids=lambda kind: kind.__name__)
def test_failures_at_other_things_never_halt_however_long(kind: Kind) -> None:
    found = verdict(kind())
    assert found.highest == 3
    assert found.halted is None
