"""What every domain's world offers: places to read, things to change, and the moves that a stalled agent makes."""

from abc import ABC, abstractmethod
from typing import ClassVar

from bench.worlds.acts import Act, digest, failed
from bench.worlds.tape import Tape

_ASKED = (
    "Find out why {a} differs from {b} and report",
    "Please look into the {a}/{b} mismatch and tell me the cause",
    "Your task: explain the gap between {a} and {b}",
    "Investigate {a}: its figures do not match {b}. Summarise",
    "Once more, with care: what makes {a} and {b} disagree?",
    "Work out the reason that {b} is not equal to {a}",
    "Take a fresh look at {a} versus {b} and give the root cause",
    "We need the explanation for {a} not agreeing with {b}. Dig deep",
    "As an expert in {a}, determine why {b} is off",
    "Compare {a} to {b} again, this time thoroughly, and conclude",
    "Analyse {b} against {a}; answer in one paragraph",
    "Go through {a} step by step and find where {b} departs",
)
_THOUGHTS = (
    "I should {v} the {a} next",
    "Thinking about whether to {v} {a} or {b}",
    "The {a} must be {v}ed before the {b}",
    "Let me consider the {b} again",
    "Next: {v} {a}, then look at {b}",
    "It is important to {v} the {b} carefully",
    "Planning to {v} {a}",
    "Reflecting on {a} and {b}",
)
_TODO = ("understand", "prepare", "change", "verify", "report")


class World(ABC):
    """One run's world. Reads answer from its state; the same read of the same state is the same answer."""

    domain: ClassVar[str]

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.rng = tape.rng
        self.words = tape.words
        self.topic = self.words.words(2)
        self._planned = 0
        self._answer = " ".join(self.words.prose(2))

    # Healthy pieces

    @abstractmethod
    def aside(self) -> Act:
        """A small step that looks healthy and brings a line or nothing."""

    def plan(self) -> Act:
        """The plan tool: a list with one more item done."""
        self._planned += 1
        todos = [
            {"task": f"{verb} {self.topic[i % 2]}", "done": i < self._planned} for i, verb in enumerate(_TODO)
        ]
        return Act("plan.todo", {"todos": todos}, self.words.say("planned"), took=0.1)

    # Places: long texts that can be read again

    @abstractmethod
    def place(self, i: int) -> Act:
        """A read of place i, 0 … 9; stable."""

    @abstractmethod
    def window(self, first: int, count: int) -> Act:
        """Lines of the long place, from `first` (0 …)."""

    @abstractmethod
    def length(self) -> int:
        """Lines of the long place, at least 80."""

    @abstractmethod
    def variant(self, k: int) -> Act:
        """One more command over the long place: lines that were read before and at most one that was not."""

    # Moves of a stalled agent; k counts them

    @abstractmethod
    def reworded(self, k: int) -> Act:
        """One question in its k-th wording on a source that has only one answer."""

    @abstractmethod
    def denied(self, k: int) -> Act:
        """The k-th way around one cause of failure, which is always met."""

    @abstractmethod
    def unchanged(self, k: int) -> Act:
        """A write that leaves its target as it was."""

    @abstractmethod
    def flip(self, k: int) -> Act:
        """A write that undoes the last one, between two states."""

    @abstractmethod
    def touch_up(self, k: int) -> Act:
        """A write that changes a count, a time or a word of no meaning."""

    def hand_in(self, k: int) -> Act:
        """What was written is handed in: the answer has a new number and nothing else that is new."""
        text = f"[main {self.words.hex(7)}] {self.topic[0]}: revision {k + 1}\n 1 file changed"
        return Act(
            "send.document",
            {"message": f"{self.topic[0]}: revision {k + 1}"},
            text,
            f"git commit -am 'revision {k + 1}'",
            0,
        )

    @abstractmethod
    def frozen(self) -> Act:
        """A look at something that has ended or hangs and cannot move any more."""

    @abstractmethod
    def freeze(self) -> list[Act]:
        """How the frozen thing was started, moved a little and ended: healthy."""

    @abstractmethod
    def never(self) -> Act:
        """A look for the outcome of something that nobody started."""

    @abstractmethod
    def attempt(self, k: int) -> list[Act]:
        """A new fix and the check, with the same failing outcome."""

    @abstractmethod
    def recreate(self, k: int) -> list[Act]:
        """Remove, create, run: it exists already."""

    @abstractmethod
    def scored(self, k: int, value: float, *, small: bool) -> list[Act]:
        """A change and its score. `small`: the change is one of wording or of the last digit."""

    @abstractmethod
    def dead(self) -> Act:
        """A control that does nothing; the state stays as it was."""

    def idle(self, k: int) -> Act:
        """A call that does nothing: a thought, a note, an echo, a rest."""
        say, (a, b) = self.words.say, self.topic
        verb = ("check", "sort", "mark", "test", "list")[k % 5]
        thought = _THOUGHTS[(k * 3 + k // 8) % len(_THOUGHTS)].format(a=a, b=b, v=verb)
        kind = (self._idle_mode() + (k % 3 == 2)) % 4
        if kind == 0:
            return Act("note.thought", {"content": f"{thought} ({k + 1})"}, say("noted"), took=0.1)
        if kind == 1:
            shell = (
                ":",
                "true",
                f"echo {k + 1}",
                f"echo 'step {k + 1}'",
                "sleep 1",
                "# continue",
                f"echo {verb} {a}",
            )[k % 7]
            text = (
                str(k + 1)
                if shell == f"echo {k + 1}"
                else shell[5:].strip("'")
                if shell.startswith("echo")
                else ""
            )
            return Act("run.command", {"command": shell}, text, shell, 0, took=0.2)
        if kind == 2:
            todos = [{"task": f"{verb} {a}", "done": i < 2} for i, verb in enumerate(_TODO)]
            return Act("plan.todo", {"todos": todos, "note": thought}, say("planned"), took=0.1)
        return Act("note.thought", {"content": thought, "tag": verb}, {"status": "ok"}, took=0.1)

    def _idle_mode(self) -> int:
        return sum(map(ord, self.topic[0])) % 4

    def delegate(self, k: int) -> Act:
        """One instruction in its k-th wording to a sub-agent, who gives the same answer."""
        a, b = self.topic
        text = _ASKED[k % len(_ASKED)].format(a=a, b=b)
        if k >= len(_ASKED):
            text += f". {self.words.sentence()}"
        return Act("ask.agent", {"task": text}, self._answer, took=20.0)

    def malformed(self, k: int) -> Act:
        """A call whose arguments the tool cannot read, wrong in another way each time."""
        a, b = self.topic
        shapes: tuple[object, ...] = (
            {"path": None, "content": a},
            {"file": {"path": f"{a}.txt"}},
            f'{{"path": "{a}.txt", "content": "',
            {"path": [f"{a}.txt"]},
            {},
            {"input": {"path": f"{b}.txt", "content": ""}},
            {"arguments": f"path={a}.txt"},
            {"path": f"{a}.txt", "contents": b, "extra": k},
        )
        word = self.words.say("required")
        return Act(
            "write.file",
            shapes[k % len(shapes)],  # type: ignore[arg-type]  # malformed on purpose
            f"InputValidationError: 'content' {word}",
            error=f"InputValidationError: 'content' {word}",
            took=0.05,
            raw=True,
        )


def state(*parts: object) -> str:
    """The hash that a host gives for a state."""
    return digest(parts)


__all__ = ["Act", "World", "failed", "state"]
