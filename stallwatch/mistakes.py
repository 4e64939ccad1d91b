"""What a person can put right: one clear sentence instead of a traceback."""


class Mistake(Exception):
    """The message is the whole sentence: what is wrong, where, and the remedy. Ends a command with `exit_code`."""

    exit_code = 2


class AnswerIsNoError(Mistake):
    """The command worked and its answer is no."""

    exit_code = 1
