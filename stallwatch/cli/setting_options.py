"""Settings as options of a command: the words, bounds and texts are those of the settings' table."""

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from stallwatch.cli.ending import say
from stallwatch.mistakes import MissingTopicError, Mistake
from streams.create_command import create_command
from streams.settings import Settings, SettingsError
from streams.settings_load import unknown_variables
from streams.settings_table import BY_NAME, Setting

CONNECTION = (
    "bootstrap_servers",
    "topic_prefix",
    "security_protocol",
    "sasl_mechanism",
    "sasl_username",
    "sasl_password",
    "ssl_cafile",
    "ssl_certfile",
    "ssl_keyfile",
    "ssl_key_password",
    "ssl_check_hostname",
)
"""What a command needs that only talks to Kafka."""
Also = Callable[[dict[str, object]], Iterable[str]]
_MARK = "setting_"
KAFKA_PANEL = "Kafka (or by variable: STALLWATCH_TOPIC_PREFIX is --topic-prefix)"


def with_settings(
    names: Iterable[str],
    panel: str | None = KAFKA_PANEL,
    *,
    warn: bool = True,
    also: Also = lambda flags: (),
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """The command has an option for each named setting and gets all settings as its first argument.

    The options stand in the help under `panel`, or each under its section of the table if that is None. Flags
    go before variables, variables before defaults. The command raises `Mistake` with every problem at once;
    variables that look misspelt are said on standard error, unless the command logs them itself (`warn`).
    `also`: what else is wrong that these flags say, for a refusal that names everything.
    """
    return _with_options(names, panel, lambda flags: load(flags, warn=warn, also=also))


def with_flags(
    names: Iterable[str], panel: str | None = KAFKA_PANEL
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """As `with_settings`, for a command that needs settings only at times: it gets what to give to `load`.

    A mapping of every name to the flag's text, None for a flag that was not given.
    """
    return _with_options(names, panel, lambda flags: flags)


def _with_options(
    names: Iterable[str], panel: str | None, first: Callable[[dict[str, object]], object]
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    chosen = [BY_NAME[name] for name in names]

    def wrap(command: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(command)
        def run(**given: Any) -> int:
            flags = {setting.name: given.pop(_parameter(setting)) for setting in chosen}
            wanted = first(flags)
            with _advice(wanted):
                return command(wanted, **given)

        own = list(inspect.signature(command).parameters.values())[1:]
        options = [
            inspect.Parameter(
                _parameter(s), inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_annotation(s, panel)
            )
            for s in chosen
        ]
        own = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own]
        # Typer reads a command's parameters off its signature.
        run.__signature__ = inspect.Signature([*own, *options], return_annotation=int)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in [*own, *options]} | {"return": int}
        return run

    return wrap


def load(flags: dict[str, object], *, warn: bool = True, also: Also = lambda flags: ()) -> Settings:
    """The settings of these flags and the environment; misspelt variables are said. Raises `Mistake`."""
    misspelt = unknown_variables(os.environ)
    try:
        settings = Settings.load(os.environ, flags)
    except SettingsError as error:
        # What is misspelt is often what is missing.
        raise Mistake("\n".join([*map(str, error.problems), *also(flags), *misspelt])) from None
    for sentence in misspelt if warn else ():
        say(sentence)
    return settings


@contextmanager
def _advice(settings: object) -> Iterator[None]:
    """What creates a missing topic is named with the flags that this installation needs."""
    try:
        yield
    except MissingTopicError as error:
        if not isinstance(settings, Settings):
            raise
        raise MissingTopicError(error.topic, error.address, create_command(settings)) from None


def _parameter(setting: Setting) -> str:
    """Apart from a command's own parameters, which may have the same word (`--rules`)."""
    return _MARK + setting.name


def is_setting(parameter: str) -> bool:
    """Whether a command's parameter of this name is a setting."""
    return parameter.startswith(_MARK)


def _annotation(setting: Setting, panel: str | None) -> Any:
    """Every value is text here: `Settings.load` says in one voice what is wrong with flags and variables."""
    text, metavar = setting.help, _metavar(setting)
    choices = setting.type_text.removeprefix("one of ")
    if metavar == "CHOICE" and not all(choice in text for choice in choices.split(", ")):
        text += f" One of {choices}."
    if setting.secret:
        text += f" Others may see a flag: rather set {setting.file_variable} to a file's name."
    if setting.default is not None:
        text += f" [default: {_spelt(setting.default)}]"
    return Annotated[
        str | None,
        typer.Option(
            setting.flag,
            metavar=metavar,
            # Square brackets are markup in help texts.
            help=text.replace("[", "\\["),
            rich_help_panel=panel or setting.section,
            show_default=False,
        ),
    ]


def _spelt(default: object) -> str:
    if isinstance(default, bool):
        return str(default).lower()
    return f"{default:g}" if isinstance(default, float) else str(default)


def _metavar(setting: Setting) -> str:
    words = setting.type_text
    if words.startswith("one of "):
        return "CHOICE"
    if words == "true or false":
        return "true|false"
    return "NUMBER" if "number" in words else "TEXT"
