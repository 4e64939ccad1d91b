"""What a stalled agent does in a browser."""

from bench.worlds.acts import Act, failed
from bench.worlds.browsing import Site
from bench.worlds.tape import Tape
from bench.worlds.world import World

_QUESTIONS = (
    "{a} {b}",
    "{a} {b} official",
    "what is {a} {b}",
    "{b} of {a} 2025",
    "{a} {b} details",
    '"{a} {b}"',
    "{a} {b} explained",
    "how does {a} relate to {b}",
    "{a} {b} report",
    "{a} AND {b}",
    "{b} {a} data",
    "latest {a} {b}",
    "{a} {b} source",
    "{a} {b} pdf",
    "{a} {b} statistics",
    "facts about {a} {b}",
    "{a} {b} history",
    "site:{h} {a} {b}",
)
_WAYS = (
    "open",
    "mirror",
    "cached",
    "mobile",
    "print",
    "amp",
    "text",
    "api",
    "proxy",
    "archive",
    "rss",
    "embed",
)


class Browsing(World):
    """The moves of an agent that works in a browser."""

    domain = "browsing"

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape)
        self.site = site = Site(tape)
        self._urls = [site.address() for _ in range(10)]
        self._long = site.address()
        site.publish(self._long, self.rng.randint(90, 150))
        self._hits = site.hits(self.rng.randint(3, 5))
        self._wall = self.rng.choice(
            ("login required", "captcha not solved", "403 Forbidden: region blocked")
        )
        self._flips = ("list view", "grid view") if self.rng.random() < 0.5 else ("filter on", "filter off")
        self._order = self.words.id("B-")
        self._draft = self.words.prose(4)
        self._result = self.words.sentence()

    def aside(self) -> Act:
        kind = self.rng.randrange(3)
        if kind == 0:
            return self.plan()
        if kind == 1:
            return Act("read.page", {"what": "title"}, f"{self.site.host} - {self.words.noun()}", took=0.2)
        return Act("note.thought", {"content": self.words.sentence()}, self.words.say("noted"), took=0.1)

    def place(self, i: int) -> Act:
        return self.site.open(self._urls[i])

    def window(self, first: int, count: int) -> Act:
        body = "\n".join(self.site.text(self._long)[first : first + count])
        return Act("read.page", {"url": self._long, "offset": first, "limit": count}, body, took=0.6)

    def length(self) -> int:
        return len(self.site.text(self._long))

    def variant(self, k: int) -> Act:
        rng, text = self.rng, self.site.text(self._long)
        core = len(text) * 2 // 3
        first, size = rng.randrange(core - 8), rng.randint(4, 8)
        shown = list(range(first, first + size))
        if rng.random() < 0.4:
            shown.append(rng.randrange(core, len(text)))
        how = ("find_text", "css", "xpath", "section", "regex", "near")[k % 6]
        args = {"url": self._long, how: f"{self.topic[k % 2]} {first}"}
        return Act("read.page", args, "\n".join(text[i] for i in shown), took=0.5)

    def reworded(self, k: int) -> Act:
        a, b = self.topic
        query = _QUESTIONS[k % len(_QUESTIONS)].format(a=a, b=b, h=self.site.host)
        query += (
            f" {('overview', 'summary', 'list', 'paper')[k // len(_QUESTIONS) % 4]}"
            if k >= len(_QUESTIONS)
            else ""
        )
        hits = self._hits if k % 3 else self._hits[::-1]
        return self.site.search(query, hits)

    def denied(self, k: int) -> Act:
        way = _WAYS[k % len(_WAYS)]
        url = f"https://{way}.{self.site.host}/{self.topic[0]}" + (f"?try={k}" if k >= len(_WAYS) else "")
        wall = self._wall
        text = (
            wall,
            f"Error: {wall}",
            f"HTTP error at {url}: {wall}",
            f"page.goto: {wall}\n  at navigate:{k + 40}",
        )[k % 4]
        return failed("open.page", {"url": url}, text, shell=f"curl -sL {url}", exit_code=22, took=2)

    def unchanged(self, k: int) -> Act:
        site = self.site
        site.fields["quantity"] = "1"
        state = site.screen()
        said = self.words.say("ok") if self.tape.dialect.hashes else "quantity: 1"
        return Act(
            "type.field",
            {"name": "quantity", "text": str(k % 5 + 2)},
            said,
            before=state,
            after=state,
            took=0.5,
        )

    def flip(self, k: int) -> Act:
        name = self._flips[k % 2]
        return self.site.act("click.element", {"name": name}, f"showing {name}, 24 items", view=name)

    def touch_up(self, k: int) -> Act:
        content = "\n".join([f"# Draft {k + 1} ({self.tape.clock()})", *self._draft])
        state = str(k)
        return Act(
            "update.item",
            {"id": self._order, "content": content},
            self.words.say("saved"),
            before=f"{self.words.hex(4)}{k:04d}",
            after=f"{self.words.hex(4)}{state:0>4}",
            took=0.3,
        )

    def freeze(self) -> list[Act]:
        start = Act("click.element", {"name": "export all"}, f"export {self._order} started", took=1)
        return [
            start,
            *(
                Act("check.item", {"id": self._order}, f"export {self._order}: {p} % done")
                for p in (8, 21, 37)
            ),
        ]

    def frozen(self) -> Act:
        return Act("check.item", {"id": self._order}, f"export {self._order}: cancelled at 37 %", took=0.4)

    def never(self) -> Act:
        return Act("check.mail", {"query": f"confirmation {self.topic[0]}"}, self.words.say("none"), took=0.6)

    def attempt(self, k: int) -> list[Act]:
        value = f"{self.words.word()} {self.words.id()}"
        typed = self.site.act(
            "type.field", {"name": "reference", "text": value}, f"reference = {value}", reference=value
        )
        text = f"Please correct: {self.topic[0]} {self.words.say('required')}"
        return [typed, failed("click.element", {"name": "submit"}, text, took=1.2)]

    def recreate(self, k: int) -> list[Act]:
        name = f"{self.topic[0]}-list"
        body = {"name": name, "content": self.words.sentence()}
        return [
            Act("delete.item", {"name": f"draft of {name}"}, self.words.say("ok")),
            Act("type.field", {"name": "entry", "text": self.words.sentence()}, self.words.say("ok")),
            failed("create.item", body, f"{name} {self.words.say('exists')}"),
        ]

    def scored(self, k: int, value: float, *, small: bool) -> list[Act]:
        self._draft[self.rng.randrange(4)] = self.words.sentence()
        if not small:
            self._draft = self.words.prose(4)
        write = Act(
            "update.item", {"id": self._order, "content": "\n".join(self._draft)}, self.words.say("saved")
        )
        check = Act("check.page", {"id": self._order}, f"seo score {value:.2f} of 1.00", took=3, score=value)
        return [write, check]

    def dead(self) -> Act:
        state = self.site.screen()
        said = (
            self.words.say("clicked")
            if self.tape.dialect.hashes
            else f"{self.words.say('clicked')} {self._result}"
        )
        return Act(
            "click.element",
            {"name": f"continue to {self.topic[0]}"},
            said,
            before=state,
            after=state,
            took=0.8,
        )
