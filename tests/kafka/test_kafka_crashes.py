"""A worker killed at any moment: nothing lost, nothing applied twice, no halt lost."""

import random
from collections.abc import Awaitable, Callable

import pytest
import topic_log
from installation import Installation
from straight_replay import final_states
from topic_log import Outgoing
from wire_steps import interleaved, stuck, working

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(180)]
Install = Callable[..., Awaitable[Installation]]

HEALTHY, STUCK, STEPS = 80, 20, 600


def backlog(seed: int) -> list[Outgoing]:
    """60,000 steps; the stuck runs turn at different places."""
    chance = random.Random(seed)
    runs = [working(f"w{i}", STEPS) for i in range(HEALTHY)]
    for i in range(STUCK):
        turn = chance.randrange(20, STEPS - 20)
        runs.append(working(f"s{i}", turn) + stuck(f"s{i}", STEPS - turn, start=turn))
    return interleaved(runs, seed)


async def written(installation: Installation) -> int:
    """How many states stand on the changelog."""
    ends = await topic_log.end_offsets(installation.bootstrap, installation.topic("changelog"))
    return sum(ends.values())


async def written_up_to(installation: Installation, goal: int) -> None:
    """So many states stand on the changelog."""
    await installation.until(lambda: written(installation), lambda now: now >= goal)


@pytest.mark.parametrize(("seed", "static"), [(1, True), (2, True), (3, False)])
async def test_kills_in_a_backlog_lose_nothing_and_repeat_nothing(
    install: Install, seed: int, static: bool
) -> None:
    installation = await install()
    records = backlog(seed)
    await installation.write("steps", records)
    chance = random.Random(seed)
    # A static member takes its place again at once; without, each kill costs the session timeout.
    worker = installation.worker(**({"instance_id": "a"} if static else {}))
    kills = 5 if static else 2
    for _ in range(kills):
        worker.start()
        before = await written(installation)
        goal = before + chance.randrange(1, 80)
        await written_up_to(installation, goal)
        worker.kill()
    assert await installation.lag() > 0, "the kills came too late to mean anything"
    worker.start()
    await installation.caught_up()
    expected = await installation.assert_exact()
    assert sum(expected.statuses.values()) == len(records)
    assert len(expected.halts) == STUCK
    assert worker.alive()


async def test_kills_before_anything_was_committed_lose_nothing(install: Install) -> None:
    installation = await install()
    await installation.write("steps", backlog(4))
    worker = installation.worker(instance_id="a", commit_interval_s="80")
    for _ in range(4):
        worker.start()
        await written_up_to(installation, await written(installation) + 1)
        worker.kill()
    assert await installation.lag() == HEALTHY * STEPS + STUCK * STEPS
    worker.start().ready()
    goal = len({r.key for r in await installation.read("steps")})
    await installation.until(lambda: applied_everywhere(installation), lambda done: done == goal)
    await installation.assert_exact()
    assert worker.alive()


async def applied_everywhere(installation: Installation) -> int:
    """How many roots have their last step applied."""
    last = {r.key: r.offset for r in await installation.read("steps")}
    _, applied = final_states(await installation.read("changelog"))
    return sum(applied.get(key) == offset for key, offset in last.items() if key is not None)


async def test_a_kill_in_the_middle_of_a_run_is_not_seen_in_what_follows(install: Install) -> None:
    installation = await install()
    worker = installation.worker(instance_id="a").start().ready()
    await installation.write("steps", working("r", 10) + stuck("r", 1, start=10))
    await installation.caught_up()
    worker.kill()
    await installation.write("steps", stuck("r", 10, start=11))
    worker.start()
    await installation.commands_when(lambda commands: len(commands) > 0, run_id="r")
    await installation.caught_up()
    expected = await installation.assert_exact()
    assert len(expected.halts) == 1


async def test_sigterm_commits_to_the_end_and_a_clean_restart_reads_nothing_again(install: Install) -> None:
    installation = await install()
    worker = installation.worker().start()
    records = interleaved([working(f"w{i}", 500) for i in range(40)], seed=7)
    await installation.write("steps", records)
    await installation.until(lambda: written(installation), lambda now: now > 100)
    assert worker.terminate() == 0
    # What it had judged is committed: the states hold exactly the records before the committed offsets.
    committed = await topic_log.committed(
        installation.bootstrap, installation.group, installation.topic("steps")
    )
    states = await written(installation)
    worker.start().ready()
    await installation.caught_up()
    assert worker.metric("stallwatch_events_total", outcome="replayed") == 0
    assert worker.terminate() == 0
    assert committed
    await installation.assert_exact()
    worker.start().ready()
    await installation.write("steps", working("later", 1))
    await installation.caught_up()
    assert worker.metric("stallwatch_events_total", outcome="replayed") == 0
    assert await written(installation) >= states
