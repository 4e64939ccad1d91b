"""`stallwatch topics create`, `verify` and `diff`."""

# Imports inside the commands keep `stallwatch --help` free of aiokafka.
# ruff: noqa: PLC0415

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from stallwatch.cli.commands import command, group
from stallwatch.cli.setting_options import CONNECTION, with_settings
from streams.settings import Settings

app = group("Create the topics of an installation, and check them against the table that it works from.")

INSTALLATION = (*CONNECTION, "group_id", "partitions", "replication", "embedded")
"""What the table of topics depends on."""
T = TypeVar("T")


@command(app)
@with_settings(INSTALLATION)
def create(settings: Settings) -> int:
    """Create the topics that do not exist. Those that do are left as they are, so it is safe to repeat.

    Without --replication a cluster must have the three brokers that the table asks for.
    """
    from stallwatch.topic_tables import created
    from streams import admin

    done = _ask(settings, admin.create, "the topics were not created")
    _print(created(admin.wanted(settings), done))
    return 0


@command(app)
@with_settings(INSTALLATION)
def verify(settings: Settings) -> int:
    """Check what a worker would stumble over: missing topics, partition counts, policies, limits.

    The exit code is 1 if a worker would refuse to start.
    """
    from stallwatch.topic_tables import verified
    from streams import admin

    found = _ask(settings, admin.verify, "the topics cannot be checked")
    _print(verified(admin.wanted(settings), found))
    return 1 if found.fatal else 0


@command(app)
@with_settings(INSTALLATION)
def diff(settings: Settings) -> int:
    """Show every difference from the table, a different retention too.

    The exit code is 1 if there is one; not every difference keeps a worker from starting (see verify).
    """
    from stallwatch.topic_tables import differences
    from streams import admin

    found = _ask(settings, admin.diff, "the topics cannot be compared")
    _print(differences(found))
    return 1 if found else 0


def _ask(settings: Settings, what: Callable[[Settings], Coroutine[Any, Any, T]], failed: str) -> T:
    import asyncio

    from stallwatch.clients.kafka_errors import kafka_errors
    from stallwatch.mistakes import Mistake
    from streams.admin import TopicAdminError
    from streams.topics import TopicTableError

    try:
        with kafka_errors(settings.client_options(), failed):
            return asyncio.run(what(settings))
    except (TopicAdminError, TopicTableError) as error:
        raise Mistake(f"{failed}: {error}") from None


def _print(shown: list[Any]) -> None:
    from stallwatch.console import output

    console = output()
    for part in shown:
        console.print(part)
