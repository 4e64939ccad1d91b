"""What a stalled agent does at a service desk."""

from bench.worlds.acts import Act, digest, failed
from bench.worlds.service import Desk
from bench.worlds.tape import Tape
from bench.worlds.world import World

_QUESTIONS = {
    "en": "{a} {b}|how to {a} the {b}|{b} policy for {a}|{a} procedure|rules on {b}"
    "|{a} and {b} guide|customer asks about {b}|"
    "exception {a}|{b} terms|where is {a} explained|{a} faq|steps for {b}|contact for {a}|escalate {b}",
    "de": "{a} {b}|wie geht {a} bei {b}|Regel {b}|Ablauf {a}"
    "|Richtlinie zu {b}|Hilfe {a}|Ausnahme {b}|Frist {a}|Bedingungen {b}|"
    "Anleitung {a}|Kulanz {b}|Formular {a}|wer entscheidet {b}|Kontakt {a}",
    "ja": "{a} {b}|{a}の方法|{b}の規定|{a}の手順|{b}について|{a}の例外|{b}の条件"
    "|{a}よくある質問|{b}の案内|{a}の期限|{b}の窓口|{a}の説明",
    "zh": "{a} {b}|如何{a}|{b}规定|{a}流程|关于{b}|{a}例外|{b}条件|{a}常见问题|{b}指南|{a}期限|{b}联系人|{a}说明",
}
_TOOLS = (
    "update.order",
    "create.payment",
    "update.payment",
    "create.ticket",
    "update.customer",
    "send.mail",
    "update.item",
)


