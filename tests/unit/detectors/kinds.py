"""Short runs by kind, as steps: healthy work that looks dry, and stalls that look busy. Words are made up here.

Each function yields (tool, args, result, more fields, seconds since the step before).
"""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from detectors.events import Step

Raw = tuple[str, Any, Any, dict[str, Any], float]
Kind = Callable[[], Iterator[Raw]]

_CITIES = ["Oslo", "Riga", "Lima", "Quito", "Accra", "Dakar", "Perth", "Hobart"]
_CITIES += ["Malmo", "Gdansk", "Leeds", "Turin", "Basel", "Ghent", "Split"]
_FRUIT = ["quince", "medlar", "sorrel", "fennel", "chervil", "lovage"]
_FRUIT += ["borage", "savory", "tansy", "hyssop", "costmary", "rampion"]


def steps(kind: Kind, *, turns: bool = False, clock: bool = True) -> list[Step]:
    """The kind as a run of steps."""
    out = []
    now = 1_700_000_000.0
    for seq, (tool, args, result, more, gap) in enumerate(kind()):
        now += gap
        fields: dict[str, Any] = {
            "run_id": kind.__name__,
            "seq": seq,
            "tool": tool,
            "args": args,
            "result": result,
        }
        if clock:
            fields["ts"] = now
        if turns:
            fields["turn"] = seq
        out.append(msgspec.convert(fields | more, Step))
    return out


# Healthy work -----------------------------------------------------------------------------------------------


def worklist_of_names() -> Iterator[Raw]:
    yield "directory", {"op": "members"}, "\n".join(_CITIES), {}, 4
    for name in _CITIES:
        yield "probe", {"member": name}, "reachable", {}, 5


def worklist_of_rows() -> Iterator[Raw]:
    rows = [{"ref": f"inv-{4000 + 7 * i}", "state": "open"} for i in range(20)]
    yield "ledger_rows", {"state": "open"}, rows, {}, 4
    for row in rows:
        yield "ledger_verify", {"ref": row["ref"]}, {"valid": True, "notes": []}, {}, 6


def worklist_without_matches() -> Iterator[Raw]:
    files = [f"docs/{name}.adoc" for name in _FRUIT]
    yield "sh", {"cmd": "ls docs/*.adoc"}, "\n".join(files), {"exit_code": 0}, 4
    for name in files:
        yield "sh", {"cmd": f"grep -n 'DRAFT' {name}"}, "", {"exit_code": 1}, 6


def batch_writer_long_ack() -> Iterator[Raw]:
    for i, name in enumerate(_CITIES):
        yield (
            "kunden_anlegen",
            {"name": name, "plz": f"{10000 + 137 * i}", "notiz": f"Filiale in {name}, Ansprechpartner folgt"},
            "Der Datensatz wurde erfolgreich angelegt.",
            {},
            6,
        )


def batch_writer_opaque() -> Iterator[Raw]:
    for i in range(25):
        yield "t4", {"a": f"k{i:03d}", "b": {"c": i * 3, "d": _FRUIT[i % 12]}}, {"r": 0}, {}, 3


def paging_to_the_end() -> Iterator[Raw]:
    for page in range(1, 15):
        rows = [f"{_CITIES[(page * 3 + k) % 15]} {page * 100 + k} parcels" for k in range(8)]
        yield "list_shipments", {"page": page, "size": 8}, "\n".join(rows), {}, 3
    yield "list_shipments", {"page": 15, "size": 8}, "[]", {}, 3


def spaced_polling() -> Iterator[Raw]:
    yield "render_start", {"scene": "dunes"}, {"job": "r-77", "state": "queued"}, {}, 3
    for i in range(18):
        yield (
            "render_state",
            {"job": "r-77"},
            {"job": "r-77", "state": "queued" if i < 9 else "rendering"},
            {},
            60,
        )
    yield "render_state", {"job": "r-77"}, {"job": "r-77", "state": "finished", "frames": 240}, {}, 60


