"""Rule files: TOML in, a rule book out; and a rule set out as TOML again.

    name = "night-shift"
    base = "default"                  # the profile that everything not said here comes from

    [ladder.ask]
    level = 0.6

    [scenario."fix-login"]            # for runs whose `task` is fix-login, on top of the above
    mode = "advise"
    signals.idle_wait.limit_s = 7200

Every problem of a file is reported together, each with its path and what helps.
"""

import difflib
import importlib.resources
import tomllib
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from detectors.parameters import Section
from detectors.rulecheck import Problem, check
from detectors.rules import RuleBook, Rules
from detectors.ruletext import allowed, quoted, show

S = TypeVar("S", bound=msgspec.Struct)
PROFILES = ("default", "classic")
"""The built-in profiles, in `detectors/profiles`."""
MAX_SCENARIO = 256
"""Characters of a scenario's name: a `task` is no longer."""

__all__ = ["PROFILES", "Problem", "RuleFileError", "UnknownProfileError", "parse", "profile", "show"]


class RuleFileError(ValueError):
    """The file cannot be used. `problems` has everything that is wrong with it."""

    def __init__(self, name: str, problems: list[Problem]) -> None:
        self.name = name
        self.problems = problems
        super().__init__("\n".join(f"{name}: {problem}" for problem in problems))


class UnknownProfileError(RuleFileError, LookupError):
    """No built-in profile has this name."""


def parse(text: str, name: str) -> RuleBook:
    """The rule book that the text describes. `name`: the file's, for messages and as the set's default name.

    Pure. O(text). Raises `RuleFileError`.
    """
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RuleFileError(name, [Problem("", f"not TOML: {error}", "correct the line")]) from None
    problems: list[Problem] = []
    base = _base(data.pop("base", "default"), problems)
    scenarios = data.pop("scenario", {})
    if not isinstance(scenarios, dict):
        problems.append(
            Problem("scenario", f"{_shown(scenarios)} is no table", 'write [scenario."name of the task"]')
        )
        scenarios = {}
    data.setdefault("name", _stem(name))
    default = _overlaid(base, data, "", problems)
    # What a scenario inherits is reported once, for the file.
    inherited = check(default)
    sets: dict[str, Rules] = {}
    for scenario, fields in scenarios.items():
        path = f"scenario.{_quoted(scenario)}"
        if not isinstance(fields, dict):
            problems.append(Problem(path, f"{_shown(fields)} is no table", f"write [{path}]"))
            continue
        if not 1 <= len(scenario) <= MAX_SCENARIO:
            problems.append(Problem(path, "is no task's name", f"use 1 to {MAX_SCENARIO} characters"))
        fields.setdefault("name", f"{default.name}/{scenario}"[:64])
        sets[scenario] = _overlaid(default, fields, f"{path}.", problems, inherited)
    if problems:
        raise RuleFileError(name, problems)
    return RuleBook(default, sets)


def profile(name: str) -> RuleBook:
    """The built-in profile. Raises `UnknownProfileError`."""
    if name not in PROFILES:
        raise UnknownProfileError(name, [_no_profile(name, "")])
    source = importlib.resources.files("detectors") / "profiles" / f"{name}.toml"
    return parse(source.read_text("utf-8"), name)


def _base(name: Any, problems: list[Problem]) -> Rules:
    if name == "default":
        return Rules()
    if not isinstance(name, str) or name not in PROFILES:
        problems.append(_no_profile(name, "base"))
        return Rules()
    return profile(name).for_new_run(None)[1]


def _no_profile(name: Any, path: str) -> Problem:
    return Problem(path, f"there is no profile {_shown(name)}", f"use one of {', '.join(PROFILES)}")


def _overlaid(
    base: Rules, data: dict[str, Any], prefix: str, problems: list[Problem], known: Sequence[Problem] = ()
) -> Rules:
    """The base with the file's fields; one that cannot be read keeps its value and is a problem."""
    before = len(problems)
    rules = _section(base, data, prefix, problems)
    wrong = {problem.path for problem in problems[before:]}
    whole = [p._replace(path=prefix + p.path) for p in check(rules) if p not in known]
    problems.extend(problem for problem in whole if problem.path not in wrong)
    return rules


def _section(base: S, data: dict[str, Any], prefix: str, problems: list[Problem]) -> S:
    fields = {field.name: field for field in msgspec.structs.fields(type(base))}
    values: dict[str, Any] = {}
    for key, value in data.items():
        path = f"{prefix}{key}"
        field = fields.get(key)
        if field is None:
            problems.append(_unknown(path, key, list(fields)))
            continue
        present = getattr(base, key)
        if isinstance(present, Section):
            if isinstance(value, dict):
                values[key] = _section(present, value, f"{path}.", problems)
            else:
                problems.append(Problem(path, f"{_shown(value)} is no table", f"write [{path}]"))
            continue
        try:
            values[key] = msgspec.convert(value, field.type)
            if isinstance(value, float) and not -1e308 < value < 1e308:
                raise msgspec.ValidationError("not finite")
        except msgspec.ValidationError:
            problems.append(Problem(path, f"{_shown(value)} is not allowed", f"use {allowed(field.type)}"))
            values.pop(key, None)
    return msgspec.structs.replace(base, **values)


def _unknown(path: str, key: str, names: list[str]) -> Problem:
    near = difflib.get_close_matches(key, names, n=1)
    return Problem(
        path, "is no field", f"did you mean {near[0]}?" if near else f"fields are {', '.join(names)}"
    )


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _stem(name: str) -> str:
    base = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return (base.removesuffix(".toml") or "rules")[:64]


def _quoted(scenario: str) -> str:
    bare = scenario.replace("-", "").replace("_", "")
    return scenario if bare.isalnum() and bare.isascii() else quoted(scenario)
