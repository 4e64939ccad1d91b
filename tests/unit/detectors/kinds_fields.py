"""Healthy work from fields that the first kinds did not touch.

Each looks dry in its own way: constant answers, nothing found, equal calls, one cause behind many failures.
"""

import random
from collections.abc import Iterator

from kinds import Kind, Raw

USER = "a person spoke"
"""In place of a tool: no call, but an input of the user."""
_NAMES = ["anna", "bodo", "carl", "dora", "emil", "fritz", "gerda", "hanna"]
_NAMES += ["ivo", "jana", "karl", "lena", "mona", "nils", "otto", "paula"]


def sql_exploration() -> Iterator[Raw]:
    qs = [
        "select count(*) from orders",
        "select count(*) from orders where paid",
        "select distinct country from users",
        "select count(*) from users where country='DE'",
        "select count(*) from users where country='FR'",
        "select max(created) from orders",
        "select status, count(*) from orders group by 1",
        "select * from items where sku is null",
        "select * from items where price<0",
        "select * from orders where user_id is null",
        "select count(*) from orders where total<0",
        "select * from users where email is null",
        "select * from users where email not like '%@%'",
        "select * from refunds where amount>1000",
    ]
    ans = [
        "1204",
        "991",
        "DE\nFR\nIT",
        "411",
        "302",
        "2026-05-11",
        "paid|991\nopen|213",
        "(0 rows)",
        "(0 rows)",
        "(0 rows)",
        "0",
        "(0 rows)",
        "(0 rows)",
        "(0 rows)",
    ]
    for q, a in zip(qs, ans, strict=True):
        yield ("sql", {"query": q}, a, {}, 6)


def spreadsheet() -> Iterator[Raw]:
    for i in range(30):
        yield (
            "set_cell",
            {"sheet": "Q2", "cell": f"B{i + 2}", "value": f"=A{i + 2}*1.19"},
            {"updatedCells": 1},
            {},
            3,
        )


def spreadsheet_labels() -> Iterator[Raw]:
    for i, n in enumerate(_NAMES):
        yield ("setze_zelle", {"zelle": f"A{i + 1}", "wert": n.title()}, "1 Zelle geändert", {}, 3)


def trading() -> Iterator[Raw]:
    r = random.Random(3)
    for _i in range(30):
        yield (
            "quote",
            {"symbol": "ACME"},
            {"bid": round(100 + r.random(), 2), "ask": round(101 + r.random(), 2)},
            {},
            60,
        )


def thermostat() -> Iterator[Raw]:
    r = random.Random(4)
    for _i in range(14):
        yield ("read_temp", {"room": "hall"}, {"celsius": round(19 + r.random() * 2, 1)}, {}, 600)
        yield ("set_target", {"room": "hall", "celsius": 21}, {"ok": True}, {}, 3)


def maze() -> Iterator[Raw]:
    r = random.Random(5)
    ways = ["north", "south", "east", "west"]
    for i in range(40):
        exits = ", ".join(sorted(r.sample(ways, 2)))
        yield (
            "move",
            {"dir": r.choice(ways)},
            f"You are at a crossing {i % 7}/{i % 5}. Exits: {exits}.",
            {},
            3,
        )


def mail_triage() -> Iterator[Raw]:
    ids = [f"m{17 * i % 400:03d}" for i in range(24)]
    yield (
        "list_inbox",
        {},
        [{"id": i, "from": _NAMES[k % 16], "subject": f"note {k}"} for k, i in enumerate(ids)],
        {},
        3,
    )
    for i in ids:
        yield ("archive", {"id": i}, {}, {}, 3)


def availability() -> Iterator[Raw]:
    for n in _NAMES:
        yield ("free_busy", {"person": n, "day": "2026-06-03"}, {"busy": []}, {}, 4)


def form_fill() -> Iterator[Raw]:
    for lab in [
        "First name",
        "Last name",
        "Street",
        "Town",
        "Postcode",
        "Phone",
        "Birth date",
        "Nationality",
        "Occupation",
        "Employer",
        "Since",
        "Income",
    ]:
        yield ("type_text", {"label": lab, "text": lab[::-1]}, "ok", {}, 2)
    for _i in range(5):
        yield ("click", {"label": "Next"}, "ok", {}, 3)


def crawl() -> Iterator[Raw]:
    urls = [f"https://shop.example/p/{_NAMES[i % 16]}-{i * 13}" for i in range(30)]
    yield ("sitemap", {}, "\n".join(urls), {}, 3)
    for u in urls:
        yield ("fetch", {"url": u}, {"status": 200, "saved": True}, {}, 2)


