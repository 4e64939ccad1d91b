"""Rule files: what they may say, and that every mistake is reported together with its path."""

import pytest

from detectors.parameters import Rung
from detectors.rulefile import PROFILES, RuleFileError, UnknownProfileError, parse, profile, show
from detectors.rules import Rules


def _rules(text: str, task: str | None = None) -> Rules:
    return parse(text, "night.toml").for_new_run(task)[1]


def _problems(text: str) -> list[str]:
    with pytest.raises(RuleFileError) as caught:
        parse(text, "night.toml")
    assert str(caught.value).count("\n") == len(caught.value.problems) - 1
    return [str(problem) for problem in caught.value.problems]


def test_the_default_profile_is_the_defaults() -> None:
    assert profile("default").for_new_run(None)[1] == Rules()


def test_the_classic_profile_is_the_published_numbers() -> None:
    rules = profile("classic").for_new_run(None)[1]
    assert (rules.name, rules.engine, rules.mode) == ("classic", "classic", "enforce")
    classic = rules.classic
    assert (classic.history, classic.window, classic.repeats, classic.novelty_floor) == (64, 8, 3, 0.34)
    assert (classic.patience, classic.epsilon, classic.max_turns) == (6, 1e-9, 50)


def test_an_unknown_profile_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownProfileError, match="there is no profile 'nope'; use one of default, classic"):
        profile("nope")


def test_a_file_says_only_what_differs() -> None:
    rules = _rules('version = 3\nmode = "advise"\n[signals.idle_wait]\nlimit_s = 7200\n')
    assert (rules.name, rules.version, rules.mode) == ("night", 3, "advise")
    assert rules.signals.idle_wait.limit_s == 7200.0
    assert rules.ladder == Rules().ladder


def test_a_file_may_build_on_another_profile() -> None:
    rules = _rules('base = "classic"\nname = "mine"\nclassic.repeats = 5\n')
    assert (rules.engine, rules.name, rules.classic.repeats, rules.classic.window) == (
        "classic",
        "mine",
        5,
        8,
    )


def test_a_scenario_stands_on_top_of_its_file() -> None:
    text = 'mode = "advise"\nsilence_s = 60\n[scenario."fix: login"]\nmode = "enforce"\nladder.notice.level = 0.3\n'
    rules = _rules(text, "fix: login")
    assert (rules.mode, rules.silence_s, rules.name) == ("enforce", 60.0, "night/fix: login")
    assert rules.ladder.notice == Rung(level=0.3, dwell_rounds=0, lower=0.2)
    assert _rules(text, "other").mode == "advise"
    assert list(parse(text, "night.toml").scenarios()) == ["fix: login"]


@pytest.mark.parametrize("name", PROFILES)
def test_a_shown_set_makes_the_same_set_again(name: str) -> None:
    rules = profile(name).for_new_run(None)[1]
    assert parse(show(rules), "other").for_new_run(None)[1] == rules


def test_every_problem_is_reported_with_path_and_remedy() -> None:
    assert _problems(
        """
        base = "nope"
        mode = "enfroce"
        lader = 1
        ask_timeout_s = inf
        silence_s = true
        ladder.ask = 5
        fingerprints.keep_keys = [1]
        [signals.idle_wait]
        limit_s = 5
        pace = 1
        [scenario."a b"]
        dryness.rate = 9
        [scenario.c]
        mode = 1
        """
    ) == [
        "base: there is no profile 'nope'; use one of default, classic",
        "mode: 'enfroce' is not allowed; use one of advise, enforce, observe",
        "lader: is no field; did you mean ladder?",
        "ask_timeout_s: inf is not allowed; use a number from 1 to 31536000",
        "silence_s: True is not allowed; use a number from 1 to 31536000",
        "ladder.ask: 5 is no table; write [ladder.ask]",
        "fingerprints.keep_keys: [1] is not allowed; use a list of up to 64 texts",
        "signals.idle_wait.limit_s: 5 is not allowed; use a number from 60 to 31536000",
        "signals.idle_wait.pace: is no field; did you mean pace_s?",
        'scenario."a b".dryness.rate: 9 is not allowed; use a number from 0.02 to 0.5',
        "scenario.c.mode: 1 is not allowed; use one of advise, enforce, observe",
    ]


def test_a_threshold_that_never_fires_is_reported_once_where_it_is_set() -> None:
    text = "ladder.notice.lower = 0.4\n[scenario.a]\nsilence_s = 60\n[scenario.b]\nladder.halt.level = 0.5\n"
    paths = [problem.split(":")[0] for problem in _problems(text)]
    assert paths.count("ladder.notice.lower") == 1
    assert "scenario.b.ladder.halt.level" in paths
    assert not any(path.startswith("scenario.a") for path in paths)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("mode = ", "not TOML"),
        ("a" * 10 + " = " + "[" * 5000, "not TOML"),
        ("scenario = 1", "scenario: 1 is no table"),
        ('scenario.a = "x"', "scenario.a: 'x' is no table"),
        ('[scenario.""]\nmode = "advise"', 'scenario."": is no task\'s name'),
        ("name = ''", "name: '' is not allowed; use a text of 1 to 64 characters"),
        ("base = 3", "base: there is no profile 3"),
        ("silence_s = 2026-01-01", "silence_s: datetime.date(2026, 1, 1) is not allowed"),
        ("silence_s = nan", "silence_s: nan is not allowed"),
    ],
)
def test_odd_files(text: str, problem: str) -> None:
    assert any(problem in found for found in _problems(text))


def test_a_problem_names_the_file() -> None:
    with pytest.raises(RuleFileError, match=r"^dir/night\.toml: mode: "):
        parse("mode = 1", "dir/night.toml")
