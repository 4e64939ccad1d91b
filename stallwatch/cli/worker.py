"""`stallwatch worker`."""

# Imports inside the command keep `stallwatch --help` free of Faust.
# ruff: noqa: PLC0415

import os

from stallwatch.cli.setting_options import with_settings
from streams.settings import Settings, SettingsError
from streams.settings_table import BY_NAME, SETTINGS


def _rule_problems(flags: dict[str, object]) -> list[str]:
    """What is wrong with the rules that these flags name, although other settings are wrong as well."""
    from streams.ruleset import RulesError, load_book

    variable = BY_NAME["rules"].variable
    try:
        load_book(Settings.load({variable: os.environ.get(variable, "")}, {"rules": flags.get("rules")}))
    except RulesError as error:
        return error.problems
    except SettingsError:
        return []  # said with the settings
    return []


@with_settings((setting.name for setting in SETTINGS), panel=None, warn=False, also=_rule_problems)
def worker(settings: Settings) -> int:
    """Run the service: read steps from Kafka, judge every run, publish what should be true of it.

    Every setting may come from its flag or from its variable (STALLWATCH_TOPIC_PREFIX is --topic-prefix); the
    flag goes first. Settings and rules that cannot be used are refused all at once.

    Ends with 70 rather than commit over a doubt; a restart then reads again what was not finished.
    """
    from streams.worker import run

    return run(settings)
