"""Healthy: writes one page after another; every answer is the same "ok", and every one is work done."""

import csv
import io
from pathlib import Path

from stallwatch.demo.agents.behaviour import Behaviour, Milestone
from stallwatch.demo.calls import Answer, Call, Script, read, search, shell, write


def script() -> Script:
    """Issue 26 of the scratch project."""
    yield from read("docs/issues/26-product-pages.md")
    yield from search("show\\(|price", "shop")
    answer = yield from shell("tail -n +1 data/products.csv")
    for row in csv.DictReader(io.StringIO(answer.text)):
        price = f"{row['price']} EUR"
        yield from write(f"pages/{row['sku']}.md", f"# {row['name']}\n\n{price}, {row['weight_g']} g\n")
    yield from shell("ls pages")
    yield from search("^# ", "pages")


def pages_complete(root: Path, _call: Call, _answer: Answer) -> bool:
    """Every product of the catalogue has its page."""
    with (root / "data" / "products.csv").open(encoding="utf-8", newline="") as source:
        return all((root / "pages" / f"{row['sku']}.md").exists() for row in csv.DictReader(source))


BEHAVIOUR = Behaviour(
    name="batch-writes",
    task="product-pages",
    about="writes a page for every product",
    healthy=True,
    script=script,
    milestones=(Milestone("pages_complete", pages_complete),),
    pace_s=0.45,
)
