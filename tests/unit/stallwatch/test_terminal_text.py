"""What comes from elsewhere cannot drive a terminal."""

from hypothesis import given
from hypothesis import strategies as st

from stallwatch.terminal_text import counted, printable, shortened

ANY = st.text(st.characters(codec=None), max_size=60)


def test_escape_sequences_and_line_ends_become_visible() -> None:
    assert printable("a\x1b[31mb\r\nc") == "a\\x1b[31mb\\r\\nc"
    assert printable("\ud800") == "\\ud800"
    assert printable("Grüße 測試") == "Grüße 測試"


@given(ANY)
def test_everything_becomes_printable_and_can_be_encoded(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    shown.encode()


@given(ANY, st.integers(3, 40))
def test_shortened_text_keeps_its_ends_and_its_width(text: str, width: int) -> None:
    shown = shortened(text, width)
    assert len(shown) <= width
    if len(printable(text)) > width:
        assert len(shown) == width
        assert "…" in shown
        assert printable(text)[0] == shown[0]
        assert printable(text)[-1] == shown[-1]


def test_counts_have_their_noun() -> None:
    assert counted(1, "step") == "1 step"
    assert counted(0, "step") == "0 steps"
    assert counted(12000, "step") == "12,000 steps"
