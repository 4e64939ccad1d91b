"""The rules as a page of the docs: `python -m stallwatch.rules_page docs/rules.md`."""

import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from detectors.parameters import Section
from detectors.rules import Rules
from detectors.ruletext import allowed, description, literal

HEAD = """# Rules

Made from `detectors/rules.py` and `detectors/parameters.py` by `python -m stallwatch.rules_page docs/rules.md`; a
test catches drift.

A rule file is TOML and says only what differs from its base. `stallwatch rules check FILE` names everything that is
wrong with it at once: unknown fields, wrong types, values out of range, and thresholds that make no sense together
(levels that do not rise, a lower level that is not below its rung's, a level that no weight reaches). `stallwatch rules
show FILE` prints the resolved set with every field.

```toml
name = "night-shift"              # as commands and evidence name it: night-shift@2; default: the file's name
version = 2
base = "default"                  # or "classic"

[ladder.ask]
level = 0.6

[scenario."fix-login"]            # for runs whose `task` is fix-login, on top of the above
mode = "advise"
signals.idle_wait.limit_s = 7200
```

A run keeps the set it started with: its state names the set's digest, and the worker publishes each set on the models
topic, so that another worker can go on with the run. The scenario is looked up once, at the first event of an attempt.

`classic` is the published StagnationGuard as a baseline (`engine = "classic"`): it reads the content of the steps,
judges once per turn and answers with a halt. Its numbers stand under `[classic]`; the ladder and the signals do not
apply.
"""


def page() -> str:
    """The whole page."""
    return HEAD + "".join(_section(Rules(), "", "The set"))


def _section(section: msgspec.Struct, path: str, title: str) -> Iterator[str]:
    fields = msgspec.structs.fields(type(section))
    rows = [field for field in fields if not isinstance(getattr(section, field.name), Section)]
    if rows:
        yield f"\n## {title}\n\n"
        if path:
            yield f"{(type(section).__doc__ or '').strip()}\n\n"
        yield "| field | value | default | meaning |\n|---|---|---|---|\n"
        for field in rows:
            value = literal(getattr(section, field.name))
            yield f"| `{field.name}` | {allowed(field.type)} | `{value}` | {description(field.type)}. |\n"
    for field in fields:
        below = getattr(section, field.name)
        if isinstance(below, Section):
            yield from _section(below, f"{path}{field.name}.", f"`[{path}{field.name}]`")


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/rules.md").write_text(page(), "utf-8")
