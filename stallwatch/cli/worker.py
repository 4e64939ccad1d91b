"""`stallwatch worker`."""

# Imports inside the command keep `stallwatch --help` free of Faust.
# ruff: noqa: PLC0415

from stallwatch.cli.setting_options import with_settings
from streams.settings import Settings
from streams.settings_table import SETTINGS


@with_settings((setting.name for setting in SETTINGS), panel=None)
def worker(settings: Settings) -> int:
    """Run the service: read steps from Kafka, judge every run, publish what should be true of it.

    Every setting may come from its flag or from its variable (STALLWATCH_TOPIC_PREFIX is --topic-prefix); the
    flag goes first. Settings that cannot be used are refused all at once.

    Ends with 70 rather than commit over a doubt; a restart then reads again what was not finished.
    """
    from streams.worker import run

    return run(settings)
