"""The page about rules is the structs, and its example is a rule file."""

import re
from pathlib import Path

from detectors.rulefile import parse
from stallwatch.rules_page import page

PATH = Path(__file__).parents[2] / "docs" / "rules.md"


def test_the_page_is_the_structs() -> None:
    assert PATH.read_text("utf-8") == page(), "run `python -m stallwatch.rules_page docs/rules.md`"


def test_the_example_is_read_as_the_page_says() -> None:
    example = re.search(r"```toml\n(.*?)```", page(), re.DOTALL)
    assert example is not None
    book = parse(example.group(1), "example.toml")
    default, scenario = book.for_new_run(None)[1], book.for_new_run("fix-login")[1]
    assert (default.label, default.mode, default.ladder.ask.level) == ("night-shift@2", "enforce", 0.6)
    assert (scenario.mode, scenario.signals.idle_wait.limit_s) == ("advise", 7200.0)
