"""The result in words: what came, why, what it saved, and where to go from here."""

import shlex

import pytest
from board_story import HEALTHY, STUCK, as_wanted, board, result, stepped

from stallwatch.demo.messages import Over
from stallwatch.demo.report import Report
from stallwatch.demo.rules_file import rules_place
from stallwatch.demo.summary import Line, summary, wrapped
from streams.settings import Settings

VISITED = Settings(bootstrap_servers="kafka-1:9092", topic_prefix="team.", group_id="night")


@pytest.fixture(autouse=True)
def no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BOOTSTRAP_SERVERS", "TOPIC_PREFIX", "GROUP_ID"):
        monkeypatch.delenv(f"STALLWATCH_{name}", raising=False)


def told(found: Report, settings: Settings | None = None, *, keep: bool = False) -> list[str]:
    return list(wrapped(summary(found, settings=settings, keep=keep), None))


def test_the_summary_says_why_and_what_was_saved() -> None:
    text = "\n".join(told(result(as_wanted()[0])))
    assert "1 of 1 healthy agents finished undisturbed, 1 of 1 stuck ones were halted, in 40 s" in text
    assert (
        f"  flip-flop       step 30 of {STUCK.limit}, write_churn: one line goes back and forth\n"
        "                  kept: baseline_green; its process ended when told\n"
    ) in text
    assert f"{STUCK.limit - 30} steps and about {STUCK.limit * 10 - 300} tokens" in text
    assert "Metrics were served at http://127.0.0.1:1/metrics" in text
    assert "NOT AS EXPECTED" not in text


def test_at_the_end_it_points_on() -> None:
    lines = told(result(as_wanted()[0]))
    assert "stallwatch explain" in lines[-2]
    assert "docs/detection.md" in lines[-1]


def test_what_stays_up_is_named_with_what_to_try() -> None:
    lines = told(result(as_wanted()[0]), keep=True)
    assert "Metrics are served at http://127.0.0.1:1/metrics" in lines
    (stays,) = [number for number, line in enumerate(lines) if "stay up" in line]
    assert "127.0.0.1:2" in lines[stays]
    assert lines[stays + 1 : stays + 4] == [
        "  curl -s http://127.0.0.1:1/metrics | grep ^stallwatch_",
        "  export STALLWATCH_BOOTSTRAP_SERVERS=127.0.0.1:2",
        "  stallwatch explain flip-flop",
    ]


def test_what_to_try_reaches_the_demo_from_a_shell_that_is_set_up_for_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STALLWATCH_TOPIC_PREFIX", "team.")
    lines = told(result(as_wanted()[0]), keep=True)
    assert "  stallwatch explain flip-flop --topic-prefix stallwatch." in lines


def test_nobody_who_judges_is_said_once_with_the_remedy() -> None:
    seen, _ = board()
    for behaviour in (HEALTHY, STUCK):
        seen.started(behaviour.name)
        seen.heard(behaviour.name, stepped(9))
    seen.ended(STUCK.name, 0)
    found = result(seen)
    assert not found.ok
    lines = told(found, VISITED)
    assert sum("NOT AS EXPECTED" in line for line in lines) == 1
    assert "no verdict and no command came" in lines[0]
    assert "kafka-1:9092" in lines[0]
    assert "'team.'" in lines[0]
    assert shlex.split(lines[1]) == [
        *("stallwatch", "worker", "--bootstrap-servers", "kafka-1:9092"),
        *("--topic-prefix", "team.", "--group-id", "night", "--rules", rules_place()),
    ]


def test_what_went_wrong_under_a_worker_that_judges_is_said_run_by_run_with_the_rules() -> None:
    seen, _ = as_wanted()
    seen.rows[STUCK.name].status = "at its limit"
    lines = told(result(seen), VISITED)
    assert sum("NOT AS EXPECTED" in line for line in lines) == 1
    assert any(f"--rules {rules_place()}" in line for line in lines)
    assert (
        "  stallwatch explain fix-test-first --bootstrap-servers kafka-1:9092 --topic-prefix team." in lines
    )


def test_steps_that_did_not_arrive_are_told_even_if_nobody_judged() -> None:
    seen, _ = board()
    seen.heard(STUCK.name, Over(ending="limit", undelivered=2))
    assert f"{STUCK.name}: 2 events did not reach the broker" in told(result(seen), VISITED)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_on_a_terminal_words_stay_whole_and_sentences_keep_their_indent(width: int) -> None:
    lines = list(summary(result(as_wanted()[0]), keep=True))
    shown = list(wrapped(lines, width))
    whole = [line.text for line in lines if line.whole]
    assert all(len(line) <= width for line in shown if line not in whole)
    assert set(whole) <= set(shown)
    assert " ".join(shown).split() == " ".join(line.text for line in lines).split()
    (at,) = [number for number, line in enumerate(shown) if line.startswith("  flip-flop ")]
    assert shown[at + 1].startswith(" " * 18)
    assert shown[at + 1][18] != " "


def test_a_word_longer_than_the_terminal_is_left_in_one_piece() -> None:
    assert list(wrapped([Line("see http://127.0.0.1:12345/metrics")], 30)) == [
        "see",
        "  http://127.0.0.1:12345/metrics",
    ]
