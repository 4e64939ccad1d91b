"""The generated parts of docs/detection.md; run as a script it writes them in place."""

import re
from pathlib import Path

import msgspec
from detection_figures import figure

from detectors.catalog import CODES, REASONS
from detectors.parameters import Dryness, Fingerprints, Ladder, Limits, Rung, Section, Signals

PAGE = Path(__file__).resolve().parents[2] / "docs" / "detection.md"
_MARK = re.compile(r"(<!-- begin (\w+) -->\n)(.*?)(<!-- end \2 -->)", re.DOTALL)


def parts() -> dict[str, str]:
    """Name of each generated part → its text."""
    found = {"reasons": _reasons(), "ladder": _ladder(), "dryness": _table(Dryness())}
    found |= {"fingerprints": _table(Fingerprints()), "budget": _table(Limits())}
    for name in Signals.__struct_fields__:
        found[name] = _table(getattr(Signals(), name))
    return found | {f"figure_{code}": drawn for code in CODES if (drawn := figure(code))}


def written(page: str) -> dict[str, str]:
    """The parts as they stand in the page."""
    return {match[2]: match[3] for match in _MARK.finditer(page)}


def _reasons() -> str:
    lines = ["| reason | what it is | family | may lead to |", "|---|---|---|---|"]
    lines += [f"| `{r.code}` | {r.title} | {r.family} | {r.right} |" for r in REASONS]
    return "\n".join(lines) + "\n"


def _ladder() -> str:
    lines = ["| rung | at dryness | after rounds on the rung below | down below |", "|---|---|---|---|"]
    ladder = Ladder()
    for name in ("notice", "replan", "ask", "halt"):
        rung: Rung = getattr(ladder, name)
        lines.append(f"| {name} | {rung.level:g} | {rung.dwell_rounds} | {rung.lower:g} |")
    return "\n".join(lines) + "\n"


def _table(section: Section) -> str:
    lines = ["| parameter | default | range | meaning |", "|---|---|---|---|"]
    for field in msgspec.inspect.type_info(type(section)).fields:  # type: ignore[attr-defined]
        kind = field.type
        low = getattr(kind.type, "ge", None)
        low = low if low is not None else getattr(kind.type, "gt", None)
        high = getattr(kind.type, "le", None)
        span = f"{low:g} – {high:g}" if low is not None and high is not None else ""
        value = getattr(section, field.name)
        shown = f"{value:g}" if isinstance(value, int | float) else "none" if value == () else str(value)
        lines.append(f"| `{field.name}` | {shown} | {span} | {kind.extra_json_schema['description']} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    new = parts()
    text = PAGE.read_text("utf-8")
    PAGE.write_text(_MARK.sub(lambda m: m[1] + new[m[2]] + m[4], text), "utf-8")


if __name__ == "__main__":
    main()
