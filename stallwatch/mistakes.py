"""What a person can put right: one clear sentence instead of a traceback."""


class Mistake(Exception):  # noqa: N818 - the word for it; `Error` would say whose it is no better
    """The message is the whole sentence: what is wrong, where, and the remedy. Exits by `exit_code`."""

    exit_code = 2


class AnswerIsNoError(Mistake):
    """The command worked and its answer is no."""

    exit_code = 1


class MissingTopicError(Mistake):
    """There is no such topic; a command adds what would create it."""

    def __init__(self, topic: str, address: object, create: str = "stallwatch topics create") -> None:
        self.topic, self.address = topic, address
        super().__init__(
            f"topic {topic} does not exist at {address}; check --topic-prefix, or create it with `{create}`"
        )
