"""What a user's type checker says to right and wrong uses of the clients; a line with `# wrong` must be refused."""

from typing import assert_type

from stallwatch import (
    AsyncControlSubscriber,
    AsyncStepPublisher,
    Command,
    ControlSubscriber,
    EdgeLimits,
    RunHandle,
    StepPublisher,
    __version__,
)
from stallwatch.testing import FakeBroker

assert_type(__version__, str)

publisher = StepPublisher(
    "localhost:9092", run_id="r", attempt=None, edge_limits=EdgeLimits(result_bytes=4096)
)
assert_type(publisher.step(tool="bash", args={"command": "ls"}, turn=3, error=OSError()), int)
publisher.step(args={})  # wrong
publisher.step(tool=3)  # wrong
publisher.step(tool="bash", arguments={})  # wrong
publisher.run_ended("success")  # wrong
assert_type(publisher.run("x").child("y", agent="searcher"), RunHandle)
assert_type(publisher.dropped["buffer_full"], int)
publisher.dropped["lost"]  # wrong

control = ControlSubscriber(transport=FakeBroker(), when_not_ready="open")
assert_type(control.is_halted("r", 0), bool)
assert_type(control.command("r"), Command | None)
ControlSubscriber(transport=FakeBroker(), when_not_ready="maybe")  # wrong


def obey(command: Command) -> None:
    control.acknowledge(command, "done")
    control.acknowledge(command, "ok")  # wrong


control.on_command(obey)
control.on_command(len)  # wrong


async def asynchronously() -> None:
    async with AsyncStepPublisher(transport=FakeBroker(), run_id="r") as steps:
        assert_type(steps.step(tool="bash"), int)
        assert_type(await steps.flush(1.0), bool)
    async with AsyncControlSubscriber(transport=FakeBroker()) as commands:
        assert_type(await commands.wait_ready(), bool)
        assert_type(commands.is_halted("r"), bool)
