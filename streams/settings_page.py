"""The settings as a page of the docs: `python -m streams.settings_page docs/settings.md`."""

import sys
from itertools import groupby
from pathlib import Path

from streams.settings_table import SETTINGS, Setting

_HEAD = """# Settings

Made from `streams/settings.py` by `python -m streams.settings_page docs/settings.md`; a test catches drift.

Every setting is a variable, and a flag of the same word: `STALLWATCH_GROUP_ID` is `--group-id`. A flag wins
over its variable; an empty variable counts as unset (but for the topic prefix, which may be empty). A secret
can be read from a file instead: set the variable with `_FILE` to its path. Whatever is wrong is said at once,
before anything starts, with exit code 2. Times are seconds.
"""


def page() -> str:
    """The whole page."""
    parts = [_HEAD]
    for section, settings in groupby(SETTINGS, key=lambda s: s.section):
        parts.append(f"\n## {section}\n\n| variable | value | default | meaning |\n|---|---|---|---|\n")
        parts += [_row(s) for s in settings]
    return "".join(parts)


def _row(setting: Setting) -> str:
    name = f"`{setting.variable}`"
    if setting.secret:
        name += f" or `{setting.file_variable}`"
    value = setting.type_text.removesuffix(" that is not empty")
    return f"| {name} | {value} | {_default(setting.default)} | {setting.help} |\n"


def _default(value: object) -> str:
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/settings.md").write_text(page(), "utf-8")