def scheduled_checks() -> Iterator[Raw]:
    for day in range(9):
        yield "clock_turn", {"n": day}, "turn begins", {}, 900 if day else 1
        yield "queue_depth", {"queue": "mail-out"}, "0 waiting", {}, 4
        yield "disk_free", {"mount": "/srv"}, "61 % free", {}, 4
        yield "turn_done", {"note": "nothing to do"}, "noted", {}, 4


def debugging_changing_causes() -> Iterator[Raw]:
    errors = [
        "ImportError: cannot import name 'pane' from 'ui.core'",
        "AttributeError: 'Grid' object has no attribute 'spans'",
        "TypeError: spans() takes 1 positional argument but 2 were given",
        "ValueError: negative span at row 3",
        "AssertionError: expected 12 cells, got 11",
        "KeyError: 'footer'",
        "IndexError: list index out of range",
    ]
    for i, error in enumerate(errors):
        yield (
            "sh",
            {"cmd": "python -m layout.check"},
            f"Traceback (most recent call last):\n{error}",
            {"exit_code": 1},
            8,
        )
        yield (
            "patch",
            {"path": "layout/grid.py", "old": f"row_{i}", "new": f"row_{i + 1}"},
            "patched",
            {"before_hash": f"h{i}", "after_hash": f"h{i + 1}"},
            7,
        )
    yield "sh", {"cmd": "python -m layout.check"}, "all 12 cells fit", {"exit_code": 0}, 8


def edit_and_green_tests() -> Iterator[Raw]:
    for i in range(16):
        yield (
            "patch",
            {"path": f"core/part{i % 4}.py", "old": f"a{i}", "new": f"b{i}"},
            "1 hunk applied",
            {"before_hash": f"p{i % 4}-{i}", "after_hash": f"p{i % 4}-{i + 1}"},
            8,
        )
        yield "sh", {"cmd": "make check"}, f"ok: 214 checks in {3 + i * 0.13:.2f}s", {"exit_code": 0}, 12


def many_similar_small_files() -> Iterator[Raw]:
    for i, name in enumerate(_CITIES):
        text = f"region: {name.lower()}\nreplicas: {2 + i % 3}\nimage: depot\nport: 80\nprobe: on"
        yield "read", {"path": f"deploy/{name.lower()}.yaml"}, text, {}, 4


def toggling_lights() -> Iterator[Raw]:
    for i, room in enumerate(["hall", "attic", "porch", "cellar", "study", "pantry", "loft", "garage"]):
        yield "lamp", {"room": room, "on": True}, {"ok": True}, {}, 5
        yield "lamp_state", {"room": room}, {"on": True, "watts": 8 + i}, {}, 5


def todo_between() -> Iterator[Raw]:
    for i, name in enumerate(_FRUIT):
        todos = [{"text": f"describe {n}", "done": k < i} for k, n in enumerate(_FRUIT[:8])]
        yield "todo_write", {"todos": todos}, "list updated", {}, 4
        yield (
            "read",
            {"path": f"herbs/{name}.md"},
            f"{name} is grown for its leaves\nsow in week {i + 9}",
            {},
            5,
        )


def bisecting() -> Iterator[Raw]:
    commits = ["9f31c", "77ab2", "c0d19", "1e8f0", "b64a7", "5d220", "e9b13"]
    for i, commit in enumerate(commits):
        yield "sh", {"cmd": f"git checkout -q {commit}"}, "", {"exit_code": 0}, 6
        bad = i % 2 == 0
        yield (
            "sh",
            {"cmd": "make smoke"},
            "smoke failed: frame drop" if bad else "smoke passed",
            {"exit_code": int(bad)},
            40,
        )
        yield (
            "sh",
            {"cmd": f"git bisect {'bad' if bad else 'good'}"},
            f"{60 >> i} revisions left",
            {"exit_code": 0},
            6,
        )


def parameter_sweep() -> Iterator[Raw]:
    for i in range(14):
        loss = round(0.92 - 0.031 * i + (0.02 if i % 3 else 0), 4)
        yield "train", {"lr": round(0.1 * 0.7**i, 6), "epochs": 3}, {"loss": loss, "steps": 900}, {}, 45


