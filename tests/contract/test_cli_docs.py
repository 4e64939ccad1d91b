"""The reference of the command line is what the commands say."""

from pathlib import Path

from stallwatch.cli.reference import reference

PAGE = Path(__file__).parent.parent.parent / "docs" / "cli.md"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == reference(), "run `python -m stallwatch.cli.reference > docs/cli.md`"


def test_every_command_has_its_place() -> None:
    page = PAGE.read_text("utf-8")
    for command in ("demo", "worker", "replay", "explain", "release", "halt", "answer"):
        assert f"### `stallwatch {command}`" in page
    for command in (
        "topics create",
        "topics verify",
        "topics diff",
        "dlq list",
        "dlq redrive",
        "rules check",
    ):
        assert f"#### `stallwatch {command}`" in page
