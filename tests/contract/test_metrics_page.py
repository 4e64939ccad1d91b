"""The page about metrics is the catalogue."""

from pathlib import Path

from streams.metric_catalog import METRICS
from streams.metrics_page import page

PATH = Path(__file__).parents[2] / "docs" / "metrics.md"


def test_the_page_is_the_catalogue() -> None:
    assert PATH.read_text("utf-8") == page(), "run `python -m streams.metrics_page docs/metrics.md`"


def test_the_page_has_every_metric_and_label_value() -> None:
    for metric in METRICS:
        assert f"`{metric.full_name}`" in page()
        for values in metric.labels.values():
            assert ", ".join(values) in page()
