"""The service as a process: checks before the start, then the Faust worker, until a signal or a doubt."""

import asyncio
import logging
import os
import signal
import sys
import tempfile
from pathlib import Path

import faust
from aiokafka.errors import KafkaError

from detectors.rules import RuleBook
from streams import logs
from streams.admin import TopicAdminError
from streams.app import App
from streams.endpoint import EndpointError
from streams.fatal import EXIT_DOUBT
from streams.preflight import PreflightError
from streams.ruleset import RulesError, load_book
from streams.service import Service
from streams.settings import Settings
from streams.settings_load import unknown_variables
from streams.topics import TopicTableError

_log = logging.getLogger("stallwatch.worker")

EXIT_DONE, EXIT_USAGE = 0, 2


def run(settings: Settings) -> int:
    """The worker has run until it was told to stop. Blocks.

    Returns 0 after a signal, 2 for what the settings, the rules or the topics have wrong (one sentence each on
    stderr); 70 where it ended rather than commit over doubt.
    """
    logs.configure(settings.log_level, settings.log_format)
    for sentence in unknown_variables(os.environ):
        _log.warning("unknown variable", extra={"fields": {"what": sentence}})
    try:
        book = load_book(settings)
    except RulesError as error:
        return _refuse(error.problems)
    return _run(settings, book, settings.datadir or _shared_datadir())


def _shared_datadir() -> str:
    """An empty folder that Faust insists on. One for all workers of a user: one each would outlive every killed one."""
    return str(Path(tempfile.gettempdir()) / f"stallwatch-{os.getuid()}")


def _run(settings: Settings, book: RuleBook, datadir: str) -> int:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    service = Service(settings, book, datadir)
    preparing = loop.create_task(service.prepare())
    for name in (signal.SIGINT, signal.SIGTERM):  # until Faust takes them over
        loop.add_signal_handler(name, preparing.cancel)
    try:
        app = loop.run_until_complete(preparing)
    except asyncio.CancelledError:
        return EXIT_DONE
    except PreflightError as error:
        return _refuse(error.problems)
    except (EndpointError, TopicTableError, TopicAdminError) as error:
        return _refuse([str(error)])
    except KafkaError as error:
        return _refuse([f"{settings.bootstrap_servers}: {type(error).__name__}: {error}"])
    return _serve(app, loop)


def _serve(app: App, loop: asyncio.AbstractEventLoop) -> int:
    runner = faust.Worker(app.faust, loop=loop, override_logging=False, redirect_stdouts=False, quiet=True)
    runner.spinner = None  # it writes control codes to stdout, terminal or not
    try:
        runner.execute_from_commandline()
    except SystemExit as end:
        return EXIT_DONE if not end.code else EXIT_DOUBT
    return EXIT_DONE


def _refuse(problems: list[str]) -> int:
    for problem in problems:
        sys.stderr.write(f"stallwatch worker: {problem}\n")
    return EXIT_USAGE
