"""Which class an error's words belong to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.causes import cause
from detectors.error_classes import CLASSES


def classes(text: str) -> list[str]:
    """All that match, in order of precedence."""
    return [name for name, _, _, (_, anywhere) in CLASSES if anywhere.search(text)]


def code(text: str) -> str:
    return cause(text, 1, error=None, args=[]).code


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        (
            "uncallable",
            [
                "Error: unknown tool 'fetch_all'",
                "No such command 'lint'.",
                "unrecognised action: frob",
                "unsupported operation: delete",
                "Tool 'fetch' not found",
                "Function 'sum' does not exist",
                "function greet is not defined",
                "action deploy is not available",
                "'grep' is not a valid tool",
            ],
        ),
        (
            "malformed",
            [
                "Parameter 'path' is required",
                "the following arguments are required: src",
                "missing required argument: path",
                "f() missing 1 required positional argument: 'x'",
                "missing properties: id, name",
                "required property `id`",
                "invalid tool arguments: expected an object",
                "Invalid JSON at 1:7",
                "got an unexpected keyword argument 'x'",
                "value does not match the schema",
                "body does not conform to its schema",
            ],
        ),
        (
            "dns",
            ["no such host", "名前解決に失敗しました", "无法解析 h.example", "Host wurde nicht aufgelöst"],
        ),
        ("rate", ["HTTP 429", "Too many requests", "レート制限", "限流"]),
        (
            "denied",
            [
                "Zugriff verweigert",
                "Accès refusé",
                "acceso denegado",
                "Отказано в доступе",
                "权限不足",
                "권한이 없습니다",
            ],
        ),
        ("unavailable", ["502", "Service Unavailable", "サービスは利用できません", "服务不可用"]),
        ("refused", ["ECONNRESET", "Verbindung wurde abgelehnt", "conexión rechazada", "连接被拒绝"]),
        ("timeout", ["timed out", "Zeitüberschreitung", "délai d'attente dépassé", "超时", "시간이 초과"]),
        ("disk", ["No space left on device", "ENOSPC"]),
        ("memory", ["OOMKilled", "Cannot allocate memory"]),
        ("locked", ["database is locked", "could not get lock /var/lib"]),
        (
            "missing",
            [
                "sh: x: command not found",
                "Datei nicht gefunden",
                "introuvable",
                "Не найден",
                "存在しません",
                "未找到",
            ],
        ),
    ],
)
def test_a_class_in_many_wordings(name: str, texts: list[str]) -> None:
    assert {text: classes(text)[:1] for text in texts} == {text: [name] for text in texts}


@pytest.mark.parametrize(
    "text",
    [
        "502 lines were read",
        "order 14290 is open",
        "all timers are set",
        "the tool is sharp",
        "3 arguments were given",
        "a valid command",
        "unknown",
    ],
)
def test_words_that_only_resemble_an_error_have_no_class(text: str) -> None:
    assert classes(text) == []


def test_what_cannot_be_called_comes_before_what_is_not_there() -> None:
    assert classes("tool 'fetch' not found") == ["uncallable", "missing"]
    assert classes("file 'fetch' not found") == ["missing"]


def test_a_fault_of_the_environment_comes_before_the_form_of_the_call() -> None:
    assert classes("403: parameter 'key' is missing")[0] == "denied"


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        ("unknown tool 'fetch_all'", "Unsupported tool: 'fetch_all'", "unknown tool 'fetch_one'"),
        ("parameter 'path' is required", "missing parameter 'path'", "parameter 'name' is required"),
    ],
)
def test_calls_that_cannot_be_made_are_class_and_object(one: str, same: str, other: str) -> None:
    assert code(one) == code(same) != code(other)
    assert code(one).partition(":")[0] == classes(one)[0]


def test_what_passes_by_itself_has_no_object() -> None:
    assert len({name for name, *_ in CLASSES}) == len(CLASSES)
    assert not [name for name, transient, with_object, _ in CLASSES if transient and with_object]
    assert {name for name, _, with_object, _ in CLASSES if with_object} == {
        "uncallable",
        "malformed",
        "missing",
    }


@given(st.text(st.characters(max_codepoint=127), max_size=30), st.sampled_from(range(len(CLASSES))))
def test_both_forms_of_a_pattern_find_the_same_in_plain_text(noise: str, at: int) -> None:
    in_low, in_any = CLASSES[at][3]
    for text in (noise, f"{noise} UNKNOWN Tool 'x' Timed Out 429 {noise}"):
        low, anywhere = in_low.search(text.lower()), in_any.search(text)
        assert (low and low.span()) == (anywhere and anywhere.span())


@pytest.mark.parametrize(
    "text",
    ["error: input file alpha.dat is missing", "Error: the input data for May are missing", "input is empty"],
)
def test_input_that_is_not_there_is_no_wrong_form_of_a_call(text: str) -> None:
    assert "malformed" not in classes(text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("uncallable", "Unbekannter Befehl: fix_vorschlagen"),
        ("uncallable", "Erreur : commande inconnue « proposer »"),
        ("uncallable", "未知命令: 提交"),
        ("malformed", "Parameter 'pfad' fehlt"),
        ("malformed", "Le paramètre « chemin » est manquant"),
        ("malformed", "缺少参数 path"),
    ],
)
def test_calls_that_cannot_be_made_are_told_in_several_languages(name: str, text: str) -> None:
    assert name in classes(text)
