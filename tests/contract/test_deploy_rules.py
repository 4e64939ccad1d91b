"""Rules name only what a worker exposes, and every alert says what it is, what to do, and is tried both ways."""

import re

import pytest
from deploy_files import PROMETHEUS, Rule, alerts, check_query, known_series, read_yaml, rules

TESTED = [
    test for path in sorted((PROMETHEUS / "tests").glob("*.test.yml")) for test in read_yaml(path)["tests"]
]
CHECKS = [check for test in TESTED for check in test["alert_rule_test"]]


@pytest.mark.parametrize("rule", rules("recording"), ids=lambda rule: rule["record"])
def test_a_recorded_series_is_named_by_its_level_and_operation(rule: Rule) -> None:
    level, metric, operation = rule["record"].split(":")
    assert set(level.split("_")) == check_query(rule["expr"]), "the level is the labels that are left"
    assert metric.startswith("stallwatch_")
    window = re.search(r"\[(\w+)\]", rule["expr"])
    if window:
        assert operation.endswith(window[1]), "the operation ends with its window"


def test_no_series_is_recorded_twice() -> None:
    names = [rule["record"] for rule in rules("recording")]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("rule", alerts().values(), ids=lambda rule: rule["alert"])
def test_an_alert_reads_what_exists_and_says_what_it_has(rule: Rule) -> None:
    labels = check_query(rule["expr"])
    assert labels is not None
    for text in rule["annotations"].values():
        named = set(re.findall(r"\$labels\.(\w+)", text))
        assert named <= labels, f"{rule['alert']} has no {sorted(named - labels)}"


@pytest.mark.parametrize("rule", alerts().values(), ids=lambda rule: rule["alert"])
def test_an_alert_is_complete(rule: Rule) -> None:
    assert re.fullmatch(r"Stallwatch[A-Za-z]+", rule["alert"])
    assert re.fullmatch(r"\d+[mh]", rule["for"])
    assert rule["labels"] == {"severity": rule["labels"]["severity"]}
    assert rule["labels"]["severity"] in {"page", "ticket"}
    assert rule["annotations"].keys() == {"summary", "description", "runbook_url"}
    assert "{{" not in rule["annotations"]["summary"], "a summary groups: it is the same for all"
    assert rule["annotations"]["runbook_url"] == f"{{{{ $externalURL }}}}/user/runbooks/{rule['alert']}.md"


@pytest.mark.parametrize("name", alerts())
def test_an_alert_is_tried_firing_with_its_labels_and_not_firing(name: str) -> None:
    checks = [check for check in CHECKS if check["alertname"] == name]
    fired = [alert for check in checks for alert in check["exp_alerts"]]
    assert fired, "never fires in a test"
    assert any(not check["exp_alerts"] for check in checks), "is never still in a test"
    labels = check_query(alerts()[name]["expr"])
    for alert in fired:
        assert set(alert["exp_labels"]) == {"severity", *(labels or ())}
        assert alert["exp_annotations"].keys() == alerts()[name]["annotations"].keys()


def test_tests_feed_series_that_exist() -> None:
    for test in TESTED:
        for given in test["input_series"]:
            name, labels = re.fullmatch(r"(\w+)\{(.*)\}", given["series"]).groups()  # type: ignore[union-attr]
            assert set(re.findall(r"(\w+)=", labels)) == known_series()[name], given["series"]
            check_query(given["series"])


def test_tests_take_the_groups_in_order() -> None:
    order = [
        g["name"] for n in ("recording", "alerts") for g in read_yaml(PROMETHEUS / f"{n}.rules.yml")["groups"]
    ]
    for path in (PROMETHEUS / "tests").glob("*.test.yml"):
        assert read_yaml(path)["group_eval_order"] == order, path.name


def test_the_objectives_have_buckets_at_their_limits() -> None:
    # A limit between two buckets would be a guess: `check_query` refuses it.
    check_query('stallwatch_halt_publish_duration_seconds_bucket{le="2.0"}')
    check_query('stallwatch_halt_ack_duration_seconds_bucket{le="30.0"}')
    with pytest.raises(AssertionError, match="never has"):
        check_query('stallwatch_halt_publish_duration_seconds_bucket{le="2"}')
