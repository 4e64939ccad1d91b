"""Agents' processes end: by themselves when told, otherwise by ever firmer means, and never outlive a stop."""

import asyncio
import contextlib
import gc
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from stallwatch.demo.fleet import AgentProcess, Grace
from stallwatch.demo.messages import FromAgent, Over, Shown, Stepped, line

SHORT = Grace(told_s=0.3, terminated_s=0.3)
READY = 'import sys, signal, subprocess, time; say = lambda: print("{}", flush=True); '
OBEYS = READY + "say(); sys.stdin.readline()"
DEAF = READY + "say(); time.sleep(60)"
STUBBORN = READY + "signal.signal(signal.SIGTERM, signal.SIG_IGN); say(); time.sleep(60)"
WITH_CHILD = READY + (
    "signal.signal(signal.SIGTERM, signal.SIG_IGN); child = subprocess.Popen(['sleep', '60']);"
    "sys.stderr.write(str(child.pid)); sys.stderr.flush(); say(); time.sleep(60)"
)


async def start(
    code: str, said: list[FromAgent] | None = None, hear: Callable[[str, FromAgent], None] | None = None
) -> tuple[AgentProcess, asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-S", "-c", code, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
    )
    assert process.stdout is not None
    await process.stdout.readline()  # it has set its signal handlers
    heard = said if said is not None else []
    hear = hear or (lambda _, message: heard.append(message))
    return AgentProcess("r", process, hear, log=Path("r.log")), process


async def test_one_that_listens_ends_when_told() -> None:
    agent, process = await start(OBEYS)
    assert await agent.stop(SHORT) == "when told"
    assert process.returncode == 0


async def test_one_that_does_not_listen_is_terminated() -> None:
    agent, process = await start(DEAF)
    assert await agent.stop(SHORT) == "by SIGTERM"
    assert process.returncode == -15


async def test_one_that_ignores_that_too_is_killed() -> None:
    agent, process = await start(STUBBORN)
    assert await agent.stop(SHORT) == "by SIGKILL"
    assert process.returncode == -9


async def test_a_kill_takes_what_the_agent_started_along() -> None:
    agent, process = await start(WITH_CHILD)
    assert process.stderr is not None
    child = int(await process.stderr.read(32))
    assert await agent.stop(SHORT) == "by SIGKILL"
    async with asyncio.timeout(10):
        while _alive(child):
            await asyncio.sleep(0.01)


async def test_a_stop_of_one_that_has_ended_is_no_error() -> None:
    agent, _ = await start(READY + "say()")
    await agent.wait()
    assert await agent.stop(SHORT) == "when told"
    agent.show("c", "too late")


async def test_what_an_agent_says_is_heard_and_noise_is_not() -> None:
    said: list[FromAgent] = []
    messages: list[FromAgent] = [
        Stepped(step=1, call="ls", tokens=3, milestone=None),
        Shown(command_id="c"),
        Over(ending="completed", undelivered=0),
    ]
    text = b"".join([line(messages[0]), b"no json\n", b'{"kind": "other"}\n', *map(line, messages[1:])])
    agent, _ = await start(READY + f"say(); sys.stdout.buffer.write({text!r})", said)
    assert await agent.wait() == 0
    assert said == messages


async def test_waiting_for_one_may_be_given_up() -> None:
    agent, process = await start(DEAF)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0.05):
            await agent.wait()
    assert process.returncode is None
    assert await agent.stop(SHORT) == "by SIGTERM"


async def test_what_cannot_be_dealt_with_is_logged_and_the_next_thing_is_heard(
    caplog: pytest.LogCaptureFixture,
) -> None:
    heard: list[FromAgent] = []

    def broken(_: str, message: FromAgent) -> None:
        heard.append(message)
        raise BrokenPipeError("nobody looks on")

    messages: list[FromAgent] = [Shown(command_id="c"), Over(ending="completed", undelivered=0)]
    text = b"".join(map(line, messages))
    with nothing_is_lost():
        agent, _ = await start(READY + f"say(); sys.stdout.buffer.write({text!r})", hear=broken)
        assert await agent.stop(SHORT) == "when told"
        del agent
    assert heard == messages
    assert caplog.text.count("what agent r said could not be dealt with") == 2


async def test_an_agent_that_cannot_be_heard_is_stopped_all_the_same(
    caplog: pytest.LogCaptureFixture,
) -> None:
    too_long = 'say(); print("x" * 200_000, flush=True); time.sleep(60)'
    with nothing_is_lost():
        agent, _ = await start(READY + too_long)
        assert await agent.stop(SHORT) == "by SIGTERM"
        del agent
    assert "agent r is not heard any more" in caplog.text


@contextlib.contextmanager
def nothing_is_lost() -> Iterator[None]:
    """Fails for a task of the block whose error nobody has looked at."""
    lost: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: lost.append(context))
    yield
    gc.collect()
    assert lost == []


def _alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:  # noqa: PTH123
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
