"""The orchestrator does what a command wants and says so only once it is so."""

import asyncio
from typing import Any

import msgspec
import pytest

from detectors.events import AckStatus, Action, Command, Text
from stallwatch.demo.fleet import Grace, HowStopped
from stallwatch.demo.orchestrator import Orchestrator


class Acks:
    """Keeps the acknowledgements."""

    def __init__(self) -> None:
        self.given: list[tuple[str, AckStatus]] = []

    def acknowledge(self, command: Command, status: AckStatus, detail: str | None = None) -> bool:
        self.given.append((command.command_id, status))
        return True


class FakeAgent:
    """Stands for a process that ends when `released` is set."""

    def __init__(self, *, fails: bool = False) -> None:
        self.attempt = 0
        self.shown: list[tuple[str, str]] = []
        self.stops: list[bool] = []
        self.released = asyncio.Event()
        self._fails = fails

    def show(self, command_id: str, text: str) -> None:
        self.shown.append((command_id, text))

    async def stop(self, grace: Grace | None = None, *, immediate: bool = False) -> HowStopped:
        self.stops.append(immediate)
        await self.released.wait()
        if self._fails:
            raise OSError("not permitted")
        return "when told"


def command(action: Action, **fields: Any) -> Command:
    return Command(
        command_id=f"c-{action}",
        run_id="r",
        action=action,
        version=1,
        text=Text(people="p", model="try another way"),
        **fields,
    )


def orchestrator(agent: FakeAgent, **options: Any) -> tuple[Orchestrator, Acks]:
    acks = Acks()
    agents: Any = {"r": agent}
    return Orchestrator(agents, acks, **options), acks


async def test_feedback_counts_as_delivered_only_once_it_was_shown() -> None:
    agent = FakeAgent()
    obeying, acks = orchestrator(agent)
    obeying.obey(command("notice"))
    assert agent.shown == [("c-notice", "try another way")]
    assert acks.given == []
    obeying.shown("c-notice")
    obeying.shown("c-notice")
    assert acks.given == [("c-notice", "done")]


async def test_a_halt_is_accepted_at_once_and_done_when_the_process_has_ended() -> None:
    agent = FakeAgent()
    stopped: list[tuple[str, str]] = []
    obeying, acks = orchestrator(agent, on_stopped=lambda c, how: stopped.append((c.command_id, how)))
    obeying.obey(command("halt"))
    obeying.obey(command("halt"))  # the same once more, as after a restart of the worker
    assert acks.given == [("c-halt", "accepted")]
    agent.released.set()
    await obeying.settled()
    assert acks.given == [("c-halt", "accepted"), ("c-halt", "done")]
    assert stopped == [("c-halt", "when told")]
    assert agent.stops == [False]


async def test_an_immediate_halt_does_not_ask_first() -> None:
    agent = FakeAgent()
    agent.released.set()
    obeying, _ = orchestrator(agent)
    obeying.obey(command("halt", mode="immediate"))
    await obeying.settled()
    assert agent.stops == [True]


async def test_a_stop_that_fails_is_told() -> None:
    agent = FakeAgent(fails=True)
    agent.released.set()
    obeying, acks = orchestrator(agent)
    obeying.obey(command("halt"))
    await obeying.settled()
    assert acks.given == [("c-halt", "accepted"), ("c-halt", "failed")]


async def test_a_question_stays_open_and_a_release_is_so_at_once() -> None:
    obeying, acks = orchestrator(FakeAgent())
    obeying.obey(command("ask"))
    obeying.obey(command("release"))
    assert acks.given == [("c-ask", "accepted"), ("c-release", "done")]


@pytest.mark.parametrize("changed", [{"run_id": "elsewhere"}, {"attempt": 4}, {"attempt": 2}])
async def test_a_run_of_others_and_another_life_of_ours_are_left_alone(changed: dict[str, Any]) -> None:
    agent = FakeAgent()
    agent.attempt = 3
    obeying, acks = orchestrator(agent)
    other = msgspec.structs.replace(command("halt", attempt=3), **changed)
    assert not obeying.concerns(other)
    obeying.obey(other)
    await obeying.settled()
    assert (acks.given, agent.stops) == ([], [])
