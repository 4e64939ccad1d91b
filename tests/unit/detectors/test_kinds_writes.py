"""Writes that change nothing, what they are acknowledged with, and checks that never see a difference."""

import random
from collections.abc import Callable, Iterator

import pytest
from kinds import Kind, Raw
from kinds_calls import TREES, judged, verdict, wordings

from detectors.parameters import ExactRepeat, Signals
from detectors.rules import Rules

_ISLES = [
    "aran",
    "bressay",
    "canna",
    "danna",
    "eigg",
    "foula",
    "gigha",
    "hoy",
    "iona",
    "jura",
    "kerrera",
    "lismore",
    "muck",
    "noss",
    "oransay",
]


# Acknowledgements -------------------------------------------------------------------------------------------


def _revisions_in_words() -> Iterator[Raw]:
    texts = wordings(["mill", "bridge", "river", "gate", "hall", "roof", "stone", "brick"], size=4, seed=1)
    for i in range(16):
        yield (
            "save_note",
            {"name": "draft", "text": f"about the {next(texts)}"},
            f"saved, revision {17 + i}",
            {},
            5,
        )


def _numbers_of_versions() -> Iterator[Raw]:
    chance = random.Random(1)
    texts = wordings(["Mühle", "Brücke", "Fluss", "Tor", "Halle", "Dach", "Stein", "Ziegel"], size=4, seed=2)
    for _ in range(16):
        stamp = f"r{chance.randint(10000, 99999)}"
        yield (
            "notiz_schreiben",
            {"titel": "entwurf", "text": f"Hier die {next(texts)}"},
            f"gespeichert {stamp}",
            {},
            9,
        )


@pytest.mark.parametrize("kind", [_revisions_in_words, _numbers_of_versions], ids=lambda kind: kind.__name__)
def test_the_number_of_a_revision_is_no_news_of_a_write(kind: Kind) -> None:
    run = list(kind())
    assert [j.since_news for j in judged(run)] == list(range(16))
    first = verdict(run).first
    assert first is not None
    assert first <= 10


def _saved_and_linted() -> Iterator[Raw]:
    chance = random.Random(1)
    texts = wordings(["mill", "bridge", "river", "gate", "hall", "roof", "stone", "brick"], size=4, seed=1)
    at = 17
    for _ in range(16):
        at += chance.randint(2, 9)
        yield "save_note", {"text": f"about the {next(texts)}"}, f"saved, revision {at}", {}, 5
        yield "lint_note", {"name": "draft"}, "The title is too long\nThe end is too short", {}, 5


def _cells_and_sums() -> Iterator[Raw]:
    chance = random.Random(3)
    texts = wordings(["rouge", "vert", "bleu", "jaune", "noir", "blanc", "gris", "rose"], size=3, seed=5)
    at = 900
    for _ in range(16):
        at += chance.randint(3, 40)
        yield "feuille_modifier", {"valeur": next(texts)}, {"ok": True, "version": at}, {}, 8
        yield "feuille_verifier", {"feuille": "plan"}, "Somme fausse\nTitre trop long", {}, 8


@pytest.mark.parametrize("kind", [_saved_and_linted, _cells_and_sums], ids=lambda kind: kind.__name__)
def test_numbers_that_jump_are_no_news_of_writes_either(kind: Kind) -> None:
    run = list(kind())
    assert [j.since_news for j in judged(run)[1:]] == list(range(31))


# Targets that are as they should be ---------------------------------------------------------------------------


def _playbook(hosts: int) -> Iterator[Raw]:
    for i in range(hosts):
        host = f"{TREES[i % 15]}-{i:02d}"
        kept = {"before_hash": f"h{i}", "after_hash": f"h{i}"}
        yield "apply_role", {"host": host, "role": "base"}, f"{host} : ok=12 changed=0", kept, 6


