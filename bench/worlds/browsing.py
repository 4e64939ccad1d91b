"""A site and a web search: pages with text and links, forms whose fields hold what was typed, screens with hashes."""

from bench.worlds.acts import Act, digest
from bench.worlds.tape import Tape


class Site:
    """Pages by address, made at the first look; the screen's hash follows address, scroll and fields."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.rng = tape.rng
        self.words = tape.words
        self.host = f"www.{self.words.word()}-{self.words.word()}.example"
        self._pages: dict[str, list[str]] = {}
        self.url = f"https://{self.host}/"
        self.position = 0
        self.fields: dict[str, str] = {}
        self.terse = self.rng.random() < 0.5

    def text(self, url: str) -> list[str]:
        """A page's paragraphs; stable."""
        known = self._pages.get(url)
        if known is None:
            known = self._pages[url] = self.words.prose(self.rng.randint(5, 14))
        return known

    def publish(self, url: str, paragraphs: int) -> None:
        """A page of that length stands there."""
        self._pages[url] = self.words.prose(paragraphs)

    def screen(self) -> str:
        return digest((self.url, self.position, sorted(self.fields.items())))

    def open(self, url: str) -> Act:
        """A page opened: its title, text and links."""
        before = self.screen()
        self.url, self.position, self.fields = url, 0, {}
        text = self.text(url)
        links = [f"[{i}] {word}" for i, word in enumerate(url.rsplit("/", 1)[-1].split("-"))]
        return Act(
            "open.page",
            {"url": url},
            "\n".join([f"# {url.rsplit('/', 1)[-1]}", *text, *links]),
            f"curl -s {url}",
            before=before,
            after=self.screen(),
            took=1.5,
        )

    def address(self) -> str:
        """A page nobody has seen."""
        return f"https://{self.host}/{self.words.word()}/{self.words.word()}-{self.words.id()}"

    def search(self, query: str, hits: list[tuple[str, str]]) -> Act:
        """What the search engine answers: addresses and first sentences, with volatile relevances."""
        lines = [
            f"{i}. {url}\n   {text} (relevance {self.rng.uniform(0.5, 0.99):.3f})"
            for i, (url, text) in enumerate(hits, 1)
        ]
        return Act("search.web", {"query": query}, "\n".join(lines) or self.words.say("none"), took=1.0)

    def hits(self, n: int) -> list[tuple[str, str]]:
        """Pages that were not seen, with a sentence of their text."""
        urls = [self.address() for _ in range(n)]
        return [(url, self.text(url)[0]) for url in urls]

    def act(self, name: str, args: dict[str, object], said: str, /, **fields: str) -> Act:
        """A touch of the screen: the fields change, the answer is a short word or what the screen shows."""
        before = self.screen()
        self.fields |= fields
        return Act(
            name,
            args,
            self.words.say("ok") if self.terse else said,
            before=before,
            after=self.screen(),
            took=0.7,
        )

    def scroll(self, lines: int) -> Act:
        """Further down on the page: what came into view."""
        before = self.screen()
        text = self.text(self.url)
        first = self.position
        self.position = min(len(text), self.position + lines)
        body = "\n".join(text[first : self.position])
        return Act(
            "scroll.page",
            {"direction": "down", "amount": lines},
            body,
            before=before,
            after=self.screen(),
            took=0.4,
        )
