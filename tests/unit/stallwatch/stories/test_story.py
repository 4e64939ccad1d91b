"""The story of a run is put together from verdicts and commands, whatever comes twice or out of order."""

from typing import Any

from detectors.engine import Engine
from detectors.events import (
    Answer,
    Command,
    Event,
    Evidence,
    HaltOrder,
    Lost,
    OperatorEvent,
    PersonsWord,
    Reached,
    Release,
    Resume,
    RunEnded,
    Step,
    Text,
    Verdict,
)
from detectors.rulefile import profile
from detectors.state import RootState
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
        "Seen by seq 14: 15 steps in 14 rounds; the last 9 steps without news",
        "4 failures with the cause NoHost",
        "It cost 1,400 tokens from seq 3 to 14.",
        "Kept: built (seq 4).",
        "It can be taken up again from seq 5.",
        "worth giving back: notes.md.",
        "The agent was told: run the tests",
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


def lived(*events: Event, latest_only: bool = False) -> str:
    """The story of what the engine makes of these events."""
    engine, root = Engine(profile("default"), assume_delivery=True), RootState("r")
    verdicts: list[Verdict] = []
    commands: list[Command] = []
    words: list[OperatorEvent] = []
    for event in events:
        outcome = engine.apply(root, event)
        verdicts += outcome.verdicts
        commands += outcome.commands
        if isinstance(event, PersonsWord):
            words.append(event)
    return told("r", verdicts, commands[-1:] if latest_only else commands, words)


def failing(first: int, after: int, attempt: int = 0) -> list[Step]:
    return [
        Step(
            run_id="r",
            seq=seq,
            attempt=attempt,
            turn=seq,
            tool="bash",
            args={"command": "make"},
            result="no host",
            exit_code=1,
            error="no host",
            tokens=100,
        )
        for seq in range(first, after)
    ]


def test_who_released_a_run_and_what_was_noted_are_told() -> None:
    text = lived(*failing(0, 40), Release(run_id="r", by="ada", at=9.0, note="the host is back"))
    assert "seq 39: the stall was over: released by ada. The note: the host is back" in text
    assert "a person let it go on" in text
    assert "Said:" not in text


def test_a_manual_halt_is_told_as_what_it_is() -> None:
    text = lived(*failing(0, 3), HaltOrder(run_id="r", by="ada", at=9.0, note="enough"))
    assert "Stall 1: halted by a person, seq 1 to 2, up to halt, still open." in text
    assert "seq 2: halt: halted by ada. The note: enough" in text
    assert "Seen by seq 2: 3 steps." in text
    for invented in ("operator", "Why:", "without", "0 rounds"):
        assert invented not in text


def test_a_manual_halt_within_a_stall_keeps_the_findings_moment() -> None:
    text = lived(*failing(0, 7), HaltOrder(run_id="r", by="ada", at=9.0), *failing(7, 20))
    assert "seq 6: halt: halted by ada." in text
    assert "Seen by seq 5: 6 steps in 6 rounds" in text


def test_an_answer_without_a_name_is_told_with_its_note() -> None:
    asking = lived(*failing(0, 13))
    assert "a person was asked" in asking
    assert "Advice for the agent, if it may go on: " in asking
    assert "The agent was told" not in asking
    stopped = lived(*failing(0, 13), Answer(run_id="r", go=False, at=9.0, note="no budget"))
    assert "halt: halted. The note: no budget" in stopped


def test_words_that_led_to_nothing_are_told_apart() -> None:
    text = lived(
        *failing(0, 40),
        Release(run_id="r", by="ada", at=9.0, note="first"),
        Release(run_id="r", by="bob", at=1764521043.0, note="second"),
    )
    assert "released by ada. The note: first" in text
    assert (
        "Said: release by bob at 2025-11-30T16:44:03+00:00; no verdict on record follows from it. The note: second"
    ) in text


def test_a_word_alone_is_a_story() -> None:
    story = tell("r", [], [], [HaltOrder(run_id="r", by="ada"), HaltOrder(run_id="other")])
    assert story.known
    assert [word.what for word in story.words] == ["halt"]
    text = told("r", [], [], [HaltOrder(run_id="r", by="ada")])
    assert "Run r: no stall on record; no command stands for it." in text
    assert "Said: halt by ada; no verdict on record follows from it." in text


def test_a_run_that_ended_is_told_to_have_ended() -> None:
    for steps, was in ((40, "it was halted and has ended (failed)"), (13, "it has ended (failed)")):
        text = lived(*failing(0, steps), RunEnded(run_id="r", seq=steps, outcome="failed"), latest_only=True)
        assert f"on record; {was}." in text
        assert f"seq {steps - 1}: the stall was over: the run ended: failed." in text
        assert "must not go on" not in text


def test_a_later_attempt_is_not_called_ended() -> None:
    ended = [*failing(0, 13), RunEnded(run_id="r", seq=13, outcome="failed")]
    assert "ended (" not in lived(*ended, *failing(0, 13, attempt=1))
    superseded = lived(*failing(0, 40), *failing(0, 1, attempt=1), latest_only=True)
    assert "it was halted; since then: attempt 1 began." in superseded


def test_the_end_that_an_older_worker_left_untold_is_not_invented() -> None:
    closing = [STALL[0], verdict("closed", 0, 20, text=STALL[0].text)]
    assert "seq 20: the stall was over.\n" in told("r", closing, [])


def test_what_one_stall_told_is_not_told_by_the_next() -> None:
    text = lived(*failing(0, 40), Release(run_id="r", at=9.0), *failing(40, 56))
    assert "Stall 1: same_error, seq 1 to 39, up to halt, over." in text
    assert "It cost 3,900 tokens from seq 1 to 39." in text
    assert (
        "Stall 2: same_error, seq 40 to 51 (its last news came before seq 1), up to ask, still open." in text
    )
    assert "It cost 1,200 tokens from seq 40 to 51." in text
    assert "Seen by seq 51: 52 steps in 52 rounds; at least the last 12 steps without news" in text


def test_notes_that_may_not_be_read_are_said_to_be_missing() -> None:
    story = tell("r", STALL, [])
    story.words_read = False
    lines = [line for lines in paragraphs(story) for line in lines]
    assert "What people noted may not be read here: that needs READ on the operator topic." in lines
