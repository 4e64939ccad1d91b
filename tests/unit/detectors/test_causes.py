"""One cause behind many wrappers is one; different causes in one wrapper are not."""

import pytest

from detectors.causes import cause, failed


def code(text: str, args: list[str] | None = None, error: str | bool | None = None) -> str:
    return cause(text, text.count("\n") + 1, error=error, args=args or []).code


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        (
            "dns",
            [
                "ping: h.example: Temporary failure in name resolution",
                "curl: (6) Could not resolve host: h.example",
                "urllib.error.URLError: <urlopen error [Errno -2] Name or service not known>",
                "fetch failed: getaddrinfo ENOTFOUND h.example",
                "net::ERR_NAME_NOT_RESOLVED at https://h.example/",
                "名前解決に失敗しました",
            ],
        ),
        (
            "denied",
            [
                "ops@h: Permission denied (publickey).",
                '{"status": 403, "message": "Forbidden"}',
                "Error: writing to 'a' is not allowed in read-only mode",
                "Zugriff verweigert",
                "权限不足",
            ],
        ),
        ("refused", ["connect ECONNREFUSED 127.0.0.1:5432", "connection refused", "Connexion refusée"]),
        ("timeout", ["Request timed out after 30 s", "context deadline exceeded", "タイムアウトしました"]),
        ("unavailable", ["FATA: 503 Service Unavailable (request 1f)", "502 Bad Gateway"]),
    ],
)
def test_one_class_in_many_wrappers(name: str, texts: list[str]) -> None:
    assert {code(text) for text in texts} == {name}


def test_not_found_is_class_and_object() -> None:
    missing = [
        code("bash: python: command not found"),
        code("ModuleNotFoundError: No module named 'django'"),
        code("ls: cannot access 'a/b': No such file or directory"),
        code("ModuleNotFoundError: No module named 'flask'"),
    ]
    assert all(found.startswith("missing:") for found in missing)
    assert len(set(missing)) == 4
    assert code("python: command not found") == code("sh: 1: python: not found")


def test_numbers_paths_and_quotes_do_not_make_another_cause() -> None:
    one = code("No sufficiently similar match (44% similar, needs 90%). Best guess near line 11.")
    other = code("No sufficiently similar match (39% similar, needs 90%). Best guess near line 6.")
    assert one == other
    assert code("SyntaxError in /a/b.py at 3") == code("SyntaxError in /c/d.py at 71")
    assert code("cannot merge src/a.ts", ["src/a.ts"]) == code("cannot merge lib/b.ts", ["lib/b.ts"])


def test_a_report_is_known_by_its_failing_lines() -> None:
    head = "test session starts\ncollected 9 items\n\n"
    tail = "\n\nshort summary\n"
    one = code(f"{head}FAILED test_a.py::test_sum - assert 4 == 5{tail}1 failed in 0.31s\nbye\n")
    again = code(f"{head}FAILED test_a.py::test_sum - assert 4 == 5{tail}1 failed in 2.02s\nbye\n")
    other = code(f"{head}FAILED test_a.py::test_mul - assert 4 == 5{tail}1 failed in 0.31s\nbye\n")
    assert one == again != other


def test_faults_that_may_pass_are_marked() -> None:
    assert cause("503 Service Unavailable", 1, error=None, args=[]).transient
    assert not cause("permission denied", 1, error=None, args=[]).transient


def test_the_error_text_counts_where_the_answer_is_silent() -> None:
    assert code("", error="connection refused") == "refused"


@pytest.mark.parametrize(
    ("text", "lines", "exit_code", "error", "wrong"),
    [
        ("", 0, 1, None, False),
        ("FAILED one", 1, 1, None, True),
        ("", 0, 2, None, True),
        ("anything", 1, 0, None, False),
        ("anything", 1, None, True, True),
        ("anything", 1, None, "bad", True),
        ("Error: no such host", 1, None, None, True),
        ("Traceback (most recent call last):\n  x\nKeyError: 'a'", 3, None, None, True),
        ("errors: 0\nwarnings: 2", 2, None, None, False),
        ("a long report\n" * 20, 20, None, None, False),
    ],
)
def test_what_counts_as_a_failure(
    text: str, lines: int, exit_code: int | None, error: str | bool | None, wrong: bool
) -> None:
    assert failed(text, lines, exit_code=exit_code, error=error) == wrong
