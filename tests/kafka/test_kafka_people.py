"""A person's word on a run, and what orchestrators acknowledge, over their own topics."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from conversation import Conversation
from installation import Installation
from straight_replay import straight_replay
from topic_log import Outgoing, Record
from wire_steps import outgoing, step, stuck, working

from streams import codec

pytestmark = pytest.mark.kafka
Install = Callable[..., Awaitable[Installation]]
START = 1_790_000_000


def word(kind: str, run_id: str, **fields: Any) -> Outgoing:
    """One record of the operator topic."""
    return Outgoing(
        run_id.encode(), json.dumps({"kind": kind, "run_id": run_id, "by": "a person", **fields}).encode()
    )


def going_round(run_id: str, start: int, count: int) -> list[Outgoing]:
    """Steps of a run that learns nothing and hears nothing, half a minute apart."""
    return [
        outgoing(
            step(
                run_id,
                seq,
                ts=START + 30 * seq,
                args={"command": "python check.py"},
                result="AssertionError: expected 3, got 4",
                exit_code=1,
                error="AssertionError: expected 3, got 4",
            )
        )
        for seq in range(start, start + count)
    ]


async def test_a_halt_order_is_obeyed_once_and_a_release_follows_it(install: Install) -> None:
    installation = await install()
    installation.worker().start().ready()
    await installation.write("steps", working("r", 5))
    await installation.caught_up()
    await installation.write("operator", [word("halt", "r", mode="immediate", note="enough")])
    commands = await installation.commands_when(lambda found: len(found) == 1, run_id="r")
    halt = codec.decode_command(next(iter(commands.values())))
    assert (halt.action, halt.mode, halt.root_run_id) == ("halt", "immediate", "r")
    await installation.write("operator", [word("release", "r", command_id=halt.command_id)])
    commands = await installation.commands_when(lambda found: len(found) == 2, run_id="r")
    release = codec.decode_command(list(commands.values())[-1])
    assert release.action == "release"
    assert release.version > halt.version
    await installation.caught_up()
    assert len(await installation.commands("r")) == 2


async def test_a_word_that_overtakes_its_command_waits_for_it(install: Install) -> None:
    installation = await install()
    steps = stuck("r", 12)
    planned = [Record(0, offset, 0, s.key, s.value) for offset, s in enumerate(steps)]
    halt = straight_replay("planned", planned, installation.rules).halts[0]
    worker = installation.worker(instance_id="a").start().ready()
    await installation.write("steps", steps[:1])
    await installation.write("operator", [word("release", "r", command_id=halt)])
    await installation.caught_up()
    assert await installation.commands() == {}
    worker.kill()  # what waits survives its worker
    worker.start()
    await installation.write("steps", steps[1:])
    commands = await installation.commands_when(lambda found: len(found) >= 2, run_id="r")
    told = sorted((codec.decode_command(v) for v in commands.values()), key=lambda c: c.version)
    assert told[0].command_id == halt
    assert [c.action for c in told[:2]] == ["halt", "release"]


async def test_feedback_that_is_ignored_ends_in_a_halt_and_an_answer_decides_a_question(
    install: Install,
) -> None:
    installation = await install(rules="default")
    installation.worker().start().ready()
    async with Conversation(installation) as orchestrator:
        await orchestrator.step_until(going_round("r", 0, 200), "r", "halt")
        told = orchestrator.of("r")
        assert told[0] == "notice"
        assert told[-1] == "halt"
        assert told.count("halt") == 1
        await orchestrator.say("operator", word("release", "r"))
        await orchestrator.wait_for("r", "release")


@pytest.mark.parametrize(("go", "outcome"), [(True, "release"), (False, "halt")])
async def test_the_answer_to_a_question_is_the_next_command(install: Install, go: bool, outcome: str) -> None:
    installation = await install(rules="default")
    installation.worker().start().ready()
    async with Conversation(installation) as orchestrator:
        await orchestrator.step_until(going_round("r", 0, 200), "r", "ask")
        asked = next(c for c in orchestrator.commands if c.action == "ask")
        await orchestrator.say("operator", word("answer", "r", go=go, command_id=asked.command_id))
        await orchestrator.wait_for("r", outcome)
        assert orchestrator.of("r")[-1] == outcome
