"""Every alert and every reason has its page, and a page names only what exists."""

import re
from pathlib import Path

import pytest
from deploy_files import (
    ROOT,
    RUNBOOKS,
    alerts,
    check_command,
    check_query,
    check_variables,
    commands_in,
    known_series,
)

from streams.metric_catalog import STALL_REASONS

NOT_STALLS = {"low_novelty", "turn_limit", "operator", "other"}
"""Codes of the published guard, which names its own, and those that stand for no finding."""
REASONS = [reason for reason in STALL_REASONS if reason not in NOT_STALLS]
SECTIONS = ["What it means", "What to look at first", "How to act", "When it is not a problem"]
PAGES = sorted(RUNBOOKS.rglob("*.md"))


def page_id(path: Path) -> str:
    return path.stem


def test_alerts_and_pages_are_the_same() -> None:
    assert {path.stem for path in RUNBOOKS.glob("*.md")} == set(alerts())


def test_reasons_and_pages_are_the_same() -> None:
    assert {path.stem for path in (RUNBOOKS / "reasons").glob("*.md")} == set(REASONS)


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_a_page_has_its_name_and_the_four_sections(path: Path) -> None:
    text = path.read_text("utf-8")
    assert re.findall(r"^# (.+)$", text, flags=re.MULTILINE) == [path.stem]
    assert re.findall(r"^## (.+)$", text, flags=re.MULTILINE) == SECTIONS


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_a_page_names_commands_settings_and_pages_that_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    for line in commands_in(text):
        check_command(line)
    check_variables(text)
    for target in re.findall(r"\]\(([^)]+)\)", text):
        assert (path.parent / target).exists(), target
    for target in re.findall(r"\bdocs/\w+\.md\b", text):
        assert (ROOT / target).is_file(), target


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_a_page_asks_prometheus_for_what_exists(path: Path) -> None:
    text = path.read_text("utf-8")
    for query in re.findall(r"```promql\n(.*?)```", text, flags=re.DOTALL):
        check_query(query.strip())
    for name in re.findall(r"`(stallwatch_\w+)`", text):
        assert name in known_series(), name


def test_a_command_that_does_not_exist_would_be_noticed() -> None:
    for line in (
        "stallwatch release RUN --force",
        "stallwatch restart RUN",
        "stallwatch dlq purge",
        "stallwatch dlq",
    ):
        with pytest.raises(AssertionError):
            check_command(line)
    check_command("stallwatch dlq redrive --reason REASON --yes")
