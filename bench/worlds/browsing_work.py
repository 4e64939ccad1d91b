"""Healthy work in a browser."""

from collections.abc import Callable

from bench.worlds.acts import Act, failed
from bench.worlds.browsing_stalls import Browsing

_FIELDS = "name street city postcode country phone email birthday company vat iban reference comment salutation".split()
_MONTHS = "January February March April May June July August September October November December".split()
_OBSTACLES = (
    "element is covered by {w} banner",
    "element not found: #{w}",
    "navigation interrupted by dialog '{w}'",
    "stale element reference {n}",
    "option '{w}' not in list",
    "value does not match pattern {n}",
    "frame {w} was detached",
    "click target moved by {n} px",
)


def web_research(w: Browsing) -> None:
    """Other questions, other pages; now and then a search finds nothing."""
    site, rng = w.site, w.rng
    for _ in range(rng.randint(6, 14)):
        hits = site.hits(rng.choice((0, 3, 4, 5, 6)))
        w.tape.do(site.search(" ".join(w.words.words(rng.randint(2, 4))), hits))
        w.tape.do(*(site.open(url) for url, _ in hits[: rng.randint(1, 3)]))


def form_filling(w: Browsing) -> None:
    """Field after field; the answer is the same short word, the screen moves."""
    site, rng = w.site, w.rng
    w.tape.do(site.open(site.address()))
    for name in rng.sample(_FIELDS, rng.randint(8, 14)):
        value = w.words.person() if rng.random() < 0.5 else w.words.id()
        w.tape.do(site.act("type.field", {"name": name, "text": value}, f"{name} = {value}", **{name: value}))
    w.tape.do(
        site.act("click.element", {"name": "submit"}, f"Thank you, reference {w.words.id('R-')}", sent="1")
    )


def date_picker(w: Browsing) -> None:
    """Next month, next month, until the month is right."""
    site, rng = w.site, w.rng
    site.terse = site.terse and w.tape.dialect.hashes  # else nobody could tell this from a dead button
    w.tape.do(site.open(site.address()))
    month = 0
    for _ in range(rng.randint(1, 2)):
        for month in range(month + 1, month + rng.randint(7, 16)):  # noqa: B020  # the second field opens at the first one's month
            label = f"{_MONTHS[month % 12]} {2026 + month // 12}"
            w.tape.do(site.act("click.element", {"name": "next month"}, label, month=label))
        day = str(rng.randint(1, 28))
        w.tape.do(site.act("click.element", {"name": day}, f"{day} chosen", day=day))


def listing_pages(w: Browsing) -> None:
    """A listing page by page; the click is the same, the rows are not."""
    site, rng = w.site, w.rng
    total = rng.randint(8, 20)
    for page in range(1, total + 1):
        rows = [
            f"{w.words.id('A-')}  {w.words.noun()} {w.words.noun()}  {rng.uniform(2, 900):.2f} EUR"
            for _ in range(rng.randint(5, 10))
        ]
        before = site.screen()
        site.url = f"https://{site.host}/list?page={page}"
        body = "\n".join([*rows, f"page {page} of {total}"])
        args = {"name": "next"} if rng.random() < 0.98 else {"name": f"page {page}"}
        w.tape.do(Act("click.element", args, body, before=before, after=site.screen(), took=1.1))


def scrolling(w: Browsing) -> None:
    """Down a long page to its end."""
    site = w.site
    url = site.address()
    site.publish(url, w.rng.randint(50, 110))
    w.tape.do(Act("open.page", {"url": url}, f"# {url.rsplit('/', 1)[-1]}", took=1.0))
    site.url, site.position = url, 0
    while site.position < len(site.text(url)):
        w.tape.do(site.scroll(6))


def product_comparison(w: Browsing) -> None:
    """Each shop: search, open, note the price."""
    site, rng = w.site, w.rng
    item = " ".join(w.words.words(2))
    for shop in w.words.words(rng.randint(6, 12)):
        url = f"https://{shop}.example/{w.words.id()}"
        price = f"{rng.uniform(20, 400):.2f}"
        w.tape.do(
            site.search(f"{item} {shop}", [(url, w.words.sentence())]),
            site.open(url),
            Act("create.item", {"shop": shop, "price": price}, w.words.say("saved"), took=0.2),
        )


def obstacles(w: Browsing) -> None:
    """A form that resists in another way each time, and gives way."""
    site, rng = w.site, w.rng
    w.tape.do(site.open(site.address()))
    for text in rng.sample(_OBSTACLES, rng.randint(4, 8)):
        name = w.words.word()
        message = text.format(w=w.words.word(), n=rng.randrange(10, 900))
        w.tape.do(failed("click.element", {"name": name}, message))
        w.tape.do(
            site.act("click.element", {"name": f"{name} {w.words.word()}"}, w.words.sentence(), **{name: "1"})
        )


def bookings(w: Browsing) -> None:
    """Seats, times, rooms tried one by one: some are taken."""
    site, rng = w.site, w.rng
    w.tape.do(site.open(site.address()))
    for i in range(rng.randint(7, 14)):
        free = rng.random() < 0.3
        slot = f"2026-0{rng.randint(1, 9)}-{i + 10} {rng.randint(8, 19)}:00"
        said = (
            f"{slot}: {rng.randint(1, 9)} left, {rng.uniform(30, 90):.0f} EUR"
            if free
            else f"{slot}: {w.words.say('none')}"
        )
        site.terse = False
        w.tape.do(site.act("click.element", {"name": slot}, said, slot=slot))


def downloads(w: Browsing) -> None:
    """A list of documents fetched and filed one after the other."""
    site, rng = w.site, w.rng
    names = [f"{w.words.word()}-{w.words.id()}.pdf" for _ in range(rng.randint(7, 14))]
    w.tape.do(Act("open.page", {"url": site.address()}, "\n".join(names), took=1.0))
    for name in names:
        size = rng.randrange(9000, 900000)
        w.tape.do(
            Act("read.item", {"name": name}, f"{name} {size} bytes sha256 {w.words.hex(16)}", took=3),
            Act("write.file", {"path": f"inbox/{name}"}, w.words.say("saved"), took=0.1),
        )


def keyboard_steps(w: Browsing) -> None:
    """Arrow keys through a board or a menu: the screen moves with each."""
    site, rng = w.site, w.rng
    site.terse = site.terse and w.tape.dialect.hashes
    w.tape.do(site.open(site.address()))
    x = y = 0
    for _ in range(rng.randint(12, 26)):
        key, dx, dy = rng.choice((("Right", 1, 0), ("Right", 1, 0), ("Down", 0, 1), ("Down", 0, 1)))
        x, y = x + dx, y + dy
        w.tape.do(site.act("type.element", {"key": key}, f"cell {x},{y}: {w.words.noun()}", cell=f"{x},{y}"))


WORK: dict[str, Callable[[Browsing], None]] = {
    "browsing/web_research": web_research,
    "browsing/form_filling": form_filling,
    "browsing/date_picker": date_picker,
    "browsing/listing_pages": listing_pages,
    "browsing/scrolling": scrolling,
    "browsing/product_comparison": product_comparison,
    "browsing/obstacles": obstacles,
    "browsing/bookings": bookings,
    "browsing/downloads": downloads,
    "browsing/keyboard_steps": keyboard_steps,
}
