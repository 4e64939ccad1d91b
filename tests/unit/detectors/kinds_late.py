"""A third batch of healthy work, written after the rules of the second: eighteen of twenty are silent."""

import random
from collections.abc import Iterator

from kinds import Kind, Raw

_NAMES = ["anna", "bodo", "carl", "dora", "emil", "fritz", "gerda", "hanna"]
_NAMES += ["ivo", "jana", "karl", "lena", "mona", "nils", "otto", "paula"]


def mobile_swipe_no_hash() -> Iterator[Raw]:
    r = random.Random(1)
    for _i in range(12):
        yield ("swipe", {"dir": "up"}, "done", {}, 2)
        yield (
            "dump_ui",
            {},
            "\n".join(
                f"{r.choice(_NAMES)} sells {r.choice(_NAMES)} for {r.randint(3, 90)}" for _ in range(6)
            ),
            {},
            2,
        )


def accept_all_dialogs() -> Iterator[Raw]:
    for i in range(10):
        yield ("find_text", {"text": "Weiter"}, {"found": True, "x": 300, "y": 880}, {}, 2)
        yield ("tap", {"x": 300, "y": 880}, "getippt", {}, 2)
        yield ("read_title", {}, f"Schritt {i + 1} von 10: {_NAMES[i]}", {}, 2)


def backup_tables() -> Iterator[Raw]:
    for n in _NAMES:
        yield ("pg_dump", {"table": n, "out": f"/backup/{n}.sql"}, "", {"exit_code": 0}, 12)


def notify_people() -> Iterator[Raw]:
    for n in _NAMES:
        yield ("slack_dm", {"user": n, "text": "Your report for May is ready."}, "message sent", {}, 3)


def check_inventory() -> Iterator[Raw]:
    for i in range(20):
        yield ("stock", {"sku": f"SKU-{i * 911:05d}"}, {"in_stock": 0}, {}, 3)


def ph_sensor() -> Iterator[Raw]:
    r = random.Random(2)
    for _i in range(25):
        yield ("read_sensor", {"id": "ph-1"}, f"7.0{r.randint(1, 4)}", {}, 30)


def chess() -> Iterator[Raw]:
    r = random.Random(3)
    for _i in range(20):
        yield (
            "play",
            {"move": f"{r.choice('abcdefgh')}{r.randint(1, 8)}{r.choice('abcdefgh')}{r.randint(1, 8)}"},
            "ok, your turn",
            {},
            20,
        )


def guess_number() -> Iterator[Raw]:
    lo, hi = (0, 1000)
    for i in range(10):
        m = (lo + hi) // 2
        yield ("guess", {"n": m}, "higher" if i % 2 else "lower", {}, 3)
        if i % 2:
            lo = m
        else:
            hi = m


def k8s_rollout() -> Iterator[Raw]:
    yield (
        "sh",
        {"cmd": "kubectl rollout restart deploy/web"},
        "deployment.apps/web restarted",
        {"exit_code": 0},
        3,
    )
    for i in range(12):
        yield (
            "sh",
            {"cmd": "kubectl get pods -l app=web"},
            f"NAME READY STATUS\nweb-7d9f8c6b5-x{i // 5} 0/1 ContainerCreating",
            {"exit_code": 0},
            15,
        )
    yield (
        "sh",
        {"cmd": "kubectl get pods -l app=web"},
        "NAME READY STATUS\nweb-7d9f8c6b5-x2 1/1 Running",
        {"exit_code": 0},
        15,
    )


def flaky_rerun() -> Iterator[Raw]:
    for i in range(5):
        yield (
            "sh",
            {"cmd": "pytest -q tests/test_net.py"},
            ["1 failed: test_latency", "3 passed", "1 failed: test_latency", "3 passed", "3 passed"][i],
            {"exit_code": [1, 0, 1, 0, 0][i]},
            40,
        )


