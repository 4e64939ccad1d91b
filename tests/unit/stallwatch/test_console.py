"""Output for people is wide enough without a terminal, and a closed pipe is no answer."""

import io

import pytest

from stallwatch.console import PLAIN_WIDTH, output


class Closed(io.StringIO):
    def write(self, text: str) -> int:
        raise BrokenPipeError


def test_without_a_terminal_lines_are_wide_and_plain() -> None:
    stream = io.StringIO()
    output(stream).print("x" * PLAIN_WIDTH, style="red")
    assert stream.getvalue() == "x" * PLAIN_WIDTH + "\n"


def test_a_closed_pipe_is_left_to_the_commands_ending() -> None:
    with pytest.raises(BrokenPipeError):
        output(Closed()).print("x")
