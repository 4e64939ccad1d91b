"""The quick way to a tone gives what a plain search over all words gives."""

from hypothesis import given
from hypothesis import strategies as st

from detectors import tones
from detectors.tones import SHORT, tone


def plain(text: str) -> str:
    if not text or len(text) > SHORT:
        return ""
    return tones._toned(
        text, tones._UNDERWAY.pattern, tones._NEGATIVE.pattern, tones._ACK.pattern, tones._OVER.pattern
    )


WORDS = sorted(
    {
        part.replace("\\", "")
        for words in tones._IN_ORDER
        for part in words.pattern.pattern.replace("\\b", "").split("|")
    }
)
texts = st.lists(
    st.one_of(
        st.sampled_from(WORDS),
        st.sampled_from(WORDS).map(str.upper),
        st.sampled_from(WORDS).map(lambda word: word + "ing"),
        st.sampled_from(WORDS).map(lambda word: "x" + word),
        st.sampled_from(
            ["foo", "bar_baz", "no_", "_ok", "in", "progress", "not", "ready", "0", "results", "İ", "ß"]
        ),
        st.text(max_size=6),
    ),
    max_size=8,
).flatmap(lambda parts: st.sampled_from([" ", "_", "-", ", ", "\n", ""]).map(lambda sep: sep.join(parts)))


@given(texts)
def test_the_same_tone(text: str) -> None:
    assert tone(text, hollow=False) == plain(text)
