"""The metrics as a page of the docs: `python -m streams.metrics_page docs/metrics.md`."""

import sys
from pathlib import Path

from streams.metric_catalog import METRICS, OUTCOME_MEANINGS, Metric

_HEAD = """# Metrics

Made from `streams/metric_catalog.py` by `python -m streams.metrics_page docs/metrics.md`; a test catches drift.

A worker serves them on `/metrics` (127.0.0.1:9108 unless set otherwise), in OpenMetrics where the scraper asks for it:
then counters of signals, rungs and halts carry the id of a run as exemplar. Label values are closed sets and all there
from the first scrape; no run, tenant or tool is ever a label. Beside these stand the process's own `process_*`.

| metric | type | labels | meaning |
|---|---|---|---|
"""


def page() -> str:
    """The whole page."""
    return _HEAD + "".join(_row(metric) for metric in METRICS) + _values()


def _row(metric: Metric) -> str:
    labels = ", ".join(f"`{label}`" for label in metric.labels)
    return f"| `{metric.full_name}` | {metric.kind} | {labels} | {metric.help} |\n"


def _values() -> str:
    parts = ["\n## Label values\n\n"]
    seen = set()
    for metric in METRICS:
        for label, values in metric.labels.items():
            if values and (label, values) not in seen:
                seen.add((label, values))
                users = [f"`{m.full_name}`" for m in METRICS if m.labels.get(label) == values]
                parts.append(f"- `{label}` of {', '.join(users)}: {', '.join(values)}\n")
    parts.append("\n## What becomes of a record\n\n")
    parts += [f"- `{outcome}`: {meaning}\n" for outcome, meaning in OUTCOME_MEANINGS.items()]
    return "".join(parts)


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/metrics.md").write_text(page(), "utf-8")
