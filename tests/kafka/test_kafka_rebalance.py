"""Workers that come, go, die and sleep: every partition is judged by one of them, exactly."""

import signal
from collections.abc import Awaitable, Callable

import pytest
import topic_log
from installation import SESSION_S, Installation
from topic_log import Outgoing
from wire_steps import interleaved, stuck, working

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(180)]
Install = Callable[..., Awaitable[Installation]]


def load(name: str, seed: int, runs: int = 40, steps: int = 250) -> list[Outgoing]:
    """10,000 steps of runs of this name, a tenth of the runs stuck in the end."""
    return interleaved(
        [
            working(f"{name}{i}", steps - 20) + stuck(f"{name}{i}", 20, start=steps - 20)
            if i % 10 == 0
            else working(f"{name}{i}", steps)
            for i in range(runs)
        ],
        seed,
    )


async def committed(installation: Installation) -> int:
    """Steps that the group has committed."""
    return sum(
        (
            await topic_log.committed(installation.bootstrap, installation.group, installation.topic("steps"))
        ).values()
    )


async def test_join_kill_and_leave_of_workers_keep_every_count_exact(install: Install) -> None:
    installation = await install()
    first, second = installation.worker("first"), installation.worker("second")
    first.start().ready()
    await installation.write("steps", load("a", 1))
    second.start()  # joins while the first one works
    await installation.write("steps", load("b", 2))
    second.ready()
    before = await committed(installation)
    await installation.write("steps", load("c", 3))
    await installation.until(lambda: committed(installation), lambda now: now > before)
    second.kill()  # the first one takes over after the session timeout
    await installation.write("steps", load("d", 4))
    await installation.caught_up()
    second.start().ready()
    await installation.write("steps", load("e", 5))
    assert first.terminate() == 0  # leaves in the middle of it
    await installation.caught_up()
    expected = await installation.assert_exact()
    assert sum(expected.statuses.values()) == 5 * 10_000
    assert len(expected.halts) == 5 * 4
    assert second.alive()


async def test_a_worker_that_slept_through_its_session_does_not_undo_what_another_did(
    install: Install,
) -> None:
    installation = await install()
    sleeper, other = installation.worker("sleeper"), installation.worker("other")
    sleeper.start().ready()
    await installation.write("steps", load("a", 1))
    await installation.until(lambda: committed(installation), lambda now: now > 0)
    sleeper.send(signal.SIGSTOP)
    other.start().ready(timeout_s=SESSION_S + 30)
    await installation.write("steps", load("b", 2))
    await installation.caught_up()
    sleeper.send(signal.SIGCONT)
    await installation.write("steps", load("c", 3))
    await installation.caught_up()
    await installation.assert_exact(recovered=True)
    # What it wrote late stands last on the changelog; whoever reads that next keeps the later states all
    # the same.
    other.terminate()
    if sleeper.alive():
        sleeper.terminate()
    last = installation.worker("last").start().ready()
    await installation.write("steps", working("a1", 5, start=250))
    await installation.caught_up()
    await installation.assert_exact(recovered=True)
    assert last.alive()
