"""`stallwatch rules`: every problem of a file at once, and rule sets that can be read back."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from detectors.rulefile import parse, profile
from stallwatch.cli import app

TWO_SETS = b'name = "night"\nversion = 3\n[scenario."fix-login"]\nmode = "advise"\n'


def rules(*words: str, data: bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["rules", *words], input=data)


def test_a_good_file_is_named_with_its_sets(tmp_path: Path) -> None:
    (tmp_path / "night.toml").write_bytes(TWO_SETS)
    result = rules("check", str(tmp_path / "night.toml"))
    assert result.exit_code == 0
    assert "2 rule sets without a problem: night@3, night/fix-login@3." in result.stdout


@pytest.mark.parametrize("name", ["default", "classic"])
def test_a_profile_is_checked_by_its_name(name: str) -> None:
    result = rules("check", name)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith(f"{name}: 1 rule set without a problem: {name}@")


def test_what_is_neither_file_nor_profile_is_said(tmp_path: Path) -> None:
    result = rules("check", str(tmp_path / "defualt"))
    assert result.exit_code == 2
    assert "give a rule file or a profile, default or classic" in result.stderr


def test_all_problems_come_together() -> None:
    result = rules("check", "-", data=b'mode = "maybe"\nask_timeout_s = 0\n[dryness]\nrat = 1\n')
    assert result.exit_code == 2
    for path in ("<stdin>: mode: ", "<stdin>: ask_timeout_s: ", "<stdin>: dryness.rat: "):
        assert path in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"\xff", "not UTF-8 at byte 0"), (b"a = ", "not TOML"), (b"#" * (5 << 20), "larger than 4 MiB")],
)
def test_what_is_no_rule_file_is_said(data: bytes, said: str) -> None:
    result = rules("check", "-", data=data)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["default", "classic"])
def test_what_is_shown_is_the_same_set_when_read_again(name: str) -> None:
    shown = rules("show", name)
    assert shown.exit_code == 0
    assert parse(shown.stdout, name).for_new_run(None) == profile(name).for_new_run(None)
    assert rules("check", "-", data=shown.stdout_bytes).exit_code == 0


def test_ranges_stand_beside_the_values() -> None:
    lines = rules("show").stdout.splitlines()
    above = lines[lines.index("ask_timeout_s = 900.0") - 1]
    assert above.startswith("# ")
    assert "from 1 to" in above


def test_a_scenarios_set_is_shown_by_its_task(tmp_path: Path) -> None:
    path = tmp_path / "night.toml"
    path.write_bytes(TWO_SETS)
    all_others = rules("show", str(path)).stdout
    assert '\nmode = "enforce"' in all_others
    assert "# Also in this file: night/fix-login@3" in all_others
    assert '\nmode = "advise"' in rules("show", str(path), "--task", "fix-login").stdout
