"""Thresholds that fit one by one and make no sense together."""

import msgspec
import pytest

from detectors.rulecheck import check
from detectors.rulefile import PROFILES, RuleFileError, parse, profile
from detectors.rules import Rules

LADDER = Rules().ladder


@pytest.mark.parametrize("name", PROFILES)
def test_the_built_in_profiles_are_sound(name: str) -> None:
    for rules in profile(name).sets().values():
        assert check(rules) == []


@pytest.mark.parametrize(
    ("text", "path", "what"),
    [
        (f"ladder.halt.lower = {LADDER.halt.level}", "ladder.halt.lower", "not below the level"),
        (f"ladder.ask.level = {LADDER.replan.level}", "ladder.ask.level", "not above replan's"),
        (f"ladder.halt.lower = {LADDER.ask.lower - 0.01}", "ladder.halt.lower", "halt would outlast ask"),
        ("ladder.halt.level = 1.5", "ladder.halt.level", "never reached"),
        ("signals.milestone_gap.dryness = 1.5", "signals.milestone_gap.dryness", "never reached"),
        ("silence_s = 90000", "silence_s", "forgotten before anybody is told"),
        ('on_ask_timeout = "halt"\nask_timeout_s = 90000', "ask_timeout_s", "no halt would come"),
        ("limits.tokens = 5\nlimits.warn_at = 0", "limits.warn_at", "warns at the first step"),
        (
            'fingerprints.keep_keys = ["a"]\nfingerprints.volatile_keys = ["a"]',
            "fingerprints.keep_keys",
            "'a'",
        ),
        ('base = "classic"\nclassic.history = 5', "classic.window", "never fill"),
        ('base = "classic"\nclassic.repeats = 65', "classic.repeats", "exact_repeat would never fire"),
        ('base = "classic"\nclassic.window = 3', "classic.window", "oscillation would never fire"),
        (
            'base = "classic"\nclassic.novelty_floor = 0.125',
            "classic.novelty_floor",
            "low_novelty would never",
        ),
    ],
)
def test_each_is_refused_at_its_path(text: str, path: str, what: str) -> None:
    with pytest.raises(RuleFileError) as caught:
        parse(text, "f")
    assert [what in str(problem) for problem in caught.value.problems if problem.path == path] == [True]


def test_the_classic_numbers_matter_to_classic_rules_only() -> None:
    classic = msgspec.structs.replace(Rules().classic, window=3)
    assert check(msgspec.structs.replace(Rules(), classic=classic)) == []