def migrate() -> Iterator[Raw]:
    for n in _NAMES:
        yield ("sh", {"cmd": f"./migrate.sh t_{n}"}, "done", {"exit_code": 0}, 20)
        yield ("sh", {"cmd": f"./verify.sh t_{n}"}, "row counts match", {"exit_code": 0}, 10)


def ask_worker() -> Iterator[Raw]:
    yield ("delegate", {"to": "builder", "task": "build the index"}, "started", {}, 3)
    for _i in range(15):
        yield ("ask_status", {"of": "builder"}, "still working on it", {}, 120)
    yield ("ask_status", {"of": "builder"}, "index built, 4102 docs", {}, 120)


def oncall() -> Iterator[Raw]:
    for k in range(8):
        for b in ["api", "db", "queue", "cdn", "auth"]:
            yield ("dashboard", {"board": b}, "all panels green", {}, 5)
        yield ("note", {"text": f"round {k}, nothing to report"}, "saved", {}, 900)


def autofix() -> Iterator[Raw]:
    for i in range(12):
        yield ("sh", {"cmd": "tool fix --once"}, f"fixed 1 problem, {40 - 3 * i} left", {"exit_code": 0}, 5)


def segments() -> Iterator[Raw]:
    r = random.Random(6)
    w = [
        "der",
        "alte",
        "Turm",
        "steht",
        "am",
        "Fluss",
        "und",
        "die",
        "Leute",
        "gehen",
        "über",
        "den",
        "Markt",
        "nach",
        "Hause",
        "im",
        "Regen",
    ]
    for _i in range(16):
        yield ("next_segment", {}, " ".join(r.sample(w, 8)), {}, 5)
        yield ("submit_segment", {"text": " ".join(r.sample(w, 8))[::-1]}, "ok", {}, 9)


def queue_worker() -> Iterator[Raw]:
    for i in range(16):
        yield ("dequeue", {}, {"id": f"job-{i * 31}", "kind": "resize"}, {}, 2)
        yield ("resize", {"id": f"job-{i * 31}"}, {"ok": True}, {}, 4)
        yield ("ack", {"id": f"job-{i * 31}"}, {"ok": True}, {}, 1)


def sql_pages() -> Iterator[Raw]:
    r = random.Random(7)
    for i in range(14):
        yield (
            "sql",
            {"query": f"select * from log limit 50 offset {50 * i}"},
            "\n".join(f"{r.choice(_NAMES)} {r.choice(['in', 'out'])} {r.randint(1, 999)}" for _ in range(20)),
            {},
            4,
        )


def delete_rows() -> Iterator[Raw]:
    for _i in range(16):
        yield ("delete_row", {"index": 0}, "deleted", {}, 2)


def hosts_up() -> Iterator[Raw]:
    for n in _NAMES:
        yield ("ssh", {"host": n + ".lan", "cmd": "uptime -p"}, "up 3 weeks, 2 days", {"exit_code": 0}, 5)


def audit_denied() -> Iterator[Raw]:
    yield ("users", {}, "\n".join(_NAMES), {}, 3)
    for n in _NAMES:
        yield ("try_access", {"user": n, "resource": "/vault"}, "403 Forbidden", {"error": True}, 4)


def link_check() -> Iterator[Raw]:
    r = random.Random(8)
    urls = [f"https://docs.example/{a}/{b}" for a in _NAMES[:6] for b in _NAMES[6:10]]
    yield ("read", {"path": "links.txt"}, "\n".join(urls), {}, 3)
    for u in urls:
        yield ("head", {"url": u}, "404 Not Found" if r.random() < 0.5 else "200 OK", {"error": None}, 2)


def wait_person() -> Iterator[Raw]:
    yield ("send_mail", {"to": "kim", "text": "Can you approve the plan for tomorrow?"}, "sent", {}, 3)
    for _i in range(24):
        yield ("check_inbox", {"from": "kim"}, [], {}, 300)
    yield ("check_inbox", {"from": "kim"}, [{"from": "kim", "text": "approved"}], {}, 300)


def tuning_flat() -> Iterator[Raw]:
    r = random.Random(9)
    for i in range(14):
        yield (
            "sh",
            {"cmd": f"python fit.py --depth {3 + i % 5} --eta 0.{1 + i}"},
            f"accuracy 0.{905 + r.randint(0, 3)}",
            {"exit_code": 0},
            60,
        )


def combos() -> Iterator[Raw]:
    for i in range(20):
        yield ("try_code", {"code": f"{i * 37:04d}"}, "wrong code", {}, 2)


