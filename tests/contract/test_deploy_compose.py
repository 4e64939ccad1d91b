"""The compose file: pinned, on the loopback address, in an order that works, and with the files of production."""

import asyncio
import base64
import json
import os
import re
import sys
import time
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from deploy_files import DEPLOY, ROOT, check_command, check_variables, read_yaml
from dockerfile import is_pinned, read
from prometheus_client import CollectorRegistry

from streams.endpoint import Endpoint
from streams.health import Health
from streams.ruleset import load_book
from streams.settings import Settings

COMPOSE: dict[str, Any] = read_yaml(ROOT / "docker-compose.yml")
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
KAFKA = SERVICES["kafka"]["environment"]


def mounts(service: dict[str, Any]) -> dict[str, str]:
    """Path in the container → path in the checkout, or name of a volume."""
    return {parts[1]: parts[0] for parts in (text.split(":") for text in service.get("volumes", []))}


def seen_by(service: dict[str, Any], path: str) -> Path:
    """The file of the checkout that the container sees under this path."""
    inside = PurePosixPath(path)
    for target, source in mounts(service).items():
        if source.startswith("./") and inside.is_relative_to(target):
            return ROOT / source / inside.relative_to(target)
    raise AssertionError(f"{path} is not mounted")


def flag(service: dict[str, Any], name: str) -> str:
    (value,) = [a.removeprefix(name + "=") for a in service["command"] if a.startswith(name + "=")]
    return str(value)


