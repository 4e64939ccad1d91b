"""What a short answer is told in."""

from itertools import permutations

import pytest
import xxhash

from detectors.vocabulary import LIST, MAX_ISSUED, MAX_VOCAB, Told, told


def hashes(*texts: str) -> list[int]:
    return [xxhash.xxh32_intdigest(text.encode()) for text in texts]


def of(text: str, *, raw: str | None = None, listed: int = 0) -> Told:
    data = text.encode()
    figures = any(char.isdigit() for char in text)
    return told(data, data if raw is None else raw.encode(), figures=figures, listed=listed)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The gate is open", ["the", "gate", "is", "open"]),
        ("open, OPEN; (open)", ["open"]),
        ("Das Tor ist geöffnet", ["das", "tor", "ist", "geöffnet"]),
        ("Ворота открыты", ["ворота", "открыты"]),
        ("snake_case x 12", ["snake", "case"]),
        ("門は開いている", ["門は", "は開", "開い", "いて", "てい", "いる"]),
        ("tor 门 开着", ["tor", "开着"]),
        ("", []),
    ],
)
def test_words_are_lower_case_letters_and_pairs_where_a_script_has_no_blanks(
    text: str, words: list[str]
) -> None:
    assert of(text).vocab == hashes(*words)


def test_another_arrangement_has_the_same_words() -> None:
    told_so = {
        frozenset(of(" ".join(order)).vocab) for order in permutations(["Tarif", "gilt", "am", "Montag"])
    }
    assert len(told_so) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ticket TCK-4821 is open", "ticket TCK-9930 is open"),
        ("Vorgang V-48213 wartet\nbitte später", "Vorgang V-51777 wartet\nbitte später"),
        ("session a1b2c3 has begun", "session f9e8d7 has begun"),
    ],
)
def test_the_same_answer_about_another_instance_has_the_same_cores_and_words(one: str, other: str) -> None:
    assert of(one).cores
    assert (of(one).cores, of(one).vocab) == (of(other).cores, of(other).vocab)
    assert of(one).issued != of(other).issued


@pytest.mark.parametrize("text", ["12 of 40 rows", "3.5 MB are left", "no figures at all", "2026-05-11"])
def test_counts_and_measures_are_no_serial_numbers(text: str) -> None:
    found = of(text)
    assert (found.cores, found.issued) == ([], [])


def test_a_line_that_is_nothing_but_a_serial_number_leaves_no_core() -> None:
    assert of("TCK-4821\nis open").cores == hashes("is open")


@pytest.mark.parametrize(
    ("text", "figures"),
    [("12 of 40 rows", 2), ("1,234.5 kg", 1), ("10:30", 2), ("TCK-4821 is open", 1), ("none", 0)],
)
def test_figures_are_counted(text: str, figures: int) -> None:
    assert of(text).figures == figures


@pytest.mark.parametrize(
    ("raw", "tokens"),
    [
        ("opened session 7f3a9b1c2d3e, 12 rows", ["7f3a9b1c2d3e"]),
        ('{"id": "TCK-4821", "next": "TCK-4822"}', ["TCK-4821", "TCK-4822"]),
        ("Ticket K70031.", ["K70031"]),
        ("K70031 K70031", ["K70031"]),
        ("12 rows in 3 tables", []),
    ],
)
def test_serial_numbers_are_issued_as_they_stand_in_the_raw_answer(raw: str, tokens: list[str]) -> None:
    assert of("masked", raw=raw).issued == hashes(*tokens)


def test_a_list_to_work_through_issues_no_handles() -> None:
    text = "K70031\nK70032\nK70033\nK70034"
    assert len(of(text, listed=LIST - 1).issued) == 4
    assert of(text, listed=LIST).issued == []


def test_bounded() -> None:
    words = of(" ".join(f"word{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(200)))
    assert len(words.vocab) == MAX_VOCAB
    assert len(of("開" + "".join(chr(0x4E00 + i) for i in range(200))).vocab) == MAX_VOCAB
    assert len(of(" ".join(f"K{70000 + i}" for i in range(20))).issued) == MAX_ISSUED


def test_bytes_that_are_no_text_are_told_all_the_same() -> None:
    found = told(b"gate \xff\xfe open", b"\xff", figures=False, listed=0)
    assert set(hashes("gate", "open")) <= set(found.vocab)
