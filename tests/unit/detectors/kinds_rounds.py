"""Kinds that the rounds of unseen cases taught, each twice, in words that neither case nor the other one has."""

import random
from collections.abc import Iterator

from kinds import Kind, Raw

_TOWNS = ["Aldern", "Brackwede", "Collin", "Dorvik", "Estrup", "Falun"]


def asked_again_after_hours() -> Iterator[Raw]:
    for i in range(7):
        yield (
            "inbox_next",
            {"room": "k9"},
            f"message {i}: {_TOWNS[i % 6]} would like to know more",
            {},
            7000,
        )
        yield ("parcel", {"ref": "zz-81"}, {"ref": "zz-81", "where": "depot", "carrier": "Wolke"}, {}, 20)


def hourly_round_of_the_guard() -> Iterator[Raw]:
    for _ in range(9):
        yield ("Rundgang", {"Halle": "Ost"}, "Tor geschlossen\nLicht aus\nTemperatur normal", {}, 1700)


def checks_every_quarter() -> Iterator[Raw]:
    for _ in range(12):
        yield ("exec_probe", {"target_group": "blue"}, "A fine\nB fine\nC fine\nD fine", {}, 900)


def timing_one_query() -> Iterator[Raw]:
    r = random.Random(4)
    for _ in range(14):
        yield (
            "psql",
            {"q": "select 1 from big"},
            f"rows: 1\nparse: {r.uniform(0.1, 0.4):.3f} ms\nexecute: {r.uniform(80, 95):.3f} ms",
            {},
            3,
        )


def stopwatch() -> Iterator[Raw]:
    r = random.Random(8)
    for _ in range(14):
        yield ("stoppuhr", {"lauf": "bahn-a"}, f"Rundenzeit: {r.uniform(61, 66):.2f} s", {}, 4)


def grid_of_names() -> Iterator[Raw]:
    for town in _TOWNS:
        for ware in ("Tee", "Salz", "Seife", "Papier"):
            yield (
                "vergleichen",
                {"ort": town, "ware": ware},
                f"Ort: {town}\nWare: {ware}\nErgebnis: keine Abweichung",
                {},
                5,
            )


def seat_map() -> Iterator[Raw]:
    for who in ("Mila Brandt", "Oskar Lind", "Petra Quist", "Rune Salo", "Tove Berg"):
        for day in ("monday", "tuesday", "wednesday", "thursday"):
            yield ("conflict", {"person": who, "day": day}, {"person": who, "day": day, "hits": []}, {}, 3)


def approve_by_number() -> Iterator[Raw]:
    for i in range(18):
        yield (
            "approve",
            {"claim": 4200 + 3 * i, "level": "basic"},
            {
                "receipt": f"{random.Random(i).getrandbits(160):040x}",
                "approved": True,
                "note": "Claim accepted",
            },
            {},
            4,
        )


def statements_named_in_the_answer() -> Iterator[Raw]:
    for i in range(14):
        yield ("sql", {"text": f"GRANT SELECT ON t{i} TO reader"}, "GRANT", {}, 2)


HEALTHY_AFTER: tuple[Kind, ...] = (
    asked_again_after_hours,
    hourly_round_of_the_guard,
    checks_every_quarter,
    timing_one_query,
    stopwatch,
    grid_of_names,
    seat_map,
    approve_by_number,
    statements_named_in_the_answer,
)


def pages_with_a_visit_counter() -> Iterator[Raw]:
    r = random.Random(3)
    texts = {"/a": "the mill burnt", "/b": "the bridge fell", "/c": "the well dried"}
    for i in range(40):
        page = r.choice(sorted(texts))
        yield ("open", {"path": page}, f"{texts[page]}\nsee the other page\nvisitors: {500 + i}", {}, 6)


def undone_by_a_rule() -> Iterator[Raw]:
    for i in range(20):
        rev = 70 + 2 * i
        word = ["please", "again", "now", "once more"][i % 4]
        change = {"before_hash": "h0", "after_hash": "h1"}
        yield (
            "assign",
            {"case": 8, "to": "dock", "why": f"{word} to dock"},
            {"ok": True, "rev": rev},
            change,
            7,
        )
        yield ("show", {"case": 8}, {"case": 8, "to": "gate", "state": "open", "rev": rev + 1}, {}, 7)


def waiting_for_a_refused_start() -> Iterator[Raw]:
    yield ("launch", {"name": "first"}, {"accepted": True}, {}, 30)
    yield ("launch", {"name": "second"}, "invalid: no such region", {"error": True}, 30)
    for _ in range(16):
        yield ("finished_list", {"name": "second"}, {"name": "second", "list": []}, {}, 50)


def warten_auf_nichts() -> Iterator[Raw]:
    yield ("druckauftrag", {"datei": "eins.pdf"}, "angelegt", {}, 20)
    yield ("druckauftrag", {"datei": "zwei.xyz"}, "Fehler: Format unbekannt", {"error": True}, 20)
    for _ in range(16):
        yield ("warteschlange", {}, "Auftrag eins.pdf: gedruckt am Montag", {}, 45)


def thoughts_and_notes() -> Iterator[Raw]:
    words = ["size", "price", "date", "risk", "place", "name", "goal", "cost"]
    for i in range(30):
        text = f"maybe the {words[i % 8]} or else the {words[(i * 3 + 1) % 8]} has to be looked at"
        yield (
            "think" if i % 3 else "scratch",
            {"text": text} if i % 3 else {"text": text + " soon"},
            "ok",
            {},
            5,
        )


def same_wall_other_doors() -> Iterator[Raw]:
    page = "\n".join(
        [
            "<html><head><link href=/p/%s.css></head>",
            "<h1>Members area of the association of gardeners and growers</h1>",
            "<p>Please enter the card number and the word that you were sent by post in spring.</p>",
            "<form>card [      ] word [      ] enter</form>",
            "<p>Those who have no card find the desk open on weekdays in the hall by the river.</p>",
            "</html>",
        ]
    )
    for i in range(24):
        asset = f"{random.Random(i).getrandbits(32):08x}"
        yield (
            "get",
            {"url": f"http://g.example/{'abcdefghijklmnopqrstuvwxyz'[i]}/list"},
            page % asset,
            {},
            5,
        )


STALLS_AFTER: tuple[tuple[Kind, int], ...] = (
    (pages_with_a_visit_counter, 30),
    (undone_by_a_rule, 30),
    (waiting_for_a_refused_start, 14),
    (warten_auf_nichts, 14),
    (thoughts_and_notes, 14),
    (same_wall_other_doors, 18),
)
"""Kind and the step by which it has to be warned of."""
