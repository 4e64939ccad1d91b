"""The page about settings is the table."""

from pathlib import Path

from streams.settings_page import page
from streams.settings_table import SETTINGS

PATH = Path(__file__).parents[2] / "docs" / "settings.md"


def test_the_page_is_the_table() -> None:
    assert PATH.read_text("utf-8") == page(), "run `python -m streams.settings_page docs/settings.md`"


def test_the_page_has_every_variable() -> None:
    for setting in SETTINGS:
        assert f"`{setting.variable}`" in page()
        if setting.secret:
            assert f"`{setting.file_variable}`" in page()
