"""The command that creates an installation's topics, as a person would have to type it here."""

import os

from streams.settings import Settings
from streams.settings_load import flags_beyond
from streams.settings_table import SETTINGS

INSTALLATION = tuple(
    s.name
    for s in SETTINGS
    if s.section in ("Connection", "Credentials", "Topics") and s.name != "instance_id"
)
"""The settings that topics depend on, and how they are reached."""


def create_command(settings: Settings) -> str:
    """`stallwatch topics create`, with the flags that this process's environment does not give it anyway."""
    return " ".join(["stallwatch topics create", *flags_beyond(settings, os.environ, INSTALLATION)])
