"""What a person can put right: one clear sentence instead of a traceback."""


class Mistake(Exception):  # noqa: N818 - the word for it; `Error` would say whose it is no better
    """The message is the whole sentence: what is wrong, where, and the remedy. Exits by `exit_code`."""

    exit_code = 2


class AnswerIsNoError(Mistake):
    """The command worked and its answer is no."""

    exit_code = 1
