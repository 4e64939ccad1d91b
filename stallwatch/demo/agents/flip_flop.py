"""Stuck: two tests ask for opposite things, so it flips one line back and forth between test runs."""

from stallwatch.demo.agents.behaviour import Behaviour, Milestone, green
from stallwatch.demo.calls import Script, edit, read, search, shell
from stallwatch.demo.workbench import test_command

EVEN_TEST = """\
    def test_ties_go_to_even(self):
        self.assertEqual([round_cents("2.5"), round_cents("3.5")], [2, 4])

    def test_share(self):"""


def script() -> Script:
    """Issue 24 of the scratch project, which contradicts a test that must stay green."""
    yield from read("docs/issues/24-ties.md")
    yield from search("ROUND|round")
    yield from read("shop/money.py")
    yield from read("shop/settings.py")
    yield from read("tests/test_money.py")
    yield from shell(test_command())
    yield from edit("tests/test_money.py", "    def test_share(self):", EVEN_TEST)
    mode, other = "half_up", "half_even"
    while not (yield from shell(test_command("tests.test_money"))).ok:
        yield from edit("shop/settings.py", f'ROUNDING = "{mode}"', f'ROUNDING = "{other}"')
        mode, other = other, mode


BEHAVIOUR = Behaviour(
    name="flip-flop",
    task="rounding",
    about="flips one line back and forth",
    healthy=False,
    script=script,
    milestones=(Milestone("baseline_green", green), Milestone("ties_green", green)),
)
