"""What was done to topics, and what is wrong with them, as tables."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from stallwatch.terminal_text import counted
from streams.admin import Created, Verified
from streams.topic_check import Mismatch
from streams.topics import Topic

Shown = list[Table | str]


def created(topics: Sequence[Topic], done: Created) -> Shown:
    """One row per topic: created now, or there before."""
    table = _table("topic", "partitions", "copies", "cleanup", "", "what it carries")
    new = set(done.created)
    for topic in topics:
        fresh = topic.name in new
        table.add_row(
            Text(topic.name),
            # What was there before may differ from the table: `verify` and `diff` tell.
            str(topic.partitions) if fresh else "–",
            str(topic.replication) if fresh else "–",
            topic.config.get("cleanup.policy", "") if fresh else "–",
            Text("created", style="green") if fresh else Text("was there"),
            Text(topic.about),
        )
    tail = f"{counted(len(done.created), 'topic')} created, {len(done.existing)} left as they were."
    return [table, tail]


def verified(topics: Sequence[Topic], found: Verified) -> Shown:
    """One row per topic with its problems, and whether a worker would start."""
    table = _table("topic", "", "what is wrong and what to do")
    wrong: dict[str, list[Mismatch]] = {}
    for mismatch in found.mismatches:
        wrong.setdefault(mismatch.topic, []).append(mismatch)
    for topic in topics:
        problems = wrong.get(topic.name, [])
        if not problems:
            table.add_row(Text(topic.name), Text("ok", style="green"), "")
        for problem in problems:
            mark = Text("wrong", style="bold red") if problem.fatal else Text("unsure", style="yellow")
            table.add_row(Text(topic.name), mark, Text(problem.sentence.removeprefix(f"{topic.name} ")))
    if found.fatal:
        return [table, f"A worker would not start: {counted(len(found.fatal), 'problem')}."]
    return [table, f"A worker would start; runs are spread over {counted(found.partitions, 'partition')}."]


def differences(found: Sequence[Mismatch]) -> Shown:
    """One row per difference from the table."""
    if not found:
        return ["The cluster is as the table says."]
    table = _table("topic", "the table says", "the cluster has")
    for mismatch in found:
        table.add_row(Text(mismatch.topic), Text(mismatch.expected), Text(mismatch.found))
    return [table, f"{counted(len(found), 'difference')}."]


def _table(*names: str) -> Table:
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for name in names[:-1]:
        table.add_column(name, no_wrap=True)
    table.add_column(names[-1], ratio=1, overflow="fold")
    return table
