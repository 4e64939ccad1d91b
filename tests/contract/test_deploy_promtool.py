"""Prometheus' own checks: the configuration, the rules, the rules' tests, and the names of the metrics."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from deploy_files import PROMETHEUS
from prometheus_client.exposition import generate_latest

from streams.metrics import Metrics, registry

pytestmark = pytest.mark.promtool

TESTS = sorted((PROMETHEUS / "tests").glob("*.test.yml"))


@pytest.fixture(scope="module")
def promtool() -> str:
    path = shutil.which("promtool")
    if path is None:
        message = "promtool is not on this machine (Debian: apt-get install prometheus)"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return path


def run(*command: str, given: bytes = b"") -> str:
    done = subprocess.run(command, input=given, capture_output=True, check=False, timeout=110)
    output = (done.stdout + done.stderr).decode()
    assert done.returncode == 0, output
    return output


def test_the_configuration_and_its_rule_files_are_accepted(promtool: str) -> None:
    output = run(promtool, "check", "config", str(PROMETHEUS / "prometheus.yml"))
    assert "2 rule files found" in output, "both rule files are loaded by the pattern, the tests are not"


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name.removesuffix(".test.yml"))
def test_the_alerts_fire_and_keep_still_as_their_tests_say(promtool: str, path: Path) -> None:
    run(promtool, "test", "rules", str(path))


def test_a_changed_threshold_would_be_noticed(promtool: str, tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    for path in PROMETHEUS.glob("*.rules.yml"):
        changed = path.read_text("utf-8").replace("> 120", "> 1200")
        (tmp_path / path.name).write_text(changed, "utf-8")
    test = shutil.copy(PROMETHEUS / "tests" / "progress.test.yml", tmp_path / "tests")
    with pytest.raises(AssertionError, match="StallwatchCommitsStuck"):
        run(promtool, "test", "rules", str(test))


def test_the_metrics_are_named_as_prometheus_wants_them(promtool: str) -> None:
    own = registry()
    Metrics(own, version="0.1.0")
    run(promtool, "check", "metrics", given=generate_latest(own))
