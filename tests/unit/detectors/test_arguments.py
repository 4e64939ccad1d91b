"""What a call asks for, read off its arguments."""

from typing import Any

import pytest

from detectors.arguments import Asked, asked, without_comment
from detectors.canonical import VOLATILE_KEYS


def ask(args: Any, tool: str = "t") -> Asked:
    return asked(tool, args, VOLATILE_KEYS)


def test_the_call_is_tool_and_arguments() -> None:
    assert ask({"a": 1}).call == ask({"a": 1.0}).call
    assert ask({"a": 1}, "t").call != ask({"a": 1}, "u").call
    assert ask({"a": 1}).call != ask({"a": 2}).call
    assert ask({"q": "x", "trace_id": "1"}).call == ask({"q": "x", "trace_id": "2"}).call


@pytest.mark.parametrize(
    ("command", "bare"),
    [
        ("make check # once more", "make check"),
        ("make check; : again", "make check"),
        ("make check && true", "make check"),
        ("make check || true; ls", "make check; ls"),
        ("echo '#5'", "echo '#5'"),
        ("curl http://h/a#b", "curl http://h/a#b"),
        ("#!/bin/sh\nls", "#!/bin/sh\nls"),
    ],
)
def test_commands_lose_comments_and_empty_commands(command: str, bare: str) -> None:
    assert without_comment(command) == bare


def test_a_throwaway_comment_leaves_the_call_equal() -> None:
    assert ask({"command": "wc -l a.txt # pine"}).call == ask({"command": "wc -l a.txt; : oak"}).call


@pytest.mark.parametrize(
    "args", [{"path": "a/b.txt"}, {"file": "./a/b.txt"}, {"x": {"file_path": "a/b.txt"}}, {"z9": "a/b.txt"}]
)
def test_the_resource_is_one_whatever_its_key(args: Any) -> None:
    assert ask(args).target == ask({"path": "a/b.txt"}).target != 0


def test_a_command_names_its_resources() -> None:
    assert ask({"command": "grep -n foo src/a.c"}).target == ask({"command": "head src/a.c"}).target != 0
    assert ask({"command": "date"}).target == 0


@pytest.mark.parametrize(
    ("args", "region"),
    [
        ({"path": "a", "offset": 41, "limit": 40}, (41, 81)),
        ({"path": "a", "start_line": 10, "end_line": 19}, (10, 20)),
        ({"path": "a", "view_range": [759, 850]}, (759, 851)),
        ({"q": "x", "page": 3}, (3, 4)),
        ({"q": "x", "page": "3"}, (3, 4)),
        ({"command": "sed -n '10,18p' a.c"}, (10, 19)),
        ({"path": "a"}, None),
        ({"path": "a", "offset": True}, None),
        ({"path": "a", "offset": float("nan")}, None),
    ],
)
def test_the_window_of_it(args: Any, region: tuple[int, int] | None) -> None:
    assert ask(args).region == region


def test_ids_words_and_numbers_are_told_apart() -> None:
    found = ask({"id": "c-017", "city": "Graz", "n": 12})
    # A value of one word is a name, and a serial number is counted through as a number is.
    assert (len(found.ids), len(found.words), len(found.numbers)) == (2, 1, 2)


def test_a_word_and_its_number_are_one_thing() -> None:
    one, other = ask({"to": "desk 2"}), ask({"to": "desk 3"})
    assert set(one.ids).isdisjoint(other.ids)
    assert one.words == other.words


def test_scripts_without_blanks_have_words() -> None:
    assert len(ask({"q": "料金の改定について"}).words) >= 3


def test_content_is_long_or_has_lines() -> None:
    assert ask({"text": "a\nb"}).body != 0
    assert ask({"text": "short"}).body == 0
    assert ask({"text": "x" * 200}).body != 0
    one, other = ask({"text": "run 1 of 9\nok"}), ask({"text": "run 2 of 9\nok"})
    assert one.body != other.body
    assert one.body_shape == other.body_shape


def test_prose_is_several_words() -> None:
    assert ask({"t": "All the work is done and checked."}).prose
    assert ask({"t": "作業はすべて完了しました。確認済みです。"}).prose
    assert not ask({"t": "src/a.py"}).prose
    assert not ask({"c": "ls -la /srv | head -3"}).prose


def test_any_value_gives_an_answer() -> None:
    for args in (None, 3, "ls", [], [1, [2]], {"a": {"b": [None, True]}}, b"x", {1: 2}, float("nan")):
        assert len(ask(args).call) == 16
