"""How settings get into the processes that the demo starts, and into the commands that it suggests."""

import os
import shlex
from collections.abc import Mapping

from streams.settings import Settings
from streams.settings_load import flags_beyond
from streams.settings_table import BY_NAME, PREFIX, SETTINGS

_CONNECTION = (
    *(s.name for s in SETTINGS if s.section in ("Connection", "Credentials") and s.name != "embedded"),
    "topic_prefix",
)
"""What every command takes that talks to Kafka."""


def environment(settings: Settings, base: Mapping[str, str]) -> dict[str, str]:
    """`base` with these settings and no others: `Settings.load` of it gives them back."""
    kept = {name: value for name, value in base.items() if not name.startswith(PREFIX)}
    values = ((setting, getattr(settings, setting.name)) for setting in SETTINGS)
    return kept | {s.variable: _text(value) for s, value in values if value not in (None, s.default)}


def worker_command(settings: Settings, rules: str) -> str:
    """What starts a worker of this installation that judges by these rules, typed where the demo was."""
    flags = flags_beyond(settings, os.environ, (*_CONNECTION, "group_id"))
    return " ".join(["stallwatch worker", *flags, BY_NAME["rules"].flag, shlex.quote(rules)])


def explain_command(run_id: str, settings: Settings, **given: str) -> str:
    """What tells a run's story, typed where the demo was and with these variables `given` besides."""
    flags = flags_beyond(settings, {**os.environ, **given}, _CONNECTION)
    return " ".join(["stallwatch explain", shlex.quote(run_id), *flags])


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
