"""The page on detection says what the code does."""

from detection_page import PAGE, parts, written

from detectors.catalog import CODES


def test_generated_parts_are_up_to_date() -> None:
    """Run tests/contract/detection_page.py to write them."""
    assert written(PAGE.read_text("utf-8")) == parts()


def test_every_reason_has_a_section() -> None:
    text = PAGE.read_text("utf-8")
    assert [code for code in CODES if f"### `{code}`" not in text] == []
