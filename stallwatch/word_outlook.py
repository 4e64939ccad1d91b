"""What a person's word will lead to, as far as the topics tell at that time."""

import msgspec

from detectors.events import Answer, Command, HaltOrder, OperatorEvent, Release


class Known(msgspec.Struct, kw_only=True):
    """What is known of a run when a word for it is sent."""

    latest: Command | None = None
    """The run's latest command."""
    ids: dict[str, int] = {}
    """Command id → attempt, of the run's commands that are still on the control topic."""
    heard: bool | None = None
    """Whether its events are among the last ones of its partition; None if nobody looked."""
    looked_at: str = ""
    """Where that was looked for, in words."""


def root_doubt(word: OperatorEvent, known: Known) -> str | None:
    """The sentence for a root that is not the one the run's latest command has."""
    latest = known.latest
    given = word.root_run_id or word.run_id
    if latest is None or latest.root_run_id in (None, given):
        return None
    return (
        f"the latest command of run {word.run_id} says that its root is {latest.root_run_id}, not {given}: "
        f"there the word meets another run or none, so leave out --root, or say --root {latest.root_run_id}"
    )


def name_doubt(word: OperatorEvent, known: Known) -> str | None:
    """The sentence for a run that nothing is known of."""
    if known.latest is not None or known.heard is not False:
        return None
    unknown = (
        f"no run named {word.run_id} is known: no command of it stands, and {known.looked_at} are not its"
    )
    if isinstance(word, Release):
        return f"{unknown}; the word waits for a run of that name and will find nothing to lift"
    if isinstance(word, Answer) and word.go:
        return f"{unknown}; the word waits for a run of that name, which will not have asked"
    return (
        f"{unknown}; if the name is right, the run is halted at its next event, if it is not, the first later "
        f"run of that name is: `stallwatch release {word.run_id}` takes that back"
    )


def outlook(word: OperatorEvent, known: Known) -> str | None:
    """What will come of the word, where that is not what it says; None if it will be obeyed or nobody can tell."""
    latest = known.latest
    if latest is None:
        if word.command_id is not None and known.heard is not None:
            return _unknown_command(word)
        if isinstance(word, Release | Answer) and known.heard and not _halts(word):
            return "No command of this run stands: there is nothing to lift, and the word will be ignored."
        return None
    return _wrong_life(word, known, latest) or _no_change(word, latest)


def _wrong_life(word: OperatorEvent, known: Known, latest: Command) -> str | None:
    """What keeps the word from meeting the run as it is now."""
    if word.attempt is not None and word.attempt > latest.attempt:
        return (
            f"Attempt {word.attempt} is not known, the latest command is of attempt {latest.attempt}: the word "
            f"waits until attempt {word.attempt} begins."
        )
    if word.attempt is not None and word.attempt < latest.attempt:
        return f"Attempt {latest.attempt} has begun since: a word for attempt {word.attempt} will be ignored."
    if word.command_id is None:
        return None
    attempt = known.ids.get(word.command_id)
    if attempt is None:
        return _unknown_command(word)
    if attempt < latest.attempt:
        return f"Attempt {latest.attempt} has begun since that command: the word will be ignored."
    return None


def _unknown_command(word: OperatorEvent) -> str:
    return (
        f"No command {word.command_id} of this run is on the control topic: unless it was one of the last that "
        "the run got, the word waits for it and nothing comes of it."
    )


def _no_change(word: OperatorEvent, latest: Command) -> str | None:
    unasked = isinstance(word, Answer) and latest.action != "ask"
    return _halting(latest, unasked=unasked) if _halts(word) else _lifting(latest, unasked=unasked)


def _halting(latest: Command, *, unasked: bool) -> str | None:
    if latest.action == "halt":
        return "The run is halted already: the word will be ignored."
    return "The run asks nothing: the word acts as a halt." if unasked else None


def _lifting(latest: Command, *, unasked: bool) -> str | None:
    asks_nothing = "The run asks nothing"
    if latest.action == "release":
        why = asks_nothing if unasked else "Nothing to lift"
        return f"{why}: a person let it go on already, and the word will be ignored."
    if latest.action in ("notice", "replan"):
        why = asks_nothing if unasked else "The run may go on as it is"
        return (
            f"{why}: its counters start again if it still stands where that command put it, else the word will "
            "be ignored."
        )
    return f"{asks_nothing}, it is halted: the word acts as a release." if unasked else None


def _halts(word: OperatorEvent) -> bool:
    return isinstance(word, HaltOrder) or (isinstance(word, Answer) and not word.go)
