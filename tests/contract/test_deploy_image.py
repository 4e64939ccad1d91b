"""The image runs what the wheel holds, as nobody in particular, and says of itself whether it lives."""

import asyncio
import fnmatch
import os
import sys
import time
import tomllib

import pytest
from deploy_files import DEPLOY, ROOT, check_command, check_variables, settings_variables
from dockerfile import Stage, is_pinned, read
from prometheus_client import CollectorRegistry

from streams.endpoint import Endpoint
from streams.health import Health

STAGES = read(DEPLOY / "Dockerfile")
FINAL = STAGES[-1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def copied(stage: Stage) -> list[str]:
    """What a stage takes from the checkout."""
    sources = []
    for instruction in stage.all("COPY"):
        words = instruction.text.split()
        if not words[0].startswith("--from="):
            sources += words[:-1]
    return sources


def test_images_are_pinned() -> None:
    assert len(STAGES) >= 2, "what builds is not shipped"
    for stage in STAGES:
        assert is_pinned(stage.image), stage.image


@pytest.mark.parametrize(
    "image", ["python", "python:latest", "python:3", "python:slim", "grafana/grafana:main"]
)
def test_an_image_that_is_not_pinned_would_be_noticed(image: str) -> None:
    assert not is_pinned(image)


def test_python_is_one_that_the_project_supports() -> None:
    (version,) = {stage.image.removeprefix("python:").split("-")[0] for stage in STAGES}
    assert f"Programming Language :: Python :: {version}" in PROJECT["project"]["classifiers"]


def test_it_is_not_root_and_kubernetes_can_see_that() -> None:
    user = FINAL.last("USER").text.split(":")[0]
    assert user.isdigit()
    assert int(user) > 0
    words = [i.word for i in FINAL.instructions]
    assert words.index("USER") > max(i for i, word in enumerate(words) if word == "RUN")


def test_it_writes_to_one_volume_only() -> None:
    (volume,) = FINAL.all("VOLUME")
    assert FINAL.last("WORKDIR").text == volume.text
    assert f"STALLWATCH_DATADIR={volume.text}" in FINAL.last("ENV").text.split()


def test_it_starts_the_worker_as_process_one() -> None:
    (program,) = FINAL.last("ENTRYPOINT").argv
    assert program in PROJECT["project"]["scripts"]
    check_command(" ".join([program, *FINAL.last("CMD").argv]))
    assert FINAL.last("STOPSIGNAL").text == "SIGTERM"


def test_its_settings_exist() -> None:
    check_variables((DEPLOY / "Dockerfile").read_text("utf-8"))
    assert "STALLWATCH_METRICS_PORT" in settings_variables()


def test_the_wheel_is_built_from_everything_it_holds() -> None:
    build = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = [*build["packages"], *build["force-include"], PROJECT["project"]["readme"], "pyproject.toml"]
    needed += PROJECT["project"]["license-files"]
    assert sorted(needed) == sorted(copied(STAGES[0]))
    assert not copied(FINAL), "the checkout reaches the image through the wheel only"


def test_what_is_copied_is_there_and_let_through() -> None:
    lines = [
        line
        for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    assert lines[0] == "*", "everything is left out but what is named"
    let_through = [line[1:] for line in lines if line.startswith("!")]
    for source in copied(STAGES[0]):
        assert (ROOT / source).exists(), source
        assert any(fnmatch.fnmatch(source, pattern) for pattern in let_through), source
    assert sorted(let_through) == sorted(copied(STAGES[0])), "nothing is sent to the builder for nothing"


def healthcheck() -> list[str]:
    argv = FINAL.last("HEALTHCHECK").argv
    assert argv[:2] == ["python", "-c"]
    return [sys.executable, *argv[1:]]


async def probe(argv: list[str], port: int) -> int:
    environment = {**os.environ, "STALLWATCH_METRICS_PORT": str(port)}
    process = await asyncio.create_subprocess_exec(*argv, env=environment, stderr=asyncio.subprocess.DEVNULL)
    return await process.wait()


async def test_the_health_check_asks_the_workers_endpoint() -> None:
    health = Health(clock=time.monotonic)
    async with Endpoint(CollectorRegistry(), health, port=0) as endpoint:
        assert await probe(healthcheck(), endpoint.port) == 0, "alive, though it is not ready"
        health.pending, health.last_progress = 1, -1e9
        assert await probe(healthcheck(), endpoint.port) != 0, "stuck"
        port = endpoint.port
    assert await probe(healthcheck(), port) != 0, "gone"
