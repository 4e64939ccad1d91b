"""`stallwatch topics` on the embedded broker, where a topic comes of asking for it."""

from typer.testing import CliRunner, Result

from stallwatch.cli import app
from streams.embedded import PARTITIONS, EmbeddedBroker


def topics(broker: EmbeddedBroker, *words: str) -> Result:
    return CliRunner().invoke(
        app, ["topics", *words, "--bootstrap-servers", broker.bootstrap_servers, "--embedded", "true"]
    )


def test_topics_are_created_and_then_verified(embedded: EmbeddedBroker) -> None:
    result = topics(embedded, "create", "--topic-prefix", "a.")
    assert result.exit_code == 0, result.stderr
    assert "9 topics created, 0 left as they were." in result.stdout
    assert {"a.steps", "a.control", "a.dlq", "stallwatch-runs-changelog"} <= set(embedded.topics())
    checked = topics(embedded, "verify", "--topic-prefix", "a.")
    assert checked.exit_code == 0, checked.stdout
    assert f"A worker would start; runs are spread over {PARTITIONS} partitions." in checked.stdout


def test_a_mismatch_is_told_with_its_remedy_and_is_no(embedded: EmbeddedBroker) -> None:
    topics(embedded, "create")
    result = topics(embedded, "verify", "--partitions", "12")
    assert result.exit_code == 1
    assert result.stdout.count("wrong") >= 4
    assert "recreate it with 12" in " ".join(result.stdout.split())
    assert "A worker would not start: " in result.stdout
    assert topics(embedded, "diff", "--partitions", "12").exit_code == 1
