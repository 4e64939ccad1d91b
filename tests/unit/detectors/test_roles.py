"""What the keys of arguments are for."""

from detectors.roles import MAX_KEPT, roles


def test_the_key_that_comes_first_in_the_table_names_the_resource() -> None:
    assert roles(("url", "x", "path")).targets == (2, 0)
    assert roles(("path", "path")).targets == (0, 1)


def test_windows_cursors_and_commands() -> None:
    found = roles(("offset", "limit", "cursor", "cmd", ""))
    assert found.windows == ((0, "start"), (1, "count"))
    assert found.cursors == (2,)
    assert found.commands == (3, 4)


def test_very_long_names_say_the_same() -> None:
    assert roles(("k" * MAX_KEPT, "path")).targets == (1,)
