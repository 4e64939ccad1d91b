"""What is said of a word before it is heard is what the engine then makes of it."""

from collections.abc import Iterator

import pytest

from detectors.engine import Engine
from detectors.events import Answer, Command, HaltOrder, OperatorEvent, Release, Step
from detectors.outcome import Outcome
from detectors.rulefile import profile
from detectors.state import RootState
from stallwatch.word_outlook import Known, name_doubt, outlook, root_doubt

REACHED = ("nothing", "notice", "ask", "halt", "release", "later attempt")


def step(seq: int, attempt: int = 0) -> Step:
    return Step(
        run_id="r", seq=seq, attempt=attempt, turn=seq, tool="bash", args={"c": "make"}, result="failed"
    )


class Life:
    """A run that gets nowhere, up to a command, and what the control topic would tell of it."""

    def __init__(self, reached: str) -> None:
        self.engine, self.root = Engine(profile("default"), assume_delivery=True), RootState("r")
        self.commands: list[Command] = []
        wanted = {"release": "halt", "later attempt": "notice"}.get(reached, reached)
        for seq in range(1 if reached == "nothing" else 60):
            self.took(self.engine.apply(self.root, step(seq)))
            if self.commands and self.commands[-1].action == wanted:
                break
        if reached == "release":
            self.took(self.engine.apply(self.root, Release(run_id="r", at=1.0)))
        if reached == "later attempt":
            for seq in range(60):
                self.took(self.engine.apply(self.root, step(seq, attempt=2)))
                if self.commands[-1].attempt == 2:
                    break
        last = self.commands[-1] if self.commands else None
        assert (last.action if last else "nothing") == ("notice" if reached == "later attempt" else reached)
        assert reached != "later attempt" or (last and last.attempt == 2)

    def took(self, outcome: Outcome) -> None:
        self.commands += outcome.commands

    @property
    def known(self) -> Known:
        if not self.commands:
            return Known(heard=True)
        ids = {c.command_id: c.attempt for c in self.commands}
        return Known(latest=self.commands[-1], ids=ids)


def words(life: Life) -> Iterator[OperatorEvent]:
    ids = [None, "f" * 32, *(command.command_id for command in life.commands)]
    for command_id in ids:
        for attempt in (None, 0, 1, 2, 3):
            given = {"run_id": "r", "at": 9.0, "command_id": command_id, "attempt": attempt}
            yield Release(**given)
            yield Answer(go=True, **given)
            yield Answer(go=False, **given)
            yield HaltOrder(**given)


@pytest.mark.parametrize("reached", REACHED)
def test_the_outlook_is_what_the_engine_does(reached: str) -> None:
    for word in list(words(Life(reached))):
        life = Life(reached)
        said = outlook(word, life.known)
        status = life.engine.apply(life.root, word).status
        if said is None or "acts as a" in said:
            # Where no command stands, nothing tells the attempt that the run is in.
            expected = {"applied"} if life.commands else {"applied", "ignored", "waiting"}
        elif "else the word will" in said:
            expected = {"applied"}
        elif "waits" in said:
            # An older command that compaction took away may still be known to the worker.
            expected = {"waiting"}
        else:
            expected = {"ignored", "waiting"} if "begun since" in said else {"ignored", "duplicate"}
            if not life.commands and word.attempt not in (None, 0):
                expected = {"ignored", "waiting"}
        assert status in expected, (word, said, status)


def test_a_release_takes_back_the_halt_of_a_name_that_is_not_there_yet() -> None:
    engine, root = Engine(profile("default")), RootState("r")
    assert engine.apply(root, HaltOrder(run_id="r", at=1.0)).status == "waiting"
    assert engine.apply(root, Release(run_id="r", at=2.0)).status == "waiting"
    commands = engine.apply(root, step(0)).commands
    assert [command.action for command in commands] == ["halt", "release"]


def test_a_root_is_doubted_only_against_a_known_one() -> None:
    latest = Command(command_id="c", run_id="r", action="halt", version=1, root_run_id="p")
    assert root_doubt(Release(run_id="r", root_run_id="p"), Known(latest=latest)) is None
    assert root_doubt(Release(run_id="r", root_run_id="q"), Known()) is None
    said = root_doubt(Release(run_id="r", root_run_id="q"), Known(latest=latest))
    assert said is not None
    assert "say --root p" in said


def test_a_name_is_doubted_only_if_somebody_looked() -> None:
    word = HaltOrder(run_id="r")
    assert name_doubt(word, Known()) is None
    assert name_doubt(word, Known(heard=True)) is None
    assert name_doubt(word, Known(heard=False, looked_at="all records")) is not None
