"""The topic table: names, counts, and what follows a smaller cluster."""

from pathlib import Path

import pytest

from streams import topics
from streams.codec import MAX_VALUE_BYTES
from streams.topic_check import DLQ_HEADROOM
from streams.topics import NAMES, Topic, TopicTableError, by_role, load


def resolved(**options: int) -> dict[str, Topic]:
    return dict(by_role(load().resolve("stallwatch.", "stallwatch", **options)))


def test_names() -> None:
    assert topics.topic("stallwatch.", "steps") == "stallwatch.steps"
    assert topics.changelog("fleet-a") == "fleet-a-runs-changelog"
    found = {t.role: t.name for t in load().resolve("fleet-a.", "fleet-a")}
    assert found == {name: f"fleet-a.{name}" for name in NAMES} | {"changelog": "fleet-a-runs-changelog"}


def test_the_keyed_topics_have_one_count() -> None:
    for options, count in (({}, 12), ({"partitions": 24}, 24)):
        table = resolved(**options)
        assert {table[role].partitions for role in topics.COPARTITIONED} == {count}
        assert table["models"].partitions == 1


def test_cleanup_policies_are_those_of_the_design() -> None:
    compact = {role for role, t in resolved().items() if t.config["cleanup.policy"] == "compact"}
    assert compact == {"control", "models", "changelog"}
    assert {t.config["cleanup.policy"] for t in resolved().values()} == {"compact", "delete"}


def test_a_dead_letter_has_room_for_its_headers() -> None:
    table = resolved()
    inputs = {int(table[role].config["max.message.bytes"]) for role in topics.INPUTS}
    assert inputs == {MAX_VALUE_BYTES}
    assert int(table["dlq"].config["max.message.bytes"]) == MAX_VALUE_BYTES + DLQ_HEADROOM


@pytest.mark.parametrize(("copies", "in_sync"), [(1, "1"), (2, "1"), (3, "2"), (5, "2")])
def test_in_sync_copies_follow_a_lower_replication(copies: int, in_sync: str) -> None:
    for t in resolved(replication=copies).values():
        assert (t.replication, t.config["min.insync.replicas"]) == (copies, in_sync)


def test_every_topic_says_what_it_is_for() -> None:
    for t in resolved().values():
        assert t.about.endswith(".")
        assert all(isinstance(value, str) for value in t.config.values())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("topics: [", ", line 1: expected the node content"),
        ("replication: 3\npartitions: 12\ntopics: {}", "no entry for acks"),
        ("replication: 0\npartitions: 12\ntopics: {}", "$.replication"),
        (
            "replication: 3\npartitions: 12\ntopics: {steps: {about: x, keyed: root, config: {}, typo: 1}}",
            "typo",
        ),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_by_name(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "table.yaml"
    path.write_text(text)
    with pytest.raises(TopicTableError) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert complaint in str(caught.value)