def refactor_many() -> Iterator[Raw]:
    for n in _NAMES:
        yield ("sh", {"cmd": f"sed -i 's/oldname/newname/g' src/{n}.py"}, "", {"exit_code": 0}, 4)
    for n in _NAMES:
        yield ("sh", {"cmd": f"grep -c oldname src/{n}.py"}, "0", {"exit_code": 1}, 4)


def robot() -> Iterator[Raw]:
    r = random.Random(10)
    for i in range(14):
        yield ("move_to", {"x": r.randint(0, 99), "y": r.randint(0, 99)}, "arrived", {}, 6)
        yield ("grasp", {"object": _NAMES[i % 16]}, "ok", {}, 3)
        yield ("drop", {"bin": "a"}, "ok", {}, 3)


def chat_support() -> Iterator[Raw]:
    for i in range(10):
        yield (
            "get_order",
            {"id": f"#{5000 + i % 3}"},
            {"id": f"#{5000 + i % 3}", "state": "shipped"},
            {},
            20,
        )
        yield (USER, {}, None, {}, 30)


def research_same_sources() -> Iterator[Raw]:
    for i, n in enumerate(_NAMES):
        yield (
            "search",
            {"q": f"history of {n} bridge"},
            [f"wiki/{n}_bridge", "wiki/Bridge", "wiki/List_of_bridges"],
            {},
            5,
        )
        yield (
            "open",
            {"url": f"wiki/{n}_bridge"},
            f"{n.title()} bridge was built in {1800 + i * 7}. It spans the {_NAMES[-i - 1]}.",
            {},
            6,
        )


def fix_many_warnings_same_cmd() -> Iterator[Raw]:
    for i in range(14):
        yield (
            "sh",
            {"cmd": "cargo check 2>&1 | head -3"},
            f"warning: unused variable `v{_NAMES[i % 16]}`\n --> src/{_NAMES[i % 16]}.rs:{i * 9 + 3}",
            {"exit_code": 0},
            6,
        )
        yield (
            "sh",
            {"cmd": f"sed -i 's/let v{_NAMES[i % 16]}/let _v{_NAMES[i % 16]}/' src/{_NAMES[i % 16]}.rs"},
            "",
            {"exit_code": 0},
            4,
        )


def docker_wait_health() -> Iterator[Raw]:
    yield ("sh", {"cmd": "docker compose up -d"}, "Container db Started", {"exit_code": 0}, 5)
    for _i in range(8):
        yield (
            "sh",
            {"cmd": "docker inspect -f '{{.State.Health.Status}}' db"},
            "starting",
            {"exit_code": 0},
            10,
        )
    yield ("sh", {"cmd": "docker inspect -f '{{.State.Health.Status}}' db"}, "healthy", {"exit_code": 0}, 10)


def many_greps() -> Iterator[Raw]:
    for i, n in enumerate(_NAMES):
        yield (
            "grep",
            {"pattern": f"{n}_handler", "path": "src"},
            "No matches found" if i % 3 else f"src/{n}.py:{i * 7 + 1}: def {n}_handler():",
            {},
            4,
        )


def seat_map() -> Iterator[Raw]:
    for i in range(12):
        yield ("check_seat", {"row": 10 + i, "seat": "A"}, {"available": False}, {}, 2)


def review_comments() -> Iterator[Raw]:
    for i, n in enumerate(_NAMES):
        yield (
            "post_comment",
            {"file": f"src/{n}.go", "line": i * 11 + 2, "body": f"Please rename {n} to something clearer."},
            {"id": 9000 + i},
            {},
            8,
        )


def batch_images() -> Iterator[Raw]:
    for n in _NAMES:
        yield ("convert", {"src": f"in/{n}.png", "dst": f"out/{n}.webp"}, "converted", {}, 4)


def test_matrix() -> Iterator[Raw]:
    for py in ("3.9", "3.10", "3.11", "3.12"):
        for db in ("pg14", "pg15", "pg16"):
            yield ("sh", {"cmd": f"tox -e py{py}-{db}"}, "congratulations :)", {"exit_code": 0}, 60)


FIELDS: tuple[Kind, ...] = (
    sql_exploration,
    spreadsheet,
    spreadsheet_labels,
    trading,
    thermostat,
    maze,
    mail_triage,
    availability,
    form_fill,
    crawl,
    migrate,
    ask_worker,
    oncall,
    autofix,
    segments,
    queue_worker,
    sql_pages,
    delete_rows,
    hosts_up,
    audit_denied,
    link_check,
    wait_person,
    tuning_flat,
    combos,
    refactor_many,
    robot,
    chat_support,
    research_same_sources,
    fix_many_warnings_same_cmd,
    docker_wait_health,
    many_greps,
    seat_map,
    review_comments,
    batch_images,
    test_matrix,
)