def seeds_without_failure() -> Iterator[Raw]:
    for seed in range(1, 21):
        yield "sh", {"cmd": f"./fuzz --seed {seed}"}, "no crash", {"exit_code": 0}, 15


def screens_forward() -> Iterator[Raw]:
    for i in range(14):
        yield "tap", {"x": 300, "y": 900}, "ok", {"before_hash": f"s{i}", "after_hash": f"s{i + 1}"}, 3


def open_and_back() -> Iterator[Raw]:
    for i in range(10):
        yield "tap_row", {"row": i}, "ok", {"before_hash": "list", "after_hash": f"item{i}"}, 3
        yield "read_screen", {}, f"Order {7000 + i}\nTotal {31 + 7 * i} EUR\nStatus paid", {}, 3
        yield "back", {}, "ok", {"before_hash": f"item{i}", "after_hash": "list"}, 3


def translate_strings() -> Iterator[Raw]:
    for i, name in enumerate(_FRUIT):
        yield "set_message", {"key": f"herb.{name}", "value": f"Das Kraut {name} ist frisch"}, "saved", {}, 6
        if i % 4 == 3:
            yield "lint_catalog", {}, "catalog is consistent", {}, 6


def customer_desk() -> Iterator[Raw]:
    for i in range(9):
        yield (
            "find_ticket",
            {"id": f"T-{900 + i}"},
            {"id": f"T-{900 + i}", "subject": _FRUIT[i], "open": True},
            {},
            9,
        )
        yield (
            "reply",
            {"id": f"T-{900 + i}", "text": f"We looked into {_FRUIT[i]} and shipped a new one."},
            "sent",
            {},
            20,
        )
        yield "close_ticket", {"id": f"T-{900 + i}"}, "closed", {}, 4


def log_follow_with_movement() -> Iterator[Raw]:
    yield "sh", {"cmd": "make image > out.log 2>&1 &"}, "[1] 5150", {"exit_code": 0}, 2
    for i in range(14):
        yield "sh", {"cmd": "sleep 20; tail -1 out.log"}, f"layer {i // 2 + 1}/8 done", {"exit_code": 0}, 22


def retry_through_outage() -> Iterator[Raw]:
    for i, gap in enumerate([3, 5, 9, 17, 33, 65, 129]):
        yield (
            "sh",
            {"cmd": "rsync -a out/ host:/in"},
            f"connection reset by peer (try at 10:00:{i:02d})",
            {"exit_code": 12},
            gap,
        )
    yield "sh", {"cmd": "rsync -a out/ host:/in"}, "sent 48 files", {"exit_code": 0}, 200


def missing_packages_one_by_one() -> Iterator[Raw]:
    for name in _FRUIT[:9]:
        yield (
            "sh",
            {"cmd": "python run.py"},
            f"ModuleNotFoundError: No module named '{name}'",
            {"exit_code": 1},
            5,
        )
        yield "sh", {"cmd": f"pip install -q {name}"}, "", {"exit_code": 0}, 9
    yield "sh", {"cmd": "python run.py"}, "served 3 requests", {"exit_code": 0}, 5


HEALTHY: tuple[Kind, ...] = (
    worklist_of_names,
    worklist_of_rows,
    worklist_without_matches,
    batch_writer_long_ack,
    batch_writer_opaque,
    paging_to_the_end,
    spaced_polling,
    scheduled_checks,
    debugging_changing_causes,
    edit_and_green_tests,
    many_similar_small_files,
    toggling_lights,
    todo_between,
    bisecting,
    parameter_sweep,
    seeds_without_failure,
    screens_forward,
    open_and_back,
    translate_strings,
    customer_desk,
    log_follow_with_movement,
    retry_through_outage,
    missing_packages_one_by_one,
)

# Stalls -----------------------------------------------------------------------------------------------------


