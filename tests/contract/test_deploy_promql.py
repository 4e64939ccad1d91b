"""The reader of PromQL that the other tests of deploy/ rest on: it finds what does not exist."""

import pytest
from promql_labels import PromqlError, labels_of, matched_values, names_in

EXPOSED = {
    "requests_total": frozenset({"job", "instance", "code"}),
    "wait_bucket": frozenset({"job", "instance", "le"}),
    "up": frozenset({"job", "instance"}),
}


@pytest.mark.parametrize(
    ("query", "labels"),
    [
        ("requests_total", {"job", "instance", "code"}),
        ("sum(requests_total)", set()),
        ("sum by (job) (rate(requests_total[5m]))", {"job"}),
        ("sum without (code) (requests_total)", {"job", "instance"}),
        ("histogram_quantile(0.9, sum by (job, le) (rate(wait_bucket[5m])))", {"job"}),
        ("requests_total > 3", {"job", "instance", "code"}),
        ("up * on (job) sum by (job) (up)", {"job"}),
        ("requests_total * on (instance) group_left () up", {"job", "instance", "code"}),
        ("requests_total and on (job) up", {"job", "instance", "code"}),
        ("absent(up == 1)", set()),
        ("up unless up offset 1h", {"job", "instance"}),
    ],
)
def test_labels_of_a_result(query: str, labels: set[str]) -> None:
    assert labels_of(query, EXPOSED) == labels


@pytest.mark.parametrize(
    ("query", "what"),
    [
        ("request_total", "nothing exposes 'request_total'"),
        ('requests_total{status="200"}', "status"),
        ("sum by (tenant) (requests_total)", "tenant"),
        ("sum by (code) (sum by (job) (requests_total))", "code"),
        ("histogram_quantile(0.9, sum by (job) (rate(wait_bucket[5m])))", "le"),
        ("sum by (job) (up) and up", "never matches"),
        ("sum by (job) (up) or sum by (instance) (up)", "never matches"),
        ("up * on (code) requests_total", "code"),
    ],
)
def test_what_does_not_exist_is_found(query: str, what: str) -> None:
    with pytest.raises(PromqlError, match=what):
        labels_of(query, EXPOSED)


def test_a_scalar_has_no_labels() -> None:
    assert labels_of("2 * 3", EXPOSED) is None


def test_names_and_values_are_read_off_selectors() -> None:
    query = 'rate(requests_total{code=~"500|503"}[5m]) / on (job) up{job="x"}'
    assert names_in(query) == {"requests_total", "up"}
    assert matched_values(query) == {
        ("requests_total", "code", "500"),
        ("requests_total", "code", "503"),
        ("up", "job", "x"),
    }
