"""Large values are cut to their size, readable and whole in their characters."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stallwatch.clients.cut import fit


def encoded(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def test_what_fits_is_the_same_bytes() -> None:
    data = encoded("x" * 254)
    assert fit(data, 256) is data


def test_a_text_keeps_its_beginning_and_its_end() -> None:
    whole = "BEGIN" + "x" * 100_000 + "END"
    kept = json.loads(fit(encoded(whole), 1000))
    assert kept.startswith("BEGINx")
    assert kept.endswith("xEND")
    assert "cut by stallwatch: 100010 bytes" in kept
    assert 950 <= len(encoded(kept)) <= 1000


def test_a_structure_keeps_its_form() -> None:
    whole = {"command": "pytest -q", "content": "y" * 50_000, "lines": [1, 2, 3]}
    kept = json.loads(fit(encoded(whole), 4096))
    assert kept["command"] == "pytest -q"
    assert kept["lines"] == [1, 2, 3]
    assert kept["content"].startswith("yyy")
    assert len(kept["content"]) > 1500


def test_a_structure_of_many_small_values_becomes_its_text() -> None:
    kept = json.loads(fit(encoded([{"n": n} for n in range(10_000)]), 2048))
    assert isinstance(kept, str)
    assert kept.startswith('[{"n"')


@given(
    st.recursive(
        st.text(max_size=400) | st.integers() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=40,
    ),
    st.integers(256, 1024),
)
def test_any_value_fits_any_limit(value: object, limit: int) -> None:
    cut = fit(encoded(value), limit)
    assert len(cut) <= limit
    json.loads(cut.decode())


@pytest.mark.parametrize("character", ["\x00", '"', "é", "😀", "\\"])
def test_characters_of_every_width_are_cut_whole(character: str) -> None:
    cut = fit(encoded(character * 5000), 300)
    assert len(cut) <= 300
    kept = json.loads(cut)
    assert kept.count(character) >= 15
    assert set(kept.split("\n[cut")[0]) == {character}
