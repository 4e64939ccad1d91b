"""What a cluster's topics are against what they should be."""

from msgspec.structs import replace

from streams.topic_check import Found, Mismatch, differences, mismatches
from streams.topics import Topic, by_role, load

WANTED = load().resolve("", "g", replication=1, partitions=4)


def cluster() -> dict[str, Found]:
    return {t.name: Found(partitions=t.partitions, replication=1, config=dict(t.config)) for t in WANTED}


def changed(name: str, **changes: object) -> dict[str, Found]:
    found = cluster()
    if isinstance(config := changes.get("config"), dict):
        changes["config"] = (found[name].config or {}) | config
    found[name] = replace(found[name], **changes)
    return found


def only(problems: list[Mismatch]) -> Mismatch:
    assert len(problems) == 1, [str(p) for p in problems]
    return problems[0]


def test_the_table_itself_is_right() -> None:
    assert mismatches(cluster(), WANTED) == []
    assert mismatches(cluster(), WANTED, partitions=4) == []
    assert differences(cluster(), WANTED) == []


def test_a_missing_topic() -> None:
    found = cluster()
    del found["control"]
    problem = only(mismatches(found, WANTED))
    assert (problem.topic, problem.kind, problem.fatal) == ("control", "missing", True)
    assert "stallwatch topics create" in str(problem)
    assert only(differences(found, WANTED)).topic == "control"


def test_unequal_partitions() -> None:
    problem = only(mismatches(changed("g-runs-changelog", partitions=8), WANTED))
    assert (problem.topic, problem.kind, problem.expected, problem.found) == (
        "g-runs-changelog",
        "partitions",
        "4",
        "8",
    )
    assert "one worker must own all of a run" in str(problem)


def test_topics_that_need_not_be_equal_may_differ() -> None:
    assert mismatches(changed("control", partitions=1), WANTED) == []


def test_an_insisted_count() -> None:
    problems = mismatches(cluster(), WANTED, partitions=6)
    assert {p.topic for p in problems} == {"steps", "operator", "acks", "g-runs-changelog"}
    assert all("`partitions` says 6" in str(p) for p in problems)


def test_a_wrong_cleanup_policy_says_what_it_would_do() -> None:
    problem = only(mismatches(changed("control", config={"cleanup.policy": "delete"}), WANTED))
    assert (problem.kind, problem.expected, problem.found) == ("cleanup", "compact", "delete")
    assert "halts would vanish" in str(problem)
    both = only(mismatches(changed("g-runs-changelog", config={"cleanup.policy": "compact,delete"}), WANTED))
    assert "lose their state" in str(both)
    assert only(mismatches(changed("steps", config={"cleanup.policy": "compact"}), WANTED)).fatal


def test_a_policy_that_the_cluster_would_not_tell_is_a_warning() -> None:
    found = changed("steps", config=None)
    found["dlq"] = replace(found["dlq"], config=None)
    problem = only(mismatches(found, WANTED))
    assert (problem.kind, problem.fatal) == ("unreadable", False)
    assert str(problem).startswith("steps, dlq would not tell")
    assert "DescribeConfigs" in str(problem)


def test_a_dead_letter_limit_below_the_inputs() -> None:
    problem = only(mismatches(changed("acks", config={"max.message.bytes": "9000000"}), WANTED))
    assert (problem.topic, problem.kind, problem.expected) == ("dlq", "size", str(9000000 + 65536))


def test_without_policies_only_what_metadata_tells() -> None:
    found = {t.name: Found(partitions=4) for t in WANTED}
    assert mismatches(found, WANTED, policies=False) == []


def test_every_difference_from_the_table() -> None:
    found = changed("verdicts", config={"retention.ms": "1"}, replication=2)
    assert {str(p) for p in differences(found, WANTED)} == {
        "verdicts has retention.ms=1, the table says 2419200000",
        "verdicts has replication=2, the table says 1",
    }
    assert not any(p.fatal for p in differences(found, WANTED))


def test_numbers_and_lists_are_compared_by_meaning() -> None:
    table: dict[str, Topic] = dict(by_role(WANTED))
    wanted = replace(table["steps"], config={"min.cleanable.dirty.ratio": "0.10", "cleanup.policy": "a,b"})
    found = {
        "steps": Found(partitions=4, config={"min.cleanable.dirty.ratio": "0.1", "cleanup.policy": "b, a"})
    }
    assert differences(found, [wanted]) == []
