"""Who may import whom: stallwatch → streams → detectors, a pure core, and a front door that opens fast."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAY_NOT = {"detectors": {"streams", "stallwatch"}, "streams": {"stallwatch"}, "stallwatch": set[str]()}
PURE_LIBRARIES = {"detectors", "msgspec", "xxhash", "orjson"}
IMPURE_STDLIB = {
    "asyncio",
    "datetime",
    "logging",
    "multiprocessing",
    "os",
    "pathlib",
    "random",
    "secrets",
    "selectors",
    "socket",
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "uuid",
}
IMPURE_CALLS = {"open", "print", "input", "exec", "eval", "hash", "id"}
HEAVY = (
    "faust",
    "aiokafka",
    "mode",
    "prometheus_client",
    "aiohttp",
    "confluent_kafka",
    "rich",
    "typer",
    "yaml",
)


def modules(package: str) -> list[Path]:
    found = sorted((ROOT / package).rglob("*.py"))
    assert found, f"{package} has no modules"
    return found


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """(line, top-level name) of every import, those inside functions too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} is a relative import"
            yield node.lineno, (node.module or "").partition(".")[0]


@pytest.mark.parametrize("package", MAY_NOT)
def test_imports_go_one_way(package: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules(package)
        for line, name in imported(path)
        if name in MAY_NOT[package] or name in ("tests", "bench")
    ]
    assert wrong == []


def allowed_in_core(path: Path, name: str) -> bool:
    if name == "networkx":  # at build time of a reference model only
        return "reference" in path.relative_to(ROOT / "detectors").parts
    return name in PURE_LIBRARIES or (name in sys.stdlib_module_names and name not in IMPURE_STDLIB)


def test_the_core_imports_nothing_that_acts() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules("detectors")
        for line, name in imported(path)
        if not allowed_in_core(path, name)
    ]
    assert wrong == []


def test_the_core_calls_nothing_that_acts_or_differs_between_processes() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} calls {node.func.id}"
        for path in modules("detectors")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS
    ]
    assert wrong == []


def loaded_by(module: str) -> set[str]:
    """Top-level packages in memory after importing `module` in a fresh interpreter."""
    code = f"import {module}, sys; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "module",
    [
        "stallwatch",
        "detectors.events",
        "detectors.engine",
        "streams.codec",
        "streams.topics",
        "streams.settings",
        "streams.settings_table",
    ],
)
def test_a_hook_does_not_pay_for_the_worker(module: str) -> None:
    assert loaded_by(module) & set(HEAVY) == set()


def test_the_probe_sees_what_is_loaded() -> None:
    assert "yaml" in loaded_by("yaml")
