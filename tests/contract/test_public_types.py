"""The clients are typed: a type checker accepts their right uses and refuses each wrong one."""

import re
from pathlib import Path

from mypy import api

SAMPLE = Path(__file__).parents[1] / "typing" / "clients_sample.py"


def test_the_type_checker_refuses_exactly_what_is_wrong() -> None:
    lines = SAMPLE.read_text("utf-8").splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    report, complaint, _ = api.run(["--strict", "--no-pretty", str(SAMPLE)])
    assert complaint == ""
    refused = {int(number) for number in re.findall(r"clients_sample\.py:(\d+): error", report)}
    assert len(wrong) >= 8
    assert refused == wrong, report
