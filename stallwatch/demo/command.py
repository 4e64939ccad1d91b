"""`stallwatch demo`: options in, exit code out; signals end it in order."""

import asyncio
import shutil
import signal
import sys
from pathlib import Path

import msgspec

from stallwatch.demo import stage
from stallwatch.demo.display import Display, display
from stallwatch.demo.legend import legend
from stallwatch.demo.logged import logged_to
from stallwatch.demo.report import Report
from stallwatch.demo.show import Options, Show
from stallwatch.demo.summary import summary, wrapped
from stallwatch.mistakes import Mistake
from streams.settings import Settings

MIN_SECONDS, MAX_SECONDS = 10.0, 3600.0


def run(
    *,
    keep: bool = False,
    seconds: float = 110.0,
    json_file: Path | None = None,
    metrics_port: int | None = None,
    settings: Settings | None = None,
) -> int:
    """The demo has run; 0 if all went as it should, 1 if a healthy agent was halted or a stuck one was not.

    `seconds`: after so many, agents that are still at it are stopped. `json_file`: the result goes there as well.
    `metrics_port`: of the worker; None takes a free one. `keep` leaves broker and worker up until interrupted.
    `settings`: the agents work under this installation, and neither broker nor worker is started.
    Interrupted before the end: 130 by SIGINT, 143 by SIGTERM, 129 by SIGHUP. Raises `Mistake` with one sentence.
    """
    if not MIN_SECONDS <= seconds <= MAX_SECONDS:
        raise Mistake(f"--seconds {seconds:g}: give {MIN_SECONDS:g} to {MAX_SECONDS:g}")
    if json_file is not None and not json_file.absolute().parent.is_dir():
        raise Mistake(f"--json {json_file}: its folder does not exist; make it first")
    if settings is not None:
        if keep or metrics_port is not None:
            raise Mistake(
                "--bootstrap-servers: the worker is not started here, so leave out --keep and --metrics-port"
            )
        stage.check(settings)
    options = Options(seconds=seconds, keep=keep, metrics_port=metrics_port, settings=settings)
    shown = display(legend(options.behaviours, visiting=settings is not None))
    with logged_to(lambda sentence: shown.say("", sentence)):
        return asyncio.run(_run(options, shown, json_file))


async def _run(options: Options, shown: Display, json_file: Path | None) -> int:
    results: list[Report] = []
    caught: list[signal.Signals] = []
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None

    def interrupt(number: signal.Signals) -> None:
        # Once: a second interrupt must not cut short the cleaning up that the first one has begun.
        if not caught:
            task.cancel()
        caught.append(number)

    def reported(result: Report) -> None:
        results.append(result)
        shown.__exit__(None, None, None)
        _tell(result, json_file, options)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, interrupt, number)
    try:
        with shown:
            await Show(options, shown, reported).run()
    except asyncio.CancelledError:
        if not caught:
            raise
        if not results:
            return 128 + caught[0]
    return 0 if results[0].ok else 1


def _tell(result: Report, json_file: Path | None, options: Options) -> None:
    # The file first: who waits for the words may look into it at once.
    if json_file is not None:
        try:
            json_file.write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
        except OSError as error:
            raise Mistake(f"--json {json_file}: {error.strerror}; name another file") from None
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in wrapped(summary(result, settings=options.settings, keep=options.keep), width):
        sys.stdout.write(line + "\n")
    sys.stdout.flush()
