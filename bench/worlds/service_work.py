"""Healthy work at a service desk."""

from collections.abc import Callable

from bench.worlds.acts import Act, failed
from bench.worlds.service_stalls import Service

_LABELS = ("billing", "spam", "urgent", "later", "sales", "hr")


def inbox_triage(w: Service) -> None:
    """Mail after mail: read, label, archive."""
    rng = w.rng
    keys = [w.words.id("M-") for _ in range(rng.randint(8, 18))]
    w.tape.do(Act("list.mail", {"folder": "inbox"}, [{"id": key, "from": w.words.person()} for key in keys]))
    for key in keys:
        w.tape.do(
            w.desk.read("mail", key), w.desk.update("mail", key, label=rng.choice(_LABELS), archived=True)
        )


def customer_dialog(w: Service) -> None:
    """The customer speaks between the calls; the same order is looked at again after that."""
    rng, desk = w.rng, w.desk
    customer, order = w.words.id("C-"), w.words.id("O-")
    w.tape.user()
    w.tape.do(desk.read("customer", customer))
    for _ in range(rng.randint(4, 9)):
        w.tape.user()
        w.tape.do(desk.read("order", order))
        if rng.random() < 0.4:
            order = w.words.id("O-")
            w.tape.do(desk.read("order", order))
        if rng.random() < 0.5:
            w.tape.do(desk.update("order", order, note=w.words.sentence()))


def ticket_worklist(w: Service) -> None:
    """Ticket after ticket: read, answer, close."""
    for _ in range(w.rng.randint(6, 14)):
        key = w.words.id("T-")
        w.tape.do(
            w.desk.read("ticket", key),
            w.desk.send(key, w.words.sentence()),
            w.desk.update("ticket", key, state="closed"),
        )


def free_slots(w: Service) -> None:
    """Calendars of several people searched for a slot; many have none."""
    rng = w.rng
    for _ in range(rng.randint(8, 16)):
        day = f"2026-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
        who, free = w.words.person(), [f"{hour}:00" for hour in range(9, 17) if rng.random() < 0.25]
        w.tape.do(
            Act("search.event", {"person": who, "date": day}, {"free": free} if free else w.words.say("none"))
        )
    w.tape.do(Act("create.event", {"date": day, "with": who}, w.words.say("saved")))


def refunds(w: Service) -> None:
    """A list of refunds booked; each answer is the same."""
    for _ in range(w.rng.randint(9, 20)):
        args = {
            "order": w.words.id("O-"),
            "amount": round(w.rng.uniform(4, 300), 2),
            "reason": w.words.noun(),
        }
        w.tape.do(Act("create.payment", args, w.words.say("ok"), took=1))


def payment_matching(w: Service) -> None:
    """Orders held against payments; most of them fit."""
    for _ in range(w.rng.randint(8, 16)):
        key = w.words.id("O-")
        total = w.desk.record("order", key)["total"]
        paid = total if w.rng.random() < 0.8 else round(total - 1.5, 2)
        w.tape.do(
            w.desk.read("order", key), Act("search.payment", {"order": key}, [{"order": key, "paid": paid}])
        )
        if paid != total:
            w.tape.do(w.desk.update("order", key, flag="short"))


def translations(w: Service) -> None:
    """Text after text written; each answer is the same."""
    for i in range(w.rng.randint(10, 24)):
        args = {"id": f"{w.topic[0]}.{w.words.word()}.{i}", "content": w.words.sentence()}
        w.tape.do(Act("update.article", args, w.words.say("saved"), took=0.3))


def duplicate_merging(w: Service) -> None:
    """Pairs of customers compared and merged or left."""
    for _ in range(w.rng.randint(5, 11)):
        a, b = w.words.id("C-"), w.words.id("C-")
        w.tape.together(w.desk.read("customer", a), w.desk.read("customer", b))
        if w.rng.random() < 0.7:
            w.tape.do(Act("update.customer", {"id": a, "merge": b}, w.words.say("done")))


def knowledge_research(w: Service) -> None:
    """Other questions to the knowledge base, other articles."""
    for _ in range(w.rng.randint(6, 12)):
        keys = [w.words.id("KB-") for _ in range(w.rng.randint(2, 4))]
        hits = [{"id": key, "title": w.words.sentence()} for key in keys]
        w.tape.do(Act("search.article", {"query": " ".join(w.words.words(2))}, hits))
        w.tape.do(w.desk.read("article", keys[0]))


def refusals(w: Service) -> None:
    """Bookings that are refused for another reason each time; each is answered in its own way."""
    reasons = (
        "limit of {n} exceeded",
        "{w} is blocked",
        "currency {v} not enabled",
        "period {n} is closed",
        "address of {w} incomplete",
        "stock of {v} is {n}",
        "{w} needs approval",
        "tax code {n} unknown",
    )
    for reason in w.rng.sample(reasons, w.rng.randint(4, 8)):
        key, text = (
            w.words.id("O-"),
            reason.format(n=w.rng.randrange(900), w=w.words.word(), v=w.words.word()),
        )
        w.tape.do(failed("create.payment", {"order": key, "amount": w.rng.randrange(900)}, text))
        w.tape.do(w.desk.read("order", key), w.desk.update("order", key, **{w.words.word(): w.words.noun()}))


def call_list(w: Service) -> None:
    """Customers called one after the other; many do not answer."""
    for _ in range(w.rng.randint(9, 18)):
        key = w.words.id("C-")
        text = w.words.sentence() if w.rng.random() < 0.35 else w.words.say("none")
        w.tape.do(Act("run.customer", {"id": key, "attempt": 1}, text, took=25))
        if w.rng.random() < 0.3:
            w.tape.do(w.desk.update("customer", key, call=w.words.noun()))


WORK: dict[str, Callable[[Service], None]] = {
    "service/inbox_triage": inbox_triage,
    "service/customer_dialog": customer_dialog,
    "service/ticket_worklist": ticket_worklist,
    "service/free_slots": free_slots,
    "service/refunds": refunds,
    "service/payment_matching": payment_matching,
    "service/translations": translations,
    "service/duplicate_merging": duplicate_merging,
    "service/knowledge_research": knowledge_research,
    "service/refusals": refusals,
    "service/call_list": call_list,
}
