"""The agents' tools really do what they say, in the scratch folder and nowhere else."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from stallwatch.demo.calls import Answer, Call
from stallwatch.demo.scratch import copy_project, scratch_folder
from stallwatch.demo.workbench import Workbench, ran_tests


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    copy_project(tmp_path / "project")
    with Workbench(tmp_path / "project") as made:
        yield made


def do(bench: Workbench, tool: str, **args: object) -> Answer:
    return bench.do(Call(tool, args))


def test_the_scratch_project_is_green_and_has_the_bug(bench: Workbench) -> None:
    call = Call("shell", {"command": "python -m unittest"})
    assert ran_tests(call, bench.do(call), green=True)
    asked = do(
        bench, "shell", command='python -c "from shop.discounts import rate; print(rate(10), rate(11))"'
    )
    assert asked.text == "0 5"


def test_reading_numbers_the_lines(bench: Workbench) -> None:
    whole = do(bench, "read_file", path="shop/settings.py").text
    part = do(bench, "read_file", path="shop/settings.py", start=3, end=4).text
    assert part.splitlines() == whole.splitlines()[2:4]
    assert part.startswith('   3  CURRENCY = "EUR"')


def test_searching_names_file_and_line(bench: Workbench) -> None:
    assert do(bench, "search", pattern="LOW_STOCK =").text == "shop/settings.py:6: LOW_STOCK = 5"
    assert do(bench, "search", pattern="LOW_STOCK =", path="docs").text == "no matches"
    assert "bad pattern" in (do(bench, "search", pattern="(").error or "")


def test_an_edit_changes_the_file_and_tells_both_states(bench: Workbench) -> None:
    done = do(bench, "edit_file", path="shop/settings.py", old="LOW_STOCK = 5", new="LOW_STOCK = 6")
    assert done.ok
    assert done.before_hash != done.after_hash
    assert "LOW_STOCK = 6" in (bench.root / "shop" / "settings.py").read_text()
    again = do(bench, "edit_file", path="shop/settings.py", old="LOW_STOCK = 5", new="LOW_STOCK = 7")
    assert "there 0 times" in (again.error or "")


def test_a_new_file_has_no_state_before(bench: Workbench) -> None:
    first = do(bench, "write_file", path="pages/a.md", text="one")
    second = do(bench, "write_file", path="pages/a.md", text="two")
    assert (first.text, first.before_hash) == ("ok", None)
    assert second.before_hash == first.after_hash


@pytest.mark.parametrize("path", ["../outside.txt", "/etc/hostname", "shop/../../outside.txt"])
@pytest.mark.parametrize("tool", ["read_file", "write_file"])
def test_nothing_outside_the_folder_is_touched(bench: Workbench, tool: str, path: str) -> None:
    args = {"text": "x"} if tool == "write_file" else {}
    assert "outside the project" in (do(bench, tool, path=path, **args).error or "")


def test_only_a_few_programs_run_and_they_see_nothing_of_ours(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "from the user's own shell")
    assert do(bench, "shell", command="rm -r shop").error == "not found: rm -r shop"
    assert (bench.root / "shop").is_dir()
    assert do(bench, "shell", command="python jobs/publish.py").exit_code == 1


def test_a_background_job_ends_with_the_workbench(tmp_path: Path) -> None:
    copy_project(tmp_path / "project")
    with Workbench(tmp_path / "project") as bench:
        pid = int(do(bench, "start_job", command="python jobs/reindex.py").text.rsplit(" ", 1)[1])
        assert Path(f"/proc/{pid}").exists()
    assert not Path(f"/proc/{pid}").exists()


def test_red_and_green_need_a_run_of_the_tests() -> None:
    call = Call("shell", {"command": "python -m unittest"})
    assert ran_tests(call, Answer("Ran 3 tests in 0.1s\n\nFAILED", exit_code=1), green=False)
    assert not ran_tests(call, Answer("No module named unittest", exit_code=1), green=False)
    assert not ran_tests(Call("shell", {"command": "ls"}), Answer("\nRan 3 tests", exit_code=0), green=True)


def test_the_scratch_folder_is_gone_even_with_something_odd_in_it() -> None:
    with scratch_folder() as folder:
        copy_project(folder / "p")
        (folder / "p" / "shop").chmod(0o500)
    assert not folder.exists()
