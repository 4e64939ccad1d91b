"""What was done to topics, and what is wrong with them, in rows."""

from stallwatch.console import output
from stallwatch.topic_tables import Shown, created, differences, verified
from streams.admin import Created, Verified
from streams.topic_check import Mismatch
from streams.topics import NAMES, load

TOPICS = load().resolve("sw.", "group")


def text(shown: Shown) -> str:
    console = output()
    with console.capture() as captured:
        for part in shown:
            console.print(part)
    return captured.get()


def test_every_topic_has_a_row_and_says_whether_it_is_new() -> None:
    shown = text(created(TOPICS, Created(created=["sw.steps"], existing=[t.name for t in TOPICS[1:]])))
    assert all(f"sw.{name}" in shown for name in NAMES)
    assert shown.count("was there") == len(TOPICS) - 1
    assert f"1 topic created, {len(TOPICS) - 1} left as they were." in shown


def test_a_worker_would_start_or_not() -> None:
    wrong = Mismatch(
        topic="sw.control", kind="cleanup", expected="compact", found="delete", sentence="sw.control has it"
    )
    unsure = Mismatch(
        topic="sw.steps", kind="unreadable", expected="", found="", sentence="sw.steps would not tell"
    )
    shown = text(verified(TOPICS, Verified(partitions=12, mismatches=[wrong, unsure])))
    assert "A worker would not start: 1 problem." in shown
    assert shown.count("wrong") >= 1
    assert "unsure" in shown
    shown = text(verified(TOPICS, Verified(partitions=12, mismatches=[unsure])))
    assert "A worker would start; runs are spread over 12 partitions." in shown


def test_differences_are_told_side_by_side() -> None:
    assert text(differences([])) == "The cluster is as the table says.\n"
    other = Mismatch(topic="sw.dlq", kind="setting", expected="a=1", found="a=2", sentence="")
    assert "a=1" in text(differences([other]))
    assert "1 difference." in text(differences([other]))
