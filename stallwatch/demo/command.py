"""`stallwatch demo`: options in, exit code out; signals end it in order."""

import asyncio
import signal
import sys
from pathlib import Path

import msgspec

from stallwatch.demo.report import Report
from stallwatch.demo.show import Options, Show
from stallwatch.demo.summary import summary
from stallwatch.demo.table import Display, display
from stallwatch.mistakes import Mistake

MIN_SECONDS, MAX_SECONDS = 10.0, 3600.0


def run(
    *,
    keep: bool = False,
    seconds: float = 110.0,
    json_file: Path | None = None,
    metrics_port: int | None = None,
    bootstrap_servers: str | None = None,
) -> int:
    """The demo has run; 0 if all went as it should, 1 if a healthy agent was halted or a stuck one was not.

    `seconds`: after so many, agents that are still at it are stopped. `json_file`: the result goes there as well.
    `metrics_port`: of the worker; None takes a free one. `keep` leaves broker and worker up until interrupted.
    `bootstrap_servers`: the agents work under the installation there, and neither broker nor worker is started.
    Interrupted before the end: 130 by SIGINT, 143 by SIGTERM, 129 by SIGHUP. Raises `Mistake` with one sentence.
    """
    if not MIN_SECONDS <= seconds <= MAX_SECONDS:
        raise Mistake(f"--seconds {seconds:g}: give {MIN_SECONDS:g} to {MAX_SECONDS:g}")
    if json_file is not None and not json_file.absolute().parent.is_dir():
        raise Mistake(f"--json {json_file}: its folder does not exist; make it first")
    if bootstrap_servers is not None and (keep or metrics_port is not None):
        raise Mistake(
            "--bootstrap-servers: the worker is not started here, so leave out --keep and --metrics-port"
        )
    options = Options(
        seconds=seconds, keep=keep, metrics_port=metrics_port, bootstrap_servers=bootstrap_servers
    )
    return asyncio.run(_run(options, display(), json_file))


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
        _tell(result, json_file, keep=options.keep)

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


def _tell(result: Report, json_file: Path | None, *, keep: bool) -> None:
    # The file first: who waits for the words may look into it at once.
    if json_file is not None:
        try:
            json_file.write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
        except OSError as error:
            raise Mistake(f"--json {json_file}: {error.strerror}; name another file") from None
    for line in summary(result):
        sys.stdout.write(line + "\n")
    if keep:
        sys.stdout.write("Worker and broker stay up; Ctrl-C ends them\n")
    sys.stdout.flush()
