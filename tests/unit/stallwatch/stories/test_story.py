"""The story of a run is put together from verdicts and commands, whatever comes twice or out of order."""

from typing import Any

from detectors.events import Command, Evidence, Lost, Reached, Resume, Text, Verdict
from stallwatch.stories.story import tell
from stallwatch.stories.story_text import paragraphs


def verdict(event: str, rung: int, seq: int, **fields: Any) -> Verdict:
    given: dict[str, Any] = {
        "episode_id": "e1",
        "run_id": "r",
        "reason": "no_news",
        "text": f"seen at {seq}",
        "seq_from": 3,
        "tokens": seq * 100,
        "shares": {"no_news": 0.7, "same_error": 0.3},
        "rules": "default@1",
        **fields,
    }
    return Verdict(event=event, rung=rung, seq_to=seq, **given)  # type: ignore[arg-type]


def command(version: int, action: str, **fields: Any) -> Command:
    given: dict[str, Any] = {"command_id": f"c{version}", "run_id": "r", "reason": "no_news", **fields}
    return Command(version=version, action=action, **given)  # type: ignore[arg-type]


STALL = [
    verdict("opened", 1, 10),
    verdict(
        "updated", 2, 14, evidence=Evidence(steps=15, rounds=14, steps_since_news=9, cause="NoHost", errors=4)
    ),
    verdict("closed", 0, 20, text="a milestone was reached", shares={}),
]


def test_an_episode_has_its_verdicts_once_and_in_order() -> None:
    story = tell("r", [*STALL, *STALL, verdict("opened", 1, 5, run_id="other")], [])
    (episode,) = story.episodes
    assert [v.event for v in episode.verdicts] == ["opened", "updated", "closed"]
    assert (episode.seq_from, episode.seq_to, episode.highest_rung, episode.closed) == (3, 20, 2, True)
    assert episode.shares == {"no_news": 0.7, "same_error": 0.3}
    assert episode.evidence is not None
    assert episode.tokens == 2000


def test_the_latest_command_says_what_is_true_now() -> None:
    kept = [Reached(id="built", seq=4)]
    story = tell(
        "r",
        STALL,
        [
            command(2, "halt", milestones=kept, resume=Resume(from_seq=5), text=Text(people="p", model="m")),
            command(1, "notice", root_run_id="p"),
            command(9, "halt", run_id="other"),
        ],
    )
    assert story.state == "halt"
    assert story.milestones == kept
    assert story.root_run_id == "p"
    assert [c.version for c in story.commands] == [1, 2]


def test_a_later_attempt_is_later_whatever_its_version() -> None:
    story = tell("r", [], [command(5, "halt"), command(1, "notice", attempt=3)])
    assert (story.state, story.attempt) == ("notice", 3)


def test_nothing_known_is_told_apart() -> None:
    assert not tell("r", [verdict("opened", 1, 1, run_id="other")], []).known
    assert tell("r", STALL, []).known


def told(*args: Any) -> str:
    return "\n".join(line for lines in paragraphs(tell(*args)) for line in lines)


def test_the_text_says_what_was_seen_why_and_what_is_kept() -> None:
    text = told(
        "r",
        STALL[:2],
        [
            command(
                3,
                "halt",
                milestones=[Reached(id="built", seq=4)],
                resume=Resume(from_seq=5, lost=[Lost(target="notes.md")]),
                text=Text(people="p", model="run the tests"),
            )
        ],
    )
    for part in (
        "Run r: 1 stall on record; it must not go on. Judged by default@1.",
        "Stall 1: no_news, seq 3 to 14, up to replan, still open.",
        "seq 10: notice: seen at 10.",
        "Why: no_news 70%, same_error 30%.",
        "15 steps in 14 rounds; the last news 9 steps ago",
        "4 failures with the cause NoHost",
        "1,400 tokens since the last verified milestone",
        "Kept: built (seq 4).",
        "It can be taken up again from seq 5.",
        "worth giving back: notes.md.",
        "What would count as progress: run the tests",
    ):
        assert part in text


def test_both_remedies_are_told_in_words() -> None:
    assert "give those facts back" in told("r", [verdict("opened", 1, 3, remedy="amnesia")], [])
    assert "it needs another plan" in told("r", [verdict("opened", 1, 3, remedy="no_gradient")], [])


def test_without_verdicts_the_commands_tell() -> None:
    text = told("r", [], [command(1, "ask", text=Text(people="it goes round in circles.", model=""))])
    assert "Version 1: ask for no_news: it goes round in circles." in text


def test_no_part_of_a_record_reaches_the_terminal_raw() -> None:
    evil = "\x1b]0;owned\x07"
    text = told(
        f"r{evil}",
        [verdict("opened", 1, 1, run_id=f"r{evil}", text=evil, reason=evil, shares={evil: 1.0})],
        [
            command(
                1,
                "halt",
                run_id=f"r{evil}",
                text=Text(people=evil, model=evil),
                milestones=[Reached(id=evil, seq=0)],
            )
        ],
    )
    assert "\x1b" not in text
    assert "\x07" not in text
