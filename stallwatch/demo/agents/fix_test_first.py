"""Healthy: reproduces a bug with a test, fixes it in two attempts, and leaves everything green."""

from stallwatch.demo.agents.behaviour import Behaviour, Milestone, green, red
from stallwatch.demo.calls import Script, edit, read, search, shell
from stallwatch.demo.workbench import test_command

NEW_TESTS = """\
    def test_from_means_from(self):
        self.assertEqual([rate(10), rate(25), rate(50)], [5, 8, 12])

    def test_no_pieces_are_refused(self):
        for count in (0, -20):
            with self.assertRaises(ValueError):
                rate(count)

    def test_cents_off(self):"""


def script() -> Script:
    """Issue 17 of the scratch project."""
    yield from read("docs/issues/17-bulk-discount.md")
    yield from search("discount|rate\\(")
    yield from read("shop/discounts.py")
    yield from read("tests/test_discounts.py")
    yield from read("docs/pricing.md")
    yield from shell(test_command())
    yield from edit("tests/test_discounts.py", "    def test_cents_off(self):", NEW_TESTS)
    yield from shell(test_command("tests.test_discounts"))
    yield from edit("shop/discounts.py", "if count > least:", "if count >= least:")
    yield from shell(test_command("tests.test_discounts"))
    yield from search("raise ", "shop")
    yield from edit(
        "shop/discounts.py",
        "    found = 0\n",
        '    if count < 1:\n        raise ValueError(f"{count} pieces")\n    found = 0\n',
    )
    yield from shell(test_command("tests.test_discounts"))
    yield from read("shop/cart.py", 1, 20)
    yield from shell(test_command())
    yield from edit(
        "CHANGELOG.md", "# Changes\n", "# Changes\n\n- 1.5: discounts from 10, 25 and 50 pieces on\n"
    )


BEHAVIOUR = Behaviour(
    name="fix-test-first",
    task="fix-bug",
    about="fixes a bug, test first",
    healthy=True,
    script=script,
    milestones=(
        Milestone("baseline_green", green),
        Milestone("bug_reproduced", red),
        Milestone("tests_green", green),
    ),
    pace_s=0.6,
)
