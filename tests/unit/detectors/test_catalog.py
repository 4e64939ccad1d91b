"""The table of reason codes, walked."""

import importlib
import re

import msgspec
import pytest

from detectors.catalog import BY_CODE, CODES, FAMILIES, INDEX, OUTPUT_SIDE, REASONS, Reason
from detectors.parameters import Signals

ELSEWHERE = {"budget": "limits", "silence": "silence_s"}
"""Codes whose parameters stand outside the signals' tables."""


def test_codes_are_unique_and_in_order() -> None:
    assert len(set(CODES)) == len(REASONS)
    assert [INDEX[code] for code in CODES] == list(range(len(CODES)))


@pytest.mark.parametrize("reason", REASONS, ids=lambda reason: reason.code)
def test_each_entry(reason: Reason) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", reason.code)
    assert reason.runbook == reason.code.replace("_", "-")
    assert reason.family in FAMILIES
    assert reason.title
    assert not reason.title.endswith(".")
    assert BY_CODE[reason.code] is reason


def test_every_signal_has_a_file_with_a_docstring_and_parameters() -> None:
    tables = set(Signals.__struct_fields__)
    for code in CODES:
        if code == "silence":  # lives in the engine's clock, not in a step
            continue
        module = importlib.import_module(f"detectors.signals.{code}")
        assert module.__doc__
        assert module.__doc__.startswith(f"`{code}`")
        assert "Ignores on purpose" in module.__doc__ or code == "budget"
        assert code in tables or code in ELSEWHERE
    assert tables <= set(CODES)


def test_what_may_halt_is_seen_on_the_output_side_or_has_a_second_family() -> None:
    for reason in REASONS:
        if reason.right == "halt":
            assert reason.family in OUTPUT_SIDE | {"calls", "time"}
    assert {r.code for r in REASONS if r.right != "halt"} == {
        "no_progress",
        "milestone_gap",
        "budget",
        "silence",
    }


def test_every_parameter_has_a_description_and_a_range() -> None:
    for name in Signals.__struct_fields__:
        section = type(getattr(Signals(), name))
        for field in msgspec.inspect.type_info(section).fields:  # type: ignore[attr-defined]
            kind = field.type
            assert isinstance(kind, msgspec.inspect.Metadata), (name, field.name)
            assert (kind.extra_json_schema or {}).get("description", "").endswith("."), (name, field.name)
            number = kind.type
            assert getattr(number, "le", None) is not None, (name, field.name)