def settings_of(service: dict[str, Any]) -> Settings:
    """What the service starts with; raises if a setting is refused."""
    filled = {k: re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", v) for k, v in service["environment"].items()}
    return Settings.load(filled, {})


@pytest.mark.parametrize("name", SERVICES)
def test_images_are_pinned(name: str) -> None:
    assert is_pinned(SERVICES[name]["image"])


@pytest.mark.parametrize("name", OURS)
def test_our_image_is_built_from_the_checkout_and_locked_down(name: str) -> None:
    service = OURS[name]
    assert (ROOT / service["build"]["context"] / service["build"]["dockerfile"]).samefile(
        DEPLOY / "Dockerfile"
    )
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("name", OURS)
def test_our_commands_and_settings_exist(name: str) -> None:
    check_command(" ".join(["stallwatch", *OURS[name]["command"]]))
    check_variables(" ".join(OURS[name]["environment"]))
    assert all(isinstance(value, str) for value in OURS[name]["environment"].values())
    assert settings_of(OURS[name]).bootstrap_servers in KAFKA["KAFKA_ADVERTISED_LISTENERS"]


@pytest.mark.parametrize("name", SERVICES)
def test_ports_are_on_the_loopback_address(name: str) -> None:
    for port in SERVICES[name].get("ports", []):
        assert re.fullmatch(r"127\.0\.0\.1:(\d+):\d+", port), port


def test_no_port_is_taken_twice() -> None:
    published = [port.split(":")[1] for service in SERVICES.values() for port in service.get("ports", [])]
    assert len(published) == len(set(published))


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_waits_for_what_it_needs(name: str) -> None:
    for other, how in SERVICES[name].get("depends_on", {}).items():
        service = SERVICES[other]
        assert "profiles" not in service, f"{other} may not be there"
        if how["condition"] == "service_healthy":
            assert "test" in service["healthcheck"]
        elif how["condition"] == "service_completed_successfully":
            assert service["restart"] == "no"
        else:
            assert how["condition"] == "service_started"


def test_the_order_is_broker_topics_worker_fleet() -> None:
    assert SERVICES["topics"]["depends_on"]["kafka"]["condition"] == "service_healthy"
    assert SERVICES["worker"]["depends_on"]["topics"]["condition"] == "service_completed_successfully"
    assert SERVICES["fleet"]["depends_on"]["worker"]["condition"] == "service_healthy"
    assert SERVICES["fleet"]["profiles"] == ["demo"]


@pytest.mark.parametrize("name", SERVICES)
def test_what_runs_on_has_a_health_check(name: str) -> None:
    check = SERVICES[name]["healthcheck"]
    if SERVICES[name].get("restart") == "no":
        assert check == {"disable": True}, "it ends by itself"
    else:
        assert check["test"][0] == "CMD"
        assert {"interval", "timeout", "retries"} <= check.keys()


@pytest.mark.parametrize("name", SERVICES)
def test_what_is_mounted_is_there(name: str) -> None:
    for target, source in mounts(SERVICES[name]).items():
        assert target.startswith("/")
        if source.startswith("./"):
            assert (ROOT / source).exists(), source
        else:
            assert source in COMPOSE["volumes"]


def test_the_broker_has_its_whole_configuration() -> None:
    # Giving one variable replaces the image's default file, so nothing may be left out.
    assert set(KAFKA) >= {
        "KAFKA_NODE_ID",
        "KAFKA_PROCESS_ROLES",
        "KAFKA_LISTENERS",
        "KAFKA_ADVERTISED_LISTENERS",
        "KAFKA_LISTENER_SECURITY_PROTOCOL_MAP",
        "KAFKA_CONTROLLER_LISTENER_NAMES",
        "KAFKA_CONTROLLER_QUORUM_VOTERS",
        "KAFKA_INTER_BROKER_LISTENER_NAME",
        "KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR",
        "KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR",
        "KAFKA_TRANSACTION_STATE_LOG_MIN_ISR",
        "KAFKA_SHARE_COORDINATOR_STATE_TOPIC_REPLICATION_FACTOR",
        "KAFKA_SHARE_COORDINATOR_STATE_TOPIC_MIN_ISR",
        "KAFKA_LOG_DIRS",
    }
    assert KAFKA["KAFKA_AUTO_CREATE_TOPICS_ENABLE"] == "false"
    assert KAFKA["KAFKA_PROCESS_ROLES"] == "broker,controller"
    assert len(base64.urlsafe_b64decode(KAFKA["CLUSTER_ID"] + "==")) == 16
    assert mounts(SERVICES["kafka"])[KAFKA["KAFKA_LOG_DIRS"]] == "kafka", "what it holds outlives a restart"


def listeners(variable: str) -> dict[str, str]:
    return dict(entry.split("://") for entry in KAFKA[variable].split(","))


def test_the_brokers_listeners_fit_together() -> None:
    bound, told = listeners("KAFKA_LISTENERS"), listeners("KAFKA_ADVERTISED_LISTENERS")
    secured = dict(entry.split(":") for entry in KAFKA["KAFKA_LISTENER_SECURITY_PROTOCOL_MAP"].split(","))
    assert bound.keys() == secured.keys()
    assert bound.keys() - told.keys() == {KAFKA["KAFKA_CONTROLLER_LISTENER_NAMES"]}
    assert KAFKA["KAFKA_INTER_BROKER_LISTENER_NAME"] in told
    assert told["CLIENTS"] == "kafka:9092"
    (published,) = SERVICES["kafka"]["ports"]
    assert published == f"{told['HOST']}{bound['HOST']}", "the host reaches the address that it is told"
    voter = KAFKA["KAFKA_CONTROLLER_QUORUM_VOTERS"]
    assert voter == f"{KAFKA['KAFKA_NODE_ID']}@kafka{bound['CONTROLLER']}"


def test_one_broker_is_asked_for_one_copy() -> None:
    assert settings_of(SERVICES["topics"]).replication == 1


def test_prometheus_reads_the_files_of_production() -> None:
    service = SERVICES["prometheus"]
    config = seen_by(service, flag(service, "--config.file"))
    assert config.samefile(DEPLOY / "prometheus/prometheus.yml")
    found = {path.name for pattern in read_yaml(config)["rule_files"] for path in config.parent.glob(pattern)}
    assert found == {"alerts.rules.yml", "recording.rules.yml"}


def test_prometheus_reaches_the_worker() -> None:
    (scrape,) = read_yaml(DEPLOY / "prometheus/prometheus.yml")["scrape_configs"]
    assert scrape["job_name"] == "stallwatch"
    (target,) = scrape["static_configs"][0]["targets"]
    name, port = target.split(":")
    settings = settings_of(SERVICES[name])
    assert str(settings.metrics_port) == port
    assert settings.metrics_host == "0.0.0.0", "the loopback address of a container is its own"


def test_alerts_link_to_runbooks_that_prometheus_serves() -> None:
    service = SERVICES["prometheus"]
    served = flag(service, "--web.user-assets")
    page = seen_by(service, f"{served}/runbooks/StallwatchNoWorker.md")
    assert page.samefile(DEPLOY / "runbooks/StallwatchNoWorker.md")
    assert flag(service, "--web.external-url").removeprefix("http://") in service["ports"][0]


def test_grafana_finds_its_source_and_its_dashboard() -> None:
    service = SERVICES["grafana"]
    provisioned = "/etc/grafana/provisioning"
    (source,) = read_yaml(seen_by(service, f"{provisioned}/datasources/prometheus.yml"))["datasources"]
    assert source["url"] == f"http://prometheus:{SERVICES['prometheus']['ports'][0].rsplit(':')[-1]}"
    (provider,) = read_yaml(seen_by(service, f"{provisioned}/dashboards/stallwatch.yml"))["providers"]
    home = service["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert PurePosixPath(home).parent == PurePosixPath(provider["options"]["path"])
    assert json.loads(seen_by(service, home).read_text("utf-8"))["uid"] == "stallwatch-overview"


def test_the_workers_rules_are_accepted() -> None:
    service = SERVICES["worker"]
    inside = settings_of(service).rules
    load_book(Settings(rules=str(seen_by(service, inside))))


def test_the_worker_writes_where_it_may() -> None:
    (volume,) = read(DEPLOY / "Dockerfile")[-1].all("VOLUME")
    assert mounts(SERVICES["worker"])[volume.text] == "worker"


async def test_the_worker_is_healthy_when_it_is_ready() -> None:
    health = Health(clock=time.monotonic)
    mark, python, option, code = SERVICES["worker"]["healthcheck"]["test"]
    assert (mark, python, option) == ("CMD", "python", "-c")

    async def probe(port: int) -> int:
        environment = {**os.environ, "STALLWATCH_METRICS_PORT": str(port)}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, env=environment, stderr=asyncio.subprocess.DEVNULL
        )
        return await process.wait()

    async with Endpoint(CollectorRegistry(), health, port=0) as endpoint:
        assert await probe(endpoint.port) != 0, "not started"
        health.started, health.assigned = True, frozenset({0})
        assert await probe(endpoint.port) == 0
