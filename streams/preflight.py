"""What must hold before a worker reads its first record."""

from aiokafka import AIOKafkaConsumer

from streams import topics
from streams.settings import Settings


class PreflightError(RuntimeError):
    """The worker must not start; `problems` has one sentence for each reason."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("; ".join(problems))


async def check(settings: Settings) -> int:
    """Topics are as they must be; returns the partition count of the inputs. Raises `PreflightError`, `KafkaError`."""
    names = [topics.topic(settings.topic_prefix, name) for name in topics.INPUTS] + [
        topics.changelog(settings.group_id)
    ]
    consumer = AIOKafkaConsumer(*names, group_id=None, **settings.client_options())
    await consumer.start()
    try:
        counts = {name: len(consumer.partitions_for_topic(name) or ()) for name in names}
    finally:
        await consumer.stop()
    if len(set(counts.values())) != 1 or 0 in counts.values():
        raise PreflightError([f"{name} has {count} partitions" for name, count in counts.items()])
    return counts[names[0]]