def _freigaben(zahl: int) -> Iterator[Raw]:
    for i in range(zahl):
        pfad = f"/srv/{_ISLES[i % 15]}/{i}"
        kept = {"before_hash": f"rw{i}", "after_hash": f"rw{i}"}
        yield "rechte_setzen", {"pfad": pfad, "modus": "lesend"}, {"ok": True, "geändert": 0}, kept, 11


@pytest.mark.parametrize("kind", [_playbook, _freigaben], ids=lambda kind: kind.__name__)
def test_a_walk_over_targets_that_need_no_change_is_left_alone_for_a_while(
    kind: Callable[[int], Iterator[Raw]],
) -> None:
    assert verdict(kind(10)).highest == 0
    first = verdict(kind(40)).first
    assert first is not None
    assert 10 < first <= 20


@pytest.mark.parametrize(
    ("tool", "args", "answer"),
    [
        pytest.param("apply_role", {"host": "oak", "role": "base"}, "oak : ok=12 changed=0", id="english"),
        pytest.param("rechte_setzen", {"pfad": "/srv/iona", "modus": "lesend"}, {"ok": True}, id="german"),
    ],
)
def test_the_same_target_without_a_change_is_warned_of_soon(
    tool: str, args: dict[str, str], answer: object
) -> None:
    kept = {"before_hash": "h", "after_hash": "h"}
    first = verdict((tool, args, answer, kept, 7) for _ in range(10)).first
    assert first is not None
    assert first <= 5


# Checks after changes -------------------------------------------------------------------------------------------


def _rules_and_board() -> Iterator[Raw]:
    for i, name in enumerate(TREES):
        changed = {"before_hash": f"a{i}", "after_hash": f"a{i + 1}"}
        yield "put_rule", {"name": f"rule {name}", "level": i}, "saved", changed, 5
        yield "board_place", {"board": "main"}, "Board main\nplace: last\npoints: few", {}, 5


def _regler_und_pegel() -> Iterator[Raw]:
    chance = random.Random(4)
    for i in range(15):
        changed = {"before_hash": f"v{i}", "after_hash": f"v{i + 1}"}
        yield "ventil_stellen", {"ventil": "süd", "wert": chance.randint(1, 900)}, "gestellt", changed, 4
        stamp = f"M-{chance.randint(10000, 99999)}"
        yield "pegel_lesen", {"becken": "unten"}, f"Becken unten\nPegel zu hoch\nMessung {stamp}", {}, 4


@pytest.mark.parametrize("kind", [_rules_and_board, _regler_und_pegel], ids=lambda kind: kind.__name__)
def test_a_check_that_no_change_moves_is_stuck_from_the_fifth_time(kind: Kind) -> None:
    checks = [j.weight for j in judged(kind())[3::2]]
    normal, slow, stuck = checks[:2], checks[2:4], checks[4:]
    assert max(normal) < min(slow)
    assert max(slow) < 0.5 < 0.7 <= min(stuck)
    first = verdict(kind()).first
    assert first is not None
    assert first <= 28


@pytest.mark.parametrize("kind", [_rules_and_board, _regler_und_pegel], ids=lambda kind: kind.__name__)
def test_without_being_stuck_it_would_be_slow_work(kind: Kind) -> None:
    slow = Rules(signals=Signals(exact_repeat=ExactRepeat(stuck=0.4)))
    assert verdict(kind(), slow).highest == 0


@pytest.mark.parametrize(
    ("tool", "answer"),
    [("lint_all", "clean, ok"), ("katalog_prüfen", {"ok": True})],
    ids=["english", "german"],
)
def test_a_check_that_is_content_after_each_change_is_left_alone(tool: str, answer: object) -> None:
    run: list[Raw] = []
    for i, name in enumerate(_ISLES):
        changed = {"before_hash": f"t{i}-0", "after_hash": f"t{i}-1"}
        run.append(
            ("edit", {"path": "isles.md", "old": f"teh {name}", "new": f"the {name}"}, "1 hunk", changed, 6)
        )
        run.append((tool, {}, answer, {}, 6))
    assert verdict(run).highest == 0
