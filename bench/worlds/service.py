"""A service desk: customers, orders, tickets and mails with states that the tools change."""

from typing import Any

from bench.worlds.acts import Act, digest
from bench.worlds.tape import Tape

_STATES = ("open", "paid", "packed", "shipped", "delivered", "returned")


class Desk:
    """Records by kind and id, made at the first look and changed by updates."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.rng = tape.rng
        self.words = tape.words
        self._records: dict[str, dict[str, Any]] = {}
        self.terse = self.rng.random() < 0.5

    def record(self, noun: str, key: str) -> dict[str, Any]:
        """A record; stable until updated."""
        known = self._records.get(key)
        if known is None:
            known = self._records[key] = {"id": key, **self._new(noun)}
        return known

    def _new(self, noun: str) -> dict[str, Any]:
        rng, words = self.rng, self.words
        if noun == "mail":
            return {
                "from": words.person(),
                "subject": f"{words.noun()} {words.noun()}",
                "body": " ".join(words.prose(2)),
            }
        if noun == "customer":
            return {
                "name": words.person(),
                "city": words.noun(),
                "since": rng.randrange(2001, 2025),
                "note": words.sentence(),
            }
        if noun == "article":
            return {"title": words.sentence(), "text": words.prose(4)}
        if noun == "ticket":
            return {
                "from": words.person(),
                "state": "open",
                "text": words.sentence(),
                "priority": rng.randint(1, 4),
            }
        items = [
            {"sku": words.id("S"), "name": words.noun(), "qty": rng.randint(1, 4)}
            for _ in range(rng.randint(1, 3))
        ]
        total = round(rng.uniform(5, 900), 2)
        return {
            "customer": words.person(),
            "state": rng.choice(_STATES),
            "items": items,
            "total": total,
            "note": words.sentence(),
        }

    def read(self, noun: str, key: str) -> Act:
        record = self.record(noun, key)
        state = digest(record)
        return Act(
            f"read.{noun}", {"id": key}, dict(record), f"desk get {noun} {key}", before=state, after=state
        )

    def update(self, noun: str, key: str, /, **changes: Any) -> Act:
        """Fields set; the answer is a short word or the record's head."""
        record = self.record(noun, key)
        before = digest(record)
        record |= changes
        said = self.words.say("ok") if self.terse else {"id": key, "updated": sorted(changes)}
        return Act(f"update.{noun}", {"id": key, **changes}, said, before=before, after=digest(record))

    def send(self, key: str, text: str) -> Act:
        return Act("send.mail", {"id": key, "content": text}, self.words.say("sent"))