def reworded_search() -> Iterator[Raw]:
    hits = "tariff-a: flat rate for depots\ntariff-b: night rate\ntariff-c: rate for routes"
    for i in range(20):
        words = " ".join(_FRUIT[(i * 5 + k) % 12] for k in range(3))
        yield "suche", {"frage": f"welcher Tarif gilt für {words}"}, hits, {}, 5


def nothing_found_reworded() -> Iterator[Raw]:
    for i in range(24):
        words = " ".join(_FRUIT[(i * 7 + k) % 12] for k in range(2))
        yield "検索", {"q": f"{words} 料金"}, "該当するページは見つかりませんでした", {}, 5


def tight_polls_of_the_dead() -> Iterator[Raw]:
    yield "job_start", {"name": "export"}, "job 12 is running", {}, 2
    for _ in range(30):
        yield "job_state", {"job": 12}, "job 12: no heartbeat", {}, 3


def flip_flop_write() -> Iterator[Raw]:
    for i in range(16):
        state = i % 2
        yield (
            "datei_schreiben",
            {"pfad": "conf.toml", "inhalt": f"[server]\nmode = '{'abc'[state]}'\nworkers = 4\n"},
            "geschrieben",
            {"before_hash": f"c{1 - state}", "after_hash": f"c{state}"},
            6,
        )
        yield "start", {}, f"startup failed: mode {'abc'[state]} is not supported", {"error": True}, 6


def one_cause_many_flags() -> Iterator[Raw]:
    flags = [
        "--verbose",
        "--no-cache",
        "--force",
        "--ipv4",
        "--insecure",
        "--retry=3",
        "--mirror=b",
        "--http1",
    ]
    for i in range(26):
        extra = f"{flags[i % 8]} {flags[(i * 3 + 1) % 8]}"
        yield (
            "sh",
            {"cmd": f"fetchpkg get widget {extra}"},
            "error: 403 Forbidden for widget",
            {"exit_code": 22},
            7,
        )


def same_read_two_ways() -> Iterator[Raw]:
    text = "\n".join(f"{name} is listed with a note of its own" for name in _CITIES)
    for i in range(24):
        if i % 2:
            yield "open_file", {"path": "notes/all.txt"}, text, {}, 5
        else:
            yield "sh", {"cmd": "cat notes/all.txt"}, text, {"exit_code": 0}, 5


def edits_without_effect_on_the_test() -> Iterator[Raw]:
    for i in range(16):
        yield (
            "patch",
            {"path": "calc.py", "old": f"x{i}", "new": f"x{i + 1}"},
            "patched",
            {"before_hash": f"e{i}", "after_hash": f"e{i + 1}"},
            8,
        )
        yield (
            "sh",
            {"cmd": "pytest -q"},
            f"FAILED test_calc.py::test_sum - assert 4 == 5\n1 failed, 20 passed in 0.{31 + i}s",
            {"exit_code": 1},
            9,
        )


def empty_commands() -> Iterator[Raw]:
    for i in range(24):
        yield "shell", {"command": f": step {_FRUIT[i % 12]} {_CITIES[i % 15]}"}, "", {"exit_code": 0}, 6


def thanks_and_thanks() -> Iterator[Raw]:
    lines = [
        "Thank you, all is done.",
        "All is done, thank you.",
        "It is done. Thank you all.",
        "Done, thank you.",
    ]
    for i in range(24):
        yield "hand_in", {"summary": lines[i % 4]}, "received", {}, 8


def long_cycle() -> Iterator[Raw]:
    for i in range(30):
        yield "view", {"place": _CITIES[i % 5]}, f"{_CITIES[i % 5]} has {i % 5 + 3} gates and no guard", {}, 5


STALLS: tuple[tuple[Kind, int], ...] = (
    (reworded_search, 14),
    (nothing_found_reworded, 16),
    (tight_polls_of_the_dead, 20),
    (flip_flop_write, 16),
    (one_cause_many_flags, 14),
    (same_read_two_ways, 14),
    (edits_without_effect_on_the_test, 22),
    (empty_commands, 24),
    (thanks_and_thanks, 20),
    (long_cycle, 16),
)
"""Kind and the step by which it has to be warned of."""
