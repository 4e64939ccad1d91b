"""What lies in deploy/ as values, and what may be named in it: metrics, settings, commands."""

import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import promql_labels
import typer
import yaml
from prometheus_client import CollectorRegistry
from prometheus_client.utils import floatToGoString

from stallwatch.cli import app
from streams.metrics import METRICS, registry
from streams.settings_table import SETTINGS

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
PROMETHEUS = DEPLOY / "prometheus"
RUNBOOKS = DEPLOY / "runbooks"

Rule = dict[str, Any]


def read_yaml(path: Path) -> Any:
    return yaml.safe_load(path.read_text("utf-8"))


@cache
def rules(name: str) -> list[Rule]:
    """The rules of `recording` or `alerts`, in order."""
    groups = read_yaml(PROMETHEUS / f"{name}.rules.yml")["groups"]
    return [rule for group in groups for rule in group["rules"]]


@cache
def alerts() -> dict[str, Rule]:
    return {rule["alert"]: rule for rule in rules("alerts")}


@cache
def scraped() -> dict[str, promql_labels.Labels]:
    """Every series that a worker exposes, and what Prometheus says of it: sample name → labels."""
    out = {"up": promql_labels.SCRAPED}
    for metric in METRICS:
        labels = promql_labels.SCRAPED | set(metric.labels)
        if metric.kind == "histogram":
            out[f"{metric.full_name}_bucket"] = labels | {"le"}
            out[f"{metric.full_name}_count"] = out[f"{metric.full_name}_sum"] = labels
        else:
            out[metric.full_name] = labels
    process: CollectorRegistry = registry()
    for family in process.collect():
        for sample in family.samples:
            out[sample.name] = promql_labels.SCRAPED | set(sample.labels)
    return out


@cache
def known_series() -> dict[str, promql_labels.Labels]:
    """The scraped series and the recorded ones; a rule may read the ones recorded before it."""
    known = dict(scraped())
    for rule in rules("recording"):
        labels = promql_labels.labels_of(rule["expr"], known)
        assert labels is not None, f"{rule['record']} is no vector"
        known[rule["record"]] = labels
    return known


@cache
def label_values() -> dict[tuple[str, str], frozenset[str]]:
    """(series, label) → every value it takes, for the closed sets."""
    out = {}
    for metric in METRICS:
        names = [metric.full_name]
        if metric.kind == "histogram":
            names = [f"{metric.full_name}{end}" for end in ("_bucket", "_count", "_sum")]
            bounds = (*metric.buckets, float("inf"))
            out[names[0], "le"] = frozenset(floatToGoString(bound) for bound in bounds)
        for name in names:
            for label, values in metric.labels.items():
                if values:
                    out[name, label] = frozenset(values)
    return out


def check_query(query: str) -> promql_labels.Labels | None:
    """The labels of the result; an assertion fails if it names anything that does not exist."""
    labels = promql_labels.labels_of(query, known_series())
    for series, label, value in promql_labels.matched_values(query):
        allowed = label_values().get((series, label))
        assert allowed is None or value in allowed, f'{series} never has {label}="{value}"'
    return labels


def settings_variables() -> set[str]:
    return {s.variable for s in SETTINGS} | {s.file_variable for s in SETTINGS if s.secret}


def check_variables(text: str) -> None:
    """Every setting that the text names exists."""
    unknown = set(re.findall(r"\bSTALLWATCH_[A-Z0-9_]+\b", text)) - settings_variables()
    assert not unknown, f"no such settings: {sorted(unknown)}"


def check_command(line: str) -> None:
    """`stallwatch …` names a command that exists, with options that it has."""
    word, *rest = shlex.split(line)
    assert word == "stallwatch", line
    command: Any = typer.main.get_command(app)
    while rest and hasattr(command, "commands") and not rest[0].startswith("-"):
        name = rest.pop(0)
        assert name in command.commands, f"{line}: there is no {name!r}, only {sorted(command.commands)}"
        command = command.commands[name]
    assert not (hasattr(command, "commands") and not rest), f"{line}: a command is missing"
    options = {
        o for p in command.params if p.param_type_name == "option" for o in (*p.opts, *p.secondary_opts)
    }
    for argument in rest:
        if argument.startswith("--"):
            assert argument.split("=")[0] in options, f"{line}: no option {argument}, only {sorted(options)}"


def commands_in(markdown: str) -> list[str]:
    """Every `stallwatch …` in code spans and code blocks."""
    spans = re.findall(r"(?<!`)`(stallwatch [^`\n]+)`(?!`)", markdown)
    blocks = re.findall(r"^\s*```\w*\n(.*?)^\s*```", markdown, flags=re.DOTALL | re.MULTILINE)
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return spans + [line for line in lines if line.startswith("stallwatch ")]
