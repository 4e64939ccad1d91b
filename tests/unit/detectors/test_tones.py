"""The tone of short answers, in several languages."""

import pytest

from detectors.tones import SHORT, Tone, tone


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ok", "ack"),
        ("Section accepted; it stays open.", "ack"),
        ("Der Datensatz wurde gespeichert", "ack"),
        ("已保存", "ack"),
        ("保存しました", "ack"),
        ("no matches", "negative"),
        ("Keine Treffer", "negative"),
        ("該当するページは見つかりませんでした", "negative"),
        ("0 results", "negative"),
        ("found 0 rows in 3 tables", "negative"),
        ("10 rows", ""),
        ("found 20 results", ""),
        ("5,710 rows", ""),
        ("3.0 hits per page", ""),
        ("running 1/5", "underway"),
        ("unit QUEUED\ne2e IN_PROGRESS", "underway"),
        ("処理中です", "underway"),
        ("exited (code 0)", "over"),
        ("finished, 3 artefacts", "over"),
        ("the node is normal", ""),
        ("active", ""),
        ("", ""),
    ],
)
def test_tones(text: str, expected: Tone) -> None:
    assert tone(text, hollow=False) == expected


def test_structure_comes_before_words() -> None:
    assert tone("ok", hollow=True) == "negative"


def test_long_answers_have_no_tone() -> None:
    assert tone("ok " * SHORT, hollow=False) == ""
