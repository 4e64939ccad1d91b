"""Settings from environment and flags: every problem found at once, each with its remedy."""

import difflib
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from streams.settings import Settings
from streams.settings_error import Problem, SettingsError
from streams.settings_rules import conflicts
from streams.settings_table import BY_NAME, PREFIX, SETTINGS, Setting

S = TypeVar("S", bound=Settings)


class _Found(msgspec.Struct):
    where: str
    value: object


def load(cls: type[S], env: Mapping[str, str], flags: Mapping[str, object]) -> S:
    """The settings that environment and flags give; a flag of None was not given, an empty variable is unset.

    Raises `SettingsError`.
    """
    problems = [
        Problem(f"--{name.replace('_', '-')}", "", "there is no such setting")
        for name in flags
        if name not in BY_NAME
    ]
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for setting in SETTINGS:
        try:
            found = _find(setting, env, flags)
            origins[setting.name] = found.where if found else setting.variable
            if found is not None:
                values[setting.name] = _convert(setting, found)
        except _Bad as refused:
            problems.append(refused.problem)
            origins[setting.name] = refused.problem.where
    settings = cls(**values)
    # A value that is wrong by itself is reported once, not again for what it would conflict with.
    bad = {p.where for p in problems}
    for name, remedy in conflicts(settings):
        where = origins.get(name, BY_NAME[name].variable)
        if where not in bad:
            problems.append(Problem(where, _shown(BY_NAME[name], getattr(settings, name)), remedy))
    if problems:
        raise SettingsError(problems)
    return settings


def unknown_variables(env: Mapping[str, str]) -> list[str]:
    """One sentence for each variable that looks like a misspelt setting.

    For a warning: other programs of an installation may have variables with the same beginning.
    """
    known = {s.variable for s in SETTINGS} | {s.file_variable for s in SETTINGS if s.secret}
    out = []
    for name in sorted(env):
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.9)
            if near:
                out.append(f"{name} is no setting; did you mean {near[0]}?")
    return out


def flags_beyond(settings: Settings, env: Mapping[str, str], names: Iterable[str]) -> list[str]:
    """The flags, shell-quoted, that give a command in this environment the same values of these settings.

    Without those that it has anyway. Secrets are masked.
    """
    out = []
    for setting in (BY_NAME[name] for name in names):
        value = getattr(settings, setting.name)
        try:
            found = _find(setting, env, {})
            there = setting.default if found is None else _convert(setting, found)
        except _Bad:
            there = None
        if value is not None and value != there:
            spelt = "***" if setting.secret else str(value).lower() if isinstance(value, bool) else str(value)
            out += [setting.flag, shlex.quote(spelt)]
    return out


class _Bad(Exception):  # noqa: N818 - never leaves this module
    def __init__(self, where: str, value: str, remedy: str) -> None:
        super().__init__(where)
        self.problem = Problem(where, value, remedy)


def _find(setting: Setting, env: Mapping[str, str], flags: Mapping[str, object]) -> _Found | None:
    flag = flags.get(setting.name)
    if flag is not None:
        return _Found(setting.flag, flag)
    plain = env.get(setting.variable)
    file = env.get(setting.file_variable) if setting.secret else None
    if plain and file:
        raise _Bad(setting.file_variable, file, f"{setting.variable} is set too; unset one of them")
    if file:
        return _Found(setting.file_variable, _read(setting, file))
    # An empty variable is how compose files and charts say "unset"; a prefix alone may be meant to be empty.
    if plain is None or (plain == "" and setting.name != "topic_prefix"):
        return None
    return _Found(setting.variable, plain)


def _read(setting: Setting, file: str) -> str:
    try:
        # Editors and `echo` end a file with a newline that belongs to no secret.
        return Path(file).read_text("utf-8").removesuffix("\n").removesuffix("\r")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise _Bad(setting.file_variable, file, f"the file cannot be read: {reason}") from None


def _convert(setting: Setting, found: _Found) -> object:
    value = found.value
    if isinstance(value, str):
        value = value if setting.secret else value.strip()
        if setting.type_text == "true or false":
            value = {"yes": "true", "on": "true", "no": "false", "off": "false"}.get(
                value.lower(), value.lower()
            )
    try:
        return msgspec.convert(value, setting.type, strict=False)
    except (msgspec.ValidationError, ValueError):
        remedy = f"must be {setting.type_text}"
        if isinstance(value, str) and value.startswith("tcp://"):
            # Injected for every Service; one named stallwatch-metrics hits STALLWATCH_METRICS_PORT.
            remedy += "; Kubernetes set this for a Service: set `enableServiceLinks: false` in the pod"
        raise _Bad(found.where, _shown(setting, found.value), remedy) from None


def _shown(setting: Setting, value: object) -> str:
    if value is None:
        return ""
    return "***" if setting.secret else repr(value) if isinstance(value, str) else str(value)