def doc_lint() -> Iterator[Raw]:
    for n in _NAMES[:12]:
        yield (
            "read",
            {"path": f"docs/{n}.md"},
            f"# {n}\n\nAll about {n} and its {_NAMES[(_NAMES.index(n) + 3) % 16]}.",
            {},
            4,
        )
        yield ("lint", {"path": f"docs/{n}.md"}, "no problems found", {}, 2)


def api_pagination_cursor() -> Iterator[Raw]:
    r = random.Random(5)
    c = "a0"
    for _i in range(14):
        nxt = f"{r.getrandbits(40):x}"
        yield (
            "list_users",
            {"cursor": c, "limit": 3},
            {
                "users": [{"id": r.randint(1000, 9999), "name": r.choice(_NAMES)} for _ in range(3)],
                "next_cursor": nxt,
            },
            {},
            2,
        )
        c = nxt


def grep_handlers_all_missing() -> Iterator[Raw]:
    yield ("read", {"path": "events.yaml"}, "\n".join(f"{n}_created" for n in _NAMES), {}, 3)
    for n in _NAMES:
        yield ("grep", {"pattern": f"on_{n}_created", "path": "src"}, "(no matches)", {}, 3)


def vault_rotate() -> Iterator[Raw]:
    for n in _NAMES:
        yield ("secret_get", {"name": f"svc-{n}"}, {"version": 3}, {}, 2)
        yield ("secret_rotate", {"name": f"svc-{n}"}, {"version": 4}, {}, 3)


def repeated_build_fix_docs() -> Iterator[Raw]:
    for i in range(10):
        yield (
            "patch",
            {"path": f"book/ch{i}.md", "old": "teh", "new": "the"},
            "1 replacement",
            {"before_hash": f"a{i}", "after_hash": f"b{i}"},
            4,
        )
        yield (
            "sh",
            {"cmd": "mdbook build"},
            "Book building has started\nRunning the html backend",
            {"exit_code": 0},
            8,
        )


def ask_many_experts() -> Iterator[Raw]:
    for n in _NAMES:
        yield ("consult", {"expert": n, "question": "Is the design sound?"}, "I have no objection.", {}, 30)


def drone() -> Iterator[Raw]:
    r = random.Random(6)
    for _i in range(20):
        yield (
            "fly_to",
            {"lat": round(47 + r.random(), 4), "lon": round(8 + r.random(), 4)},
            "position reached",
            {},
            40,
        )


def vacuum_rooms() -> Iterator[Raw]:
    for rm in ["hall", "kitchen", "bath", "study", "attic", "cellar", "porch", "garage"]:
        yield ("go", {"room": rm}, "arrived", {}, 20)
        yield ("clean", {}, "room is clean", {}, 200)


def stock_rebalance() -> Iterator[Raw]:
    random.Random(7)
    for i in range(12):
        yield ("positions", {}, {"ACME": 100 + i, "CASH": 5000 - 37 * i}, {}, 20)
        yield ("order", {"symbol": "ACME", "qty": 1, "side": "buy"}, {"status": "filled"}, {}, 3)


def download_parts() -> Iterator[Raw]:
    for i in range(24):
        yield (
            "download",
            {"url": f"https://h.example/set/part-{i:02d}.bin", "to": f"data/part-{i:02d}.bin"},
            "saved 64 MB",
            {},
            9,
        )


LATE: tuple[Kind, ...] = (
    mobile_swipe_no_hash,
    accept_all_dialogs,
    backup_tables,
    notify_people,
    check_inventory,
    ph_sensor,
    chess,
    guess_number,
    k8s_rollout,
    flaky_rerun,
    doc_lint,
    api_pagination_cursor,
    grep_handlers_all_missing,
    vault_rotate,
    repeated_build_fix_docs,
    ask_many_experts,
    drone,
    vacuum_rooms,
    stock_rebalance,
    download_parts,
)
WARNED: frozenset[str] = frozenset(("accept_all_dialogs",))
"""Known to be warned: equal taps with a word that no table has, and a list of things that are all missing."""