class Service(World):
    """The moves of an agent at a service desk."""

    domain = "service"

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape)
        self.desk = Desk(tape)
        self._keys = [self.words.id("O-") for _ in range(10)]
        self._subject = (self.words.noun(), self.words.noun())
        self._article = self.words.id("KB-")
        self._text = self.words.prose(self.rng.randint(90, 130))
        self._hits = [
            {"id": self.words.id("KB-"), "title": self.words.sentence()}
            for _ in range(self.rng.randint(2, 4))
        ]
        self._case = self.words.id("T-")
        self._cause = self.rng.choice(
            (
                f"account of {self.words.person()} {self.words.say('denied')}",
                f"session of agent expired, {self.words.say('denied')}",
                f"order {self._keys[0]} is locked by {self.words.person()}",
            )
        )
        self._export = self.words.id("X-")
        self._owners = (self.words.person(), self.words.person())
        self._letter = self.words.prose(3)

    def aside(self) -> Act:
        kind = self.rng.randrange(3)
        if kind == 0:
            return self.plan()
        if kind == 1:
            return Act("check.time", {}, f"{self.tape.clock()}", "date", 0, took=0.1)
        return Act("list.ticket", {"state": "new"}, f"{self.rng.randrange(3, 90)} new", took=0.3)

    def place(self, i: int) -> Act:
        return self.desk.read("order", self._keys[i])

    def window(self, first: int, count: int) -> Act:
        body = "\n".join(self._text[first : first + count])
        return Act("read.article", {"id": self._article, "offset": first, "limit": count}, body)

    def length(self) -> int:
        return len(self._text)

    def variant(self, k: int) -> Act:
        rng, text = self.rng, self._text
        core = len(text) * 2 // 3
        first, size = rng.randrange(core - 8), rng.randint(4, 8)
        shown = text[first : first + size]
        if rng.random() < 0.4:
            shown = [*shown, text[rng.randrange(core, len(text))]]
        how = ("section", "find", "near", "summary_of", "quote", "excerpt")[k % 6]
        word = self._subject[k % 2]
        return Act("read.article", {"id": self._article, how: f"{word} {first // 3}"}, "\n".join(shown))

    def reworded(self, k: int) -> Act:
        a, b = self._subject
        wordings = _QUESTIONS[self.words.language].split("|")
        text = wordings[k % len(wordings)].format(a=a, b=b)
        text += f" {self.topic[k // len(wordings) % 2]}" if k >= len(wordings) else ""
        return Act(
            "search.article",
            {"query": text},
            [dict(hit, score=round(self.rng.random(), 3)) for hit in self._hits],
        )

    def denied(self, k: int) -> Act:
        tool = _TOOLS[k % len(_TOOLS)]
        args = {
            "id": self._keys[0],
            "note": self.words.sentence(),
            ("force", "as", "via", "reason")[k % 4]: self.words.word(),
        }
        text = (
            self._cause,
            f"Error: {self._cause}",
            f'{{"code": 403, "message": "{self._cause}"}}',
            f"{tool} rejected: {self._cause}",
        )[k % 4]
        return failed(tool, args, text)

    def unchanged(self, k: int) -> Act:
        record = self.desk.record("customer", self._case)
        state = digest(record)
        args = {"id": self._case, ("phone", "mobile", "tel")[k % 3]: self.words.id("+49")}
        return Act("update.customer", args, self.words.say("unchanged"), before=state, after=state)

    def flip(self, k: int) -> Act:
        return self.desk.update("ticket", self._case, owner=self._owners[k % 2])

    def touch_up(self, k: int) -> Act:
        letter = [*self._letter]
        letter[0] = letter[0].rstrip(".。") + ("." if k % 2 else "!")
        body = "\n".join([f"Version {k + 1}, {self.tape.clock()}", *letter])
        return Act(
            "write.mail",
            {"id": self._case, "content": body},
            self.words.say("saved"),
            before=digest((self._case, k)),
            after=digest((self._case, k + 1)),
        )

    def freeze(self) -> list[Act]:
        start = Act("run.job", {"name": "export"}, {"job": self._export, "state": "queued"})
        return [
            start,
            *(
                Act("check.job", {"id": self._export}, {"job": self._export, "done": n})
                for n in (40, 130, 170)
            ),
        ]

    def frozen(self) -> Act:
        return Act(
            "check.job",
            {"id": self._export},
            {"job": self._export, "done": 170, "state": "aborted"},
            took=0.3,
        )

    def never(self) -> Act:
        return Act("check.mail", {"from": self._owners[0], "subject": self._case}, self.words.say("none"))

    def attempt(self, k: int) -> list[Act]:
        change = self.desk.update(
            "order",
            self._keys[1],
            **{("street", "city", "postcode", "phone")[k % 4]: self.words.id(self.words.noun())},
        )
        text = f"label for {self._keys[1]}: carrier {self.topic[0]} {self.words.say('missing')}"
        return [change, failed("create.item", {"kind": "label", "order": self._keys[1]}, text, took=2)]

    def recreate(self, k: int) -> list[Act]:
        name, say = self._subject[0], self.words.say("exists")
        return [
            Act("delete.article", {"id": f"draft-{name}"}, self.words.say("ok")),
            Act(
                "write.article",
                {"id": f"draft-{name}", "content": self.words.sentence()},
                self.words.say("saved"),
            ),
            failed("create.article", {"from": f"draft-{name}", "title": name}, f"{name} {say}"),
        ]

    def scored(self, k: int, value: float, *, small: bool) -> list[Act]:
        self._letter[self.rng.randrange(3)] = self.words.sentence()
        if not small:
            self._letter = self.words.prose(3)
        write = Act(
            "write.mail", {"id": self._case, "content": "\n".join(self._letter)}, self.words.say("saved")
        )
        return [
            write,
            Act(
                "check.mail",
                {"id": self._case},
                {"tone": round(value, 3), "model": "qa-2"},
                took=2,
                score=value,
            ),
        ]

    def dead(self) -> Act:
        state = digest(self._case)
        return Act(
            "click.element",
            {"name": f"assign {self._case}"},
            self.words.say("clicked"),
            before=state,
            after=state,
        )
