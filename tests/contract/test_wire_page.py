"""The page about the wire says what the code does."""

import re
from pathlib import Path

from detectors.events import Step
from streams.badrecord import Reason
from streams.codec import MAX_VALUE_BYTES, decode_event
from streams.plain import MAX_DEPTH
from streams.schemas import KINDS

PAGE = (Path(__file__).parents[2] / "docs" / "wire.md").read_text("utf-8")


def test_every_reason_of_a_dead_letter_is_explained_and_no_other() -> None:
    table = PAGE.partition("## Why a record ends")[2]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [str(reason) for reason in Reason]


def test_every_kind_is_named() -> None:
    for kind in KINDS.keys() - {"ack", "command", "verdict"}:
        assert f"`{kind}`" in PAGE


def test_the_example_is_a_step() -> None:
    example = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert [type(decode_event(text.encode())) for text in example] == [Step]


def test_the_bounds_are_the_codecs() -> None:
    assert f"at most {MAX_VALUE_BYTES // 2**20} MiB" in PAGE
    assert f"within {MAX_DEPTH}\n  levels" in PAGE
