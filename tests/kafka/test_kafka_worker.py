"""A worker in a group on a real broker: steps in, halts out."""

from collections.abc import Awaitable, Callable

import pytest
from installation import Installation
from wire_steps import interleaved, outgoing, step, stuck, working

from streams import codec

pytestmark = pytest.mark.kafka
Install = Callable[..., Awaitable[Installation]]


async def test_a_stuck_run_is_halted_and_a_working_one_is_left_alone(install: Install) -> None:
    installation = await install()
    worker = installation.worker().start().ready()
    await installation.write("steps", interleaved([working("good", 40), stuck("bad", 40)], seed=1))
    await installation.caught_up()
    expected = await installation.assert_exact()
    commands = [codec.decode_command(value) for value in expected.commands.values()]
    assert [(c.run_id, c.action) for c in commands if c.action == "halt"] == [("bad", "halt")]
    assert {c.run_id for c in commands} == {"bad"}
    assert worker.alive()


@pytest.mark.parametrize("compression", ["gzip", "snappy", "lz4", "zstd"])
async def test_compressed_records_are_read(install: Install, compression: str) -> None:
    installation = await install()
    installation.worker().start().ready()
    await installation.write("steps", working("w", 50) + stuck("s", 20), compression=compression)
    await installation.caught_up()
    expected = await installation.assert_exact()
    assert expected.statuses == {"applied": 70}
    assert len(expected.halts) == 1


async def test_duplicates_late_steps_and_gaps_are_counted_and_change_nothing_else(install: Install) -> None:
    installation = await install()
    worker = installation.worker().start().ready()
    steps = working("r", 30)
    order = [*steps[:10], steps[3], steps[9], *steps[12:20], steps[11], *steps[20:], steps[29]]
    ended = {"kind": "run_ended", "run_id": "over", "seq": 5, "outcome": "completed"}
    over = [*working("over", 5), outgoing(ended), *working("over", 3, start=5)]
    older = [*working("again", 3, attempt=2), *working("again", 3, start=3, attempt=1)]
    await installation.write("steps", [*order, *over, *older])
    await installation.caught_up()
    expected = await installation.assert_exact()
    assert expected.statuses["duplicate"] == 3
    assert expected.statuses["late"] >= 1
    for outcome, count in expected.statuses.items():
        assert worker.metric("stallwatch_events_total", outcome=outcome) == count
    assert worker.metric("stallwatch_sequence_gaps_total") > 0


async def test_a_run_and_its_sub_agents_are_one_record_under_the_roots_key(install: Install) -> None:
    installation = await install()
    installation.worker().start().ready()
    children = [
        [outgoing(step(f"child-{c}", seq, root_run_id="root", parent_run_id="root")) for seq in range(10)]
        for c in range(5)
    ]
    await installation.write("steps", interleaved([working("root", 10), *children], seed=3))
    await installation.caught_up()
    expected = await installation.assert_exact()
    assert list(expected.roots) == [b"root"]
