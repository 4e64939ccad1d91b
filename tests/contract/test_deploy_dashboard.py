"""The dashboard can be provisioned anywhere, asks only for what exists, and its panels do not overlap."""

import json
import re
from typing import Any

import pytest
from deploy_files import DEPLOY, check_query, known_series, read_yaml

DASHBOARD: dict[str, Any] = json.loads((DEPLOY / "grafana/dashboards/stallwatch.json").read_text("utf-8"))
PANELS: list[dict[str, Any]] = DASHBOARD["panels"]
QUERIED = [panel for panel in PANELS if panel["type"] != "row"]
PROVISIONING = DEPLOY / "grafana/provisioning"


def plain(query: str) -> str:
    """The query with Grafana's variables filled in."""
    return query.replace("$__rate_interval", "1m").replace("$__range", "3h")


@pytest.mark.parametrize("panel", QUERIED, ids=lambda panel: panel["title"])
def test_a_panel_asks_for_what_exists(panel: dict[str, Any]) -> None:
    assert panel["targets"]
    for target in panel["targets"]:
        labels = check_query(plain(target["expr"]))
        named = set(re.findall(r"\{\{\s*(\w+)\s*\}\}", target["legendFormat"]))
        assert labels is not None
        assert named <= labels, f"the legend names {sorted(named - labels)}"
        assert 'job=~"$job"' in target["expr"], "every query follows the choice of the installation"


@pytest.mark.parametrize("panel", QUERIED, ids=lambda panel: panel["title"])
def test_a_panel_is_described_and_takes_the_chosen_data_source(panel: dict[str, Any]) -> None:
    assert panel["description"].endswith(".")
    for holder in (panel, *panel["targets"]):
        assert holder["datasource"] == {"type": "prometheus", "uid": "${datasource}"}


def test_panels_do_not_overlap() -> None:
    taken: dict[tuple[int, int], str] = {}
    for panel in PANELS:
        at = panel["gridPos"]
        assert at["w"] > 0
        assert at["h"] > 0
        assert at["x"] >= 0
        assert at["x"] + at["w"] <= 24, panel["title"]
        for x in range(at["x"], at["x"] + at["w"]):
            for y in range(at["y"], at["y"] + at["h"]):
                assert (x, y) not in taken, f"{panel['title']} lies on {taken[x, y]}"
                taken[x, y] = panel["title"]


def test_it_can_be_provisioned_anywhere() -> None:
    assert DASHBOARD["id"] is None, "an id belongs to one Grafana"
    assert DASHBOARD["uid"] == "stallwatch-overview", "links to it must survive"
    assert DASHBOARD["time"] == {"from": "now-3h", "to": "now"}, "no absolute times"
    assert not re.search(r'"20\d\d-\d\d-\d\dT', json.dumps(DASHBOARD))
    ids = [panel["id"] for panel in PANELS]
    assert len(set(ids)) == len(ids)


def test_its_variables_choose_the_source_and_the_installation() -> None:
    variables = {v["name"]: v for v in DASHBOARD["templating"]["list"]}
    assert variables.keys() == {"datasource", "job"}
    assert variables["datasource"]["type"] == "datasource"
    assert variables["datasource"]["query"] == "prometheus"
    assert all(not v["current"] for v in variables.values()), "nobody's last choice"
    metric, label = re.fullmatch(r"label_values\((\w+), (\w+)\)", variables["job"]["definition"]).groups()  # type: ignore[union-attr]
    assert label in known_series()[metric]


def test_it_shows_what_an_operator_must_see() -> None:
    asked = " ".join(target["expr"] for panel in QUERIED for target in panel["targets"])
    for series in (
        "job_rung:stallwatch_runs:sum",
        "stallwatch_halts_total",
        "stallwatch_halts_unacknowledged",
        "stallwatch_halt_publish_duration_seconds_bucket",
        "stallwatch_halt_ack_duration_seconds_bucket",
        "job_outcome:stallwatch_events:rate5m",
        "job_topic:stallwatch_consumer_lag_records:sum",
        "stallwatch_event_age_seconds_bucket",
        "stallwatch_steps_since_news_bucket",
        "stallwatch_steps_since_milestone_bucket",
        "job:stallwatch_tokens_without_milestone:ratio_rate1h",
        "job_reason:stallwatch_dlq:rate10m",
        "stallwatch_breaker_open",
        "stallwatch_event_loop_lag_seconds",
        "stallwatch_build_info",
    ):
        assert series in asked, series


def test_provisioning_points_at_it() -> None:
    (source,) = read_yaml(PROVISIONING / "datasources/prometheus.yml")["datasources"]
    assert source["type"] == "prometheus"
    interval = read_yaml(DEPLOY / "prometheus/prometheus.yml")["global"]["scrape_interval"]
    assert source["jsonData"]["timeInterval"] == interval
    (provider,) = read_yaml(PROVISIONING / "dashboards/stallwatch.yml")["providers"]
    assert provider["type"] == "file"
    assert provider["options"]["path"] == "/var/lib/grafana/dashboards"
