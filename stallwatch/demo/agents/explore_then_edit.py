"""Healthy: reads nearly everything before it changes anything, loses its context once, then renames."""

from stallwatch.demo.agents.behaviour import Behaviour, Milestone, green
from stallwatch.demo.calls import Call, Script, compacted, edit, read, search, shell, together, write
from stallwatch.demo.workbench import test_command


def script() -> Script:
    """Issue 21 of the scratch project."""
    yield from shell("ls -R")
    yield from together(
        Call("read_file", {"path": "README.md"}), Call("read_file", {"path": "docs/issues/21-line-total.md"})
    )
    yield from search("line_total")
    yield from together(
        Call("read_file", {"path": "shop/cart.py"}),
        Call("read_file", {"path": "shop/orders.py"}),
        Call("read_file", {"path": "shop/report.py"}),
    )
    yield from read("shop/discounts.py")
    yield from read("shop/stock.py")
    yield from read("shop/shipping.py")
    yield from read("shop/catalog.py")
    yield from together(
        Call("read_file", {"path": "docs/pricing.md"}), Call("read_file", {"path": "docs/stock.md"})
    )
    yield from read("shop/money.py")
    yield from read("tests/test_cart.py")
    yield from read("tests/test_orders.py")
    yield from search("total", "shop")
    yield from search("gross")
    yield from shell(test_command())
    yield from compacted()
    yield from read("shop/cart.py")
    yield from edit("shop/cart.py", "def line_total(self, sku):", "def gross(self, sku):")
    yield from edit(
        "shop/cart.py",
        "sum(self.line_total(sku) for sku in self.lines)",
        "sum(self.gross(sku) for sku in self.lines)",
    )
    yield from shell(test_command("tests.test_cart"))
    yield from edit(
        "shop/cart.py",
        "self.line_total(sku) - discount(self.line_total(sku), self.lines[sku])",
        "self.gross(sku) - discount(self.gross(sku), self.lines[sku])",
    )
    yield from edit("tests/test_cart.py", 'cart.line_total("A1")', 'cart.gross("A1")')
    yield from shell(test_command())
    yield from search("line_total", "shop")
    yield from write("docs/words.md", "# Words\n\ngross: the price of one line before its discount\n")


BEHAVIOUR = Behaviour(
    name="explore-then-edit",
    task="refactor",
    about="explores broadly, then renames across files",
    healthy=True,
    script=script,
    milestones=(Milestone("baseline_green", green), Milestone("rename_green", green)),
    pace_s=0.4,
)
