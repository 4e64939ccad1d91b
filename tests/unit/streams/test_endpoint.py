"""The worker's HTTP server: three paths, on loopback, gone when it stops."""

import socket
from collections.abc import AsyncIterator

import pytest
from aiohttp import ClientSession
from prometheus_client import CollectorRegistry
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from detectors.events import Command
from detectors.outcome import Outcome
from streams.endpoint import Endpoint, EndpointError
from streams.health import Health
from streams.metrics import Metrics

NEW = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5"


@pytest.fixture
def own() -> CollectorRegistry:
    return CollectorRegistry()


@pytest.fixture
def health() -> Health:
    return Health(lambda: 0.0)


@pytest.fixture
async def endpoint(own: CollectorRegistry, health: Health) -> AsyncIterator[Endpoint]:
    async with Endpoint(own, health, port=0) as endpoint:
        yield endpoint


async def fetch(url: str, accept: str = "*/*") -> tuple[int, str, str]:
    async with ClientSession() as session, session.get(url, headers={"Accept": accept}) as response:
        return response.status, response.headers["Content-Type"], await response.text()


async def test_a_free_port_is_taken_and_told(endpoint: Endpoint) -> None:
    assert endpoint.port > 0
    assert endpoint.url == f"http://127.0.0.1:{endpoint.port}"


async def test_metrics_in_the_form_that_is_asked_for(endpoint: Endpoint, own: CollectorRegistry) -> None:
    halt = Command(command_id="c", run_id="r-81", action="halt", version=1, reason="no_news")
    Metrics(own, version="1").add_decision(Outcome(commands=[halt]))
    status, kind, text = await fetch(endpoint.url + "/metrics")
    assert (status, kind.partition(";")[0]) == (200, "text/plain")
    assert "# EOF" not in text
    status, kind, text = await fetch(endpoint.url + "/metrics", NEW)
    assert (status, kind.partition(";")[0]) == (200, "application/openmetrics-text")
    exemplars = [
        sample.exemplar.labels
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.exemplar
    ]
    assert exemplars == [{"run_id": "r-81"}]


async def test_probes_answer_with_reasons(endpoint: Endpoint, health: Health) -> None:
    assert await fetch(endpoint.url + "/healthz") == (
        200,
        "application/json",
        '{"status":"ok","reasons":[]}',
    )
    status, _, text = await fetch(endpoint.url + "/readyz")
    assert (status, text) == (503, '{"status":"unavailable","reasons":["not started yet"]}')
    health.started, health.assigned = True, frozenset({0})
    assert (await fetch(endpoint.url + "/readyz"))[0] == 200


@pytest.mark.parametrize("path", ["/", "/table", "/table/runs/", "/router/", "/stats", "/debug"])
async def test_nothing_else_is_served(endpoint: Endpoint, path: str) -> None:
    assert (await fetch(endpoint.url + path))[0] == 404


async def test_the_loops_delay_is_measured(own: CollectorRegistry, health: Health) -> None:
    seen: list[float] = []
    async with Endpoint(own, health, port=0, on_lag=seen.append) as endpoint:
        while not seen:
            await fetch(endpoint.url + "/healthz")
    assert seen[0] >= 0
    assert health.loop_lag_s == seen[-1]


async def test_the_port_is_free_after_stopping(own: CollectorRegistry, health: Health) -> None:
    endpoint = Endpoint(own, health, port=0)
    await endpoint.start()
    port = endpoint.port
    await endpoint.stop()
    await endpoint.stop()
    async with Endpoint(own, health, port=port) as again:
        assert again.port == port


async def test_a_taken_port_is_one_sentence_with_a_remedy(own: CollectorRegistry, health: Health) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = Endpoint(own, health, port=other.getsockname()[1])
        with pytest.raises(EndpointError, match="STALLWATCH_METRICS_PORT") as caught:
            await taken.start()
    assert "in use" in str(caught.value)
    assert "\n" not in str(caught.value)
