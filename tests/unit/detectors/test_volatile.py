"""What is scrubbed and, as important, what is not."""

import pytest

from detectors.volatile import core, has_serial, scrub, shape, without_gutter


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"done at 08:00:22 in 1.3s", b"done at 17:45:01 in 0.2s"),
        (b"2026-05-11T08:00:22.800Z start", b"2027-01-01T18:10:02.001Z start"),
        (b"2026-05-11 08:00:22 start", b"2026-11-30 21:00:59 start"),
        (b"took 12 ms", b"took 9 ms"),
        (b"took 3 minutes", b"took 17 minutes"),
        (b"object at 0x7f3a2b", b"object at 0x11ce00"),
        (b"request 9d0bf241a1 ok", b"request 835ad7451f ok"),
        (b"job 8d5f2a60-1c2b-4e3f-9a7b-0123456789ab", b"job 00000000-aaaa-4bbb-8ccc-1234567890ff"),
        (b"wrote /tmp/pytest-12/out.txt.", b"wrote /tmp/tmpab3/out.txt."),
        (b"epoch 1764521042123", b"epoch 1764521099999"),
        (b"pid 4411 listens", b"pid 98 listens"),
        (b"Process: 12 up", b"Process: 9911 up"),
        (b"on port 51234", b"on port 40001"),
    ],
)
def test_volatile_parts_go(one: bytes, other: bytes) -> None:
    assert scrub(one) == scrub(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"12 passed, 3 failed", b"13 passed, 2 failed"),
        (b"loss 3.809", b"loss 3.716"),
        (b"sha256:f4acbde27bdca0d9", b"sha256:a4acbde27bdca0d9"),
        (b"digest f4acbde27bdca0d9", b"digest a4acbde27bdca0d9"),
        (b"slot 10:30 free", b"slot 11:30 free"),
        (b"report 2026-05-10", b"report 2026-05-11"),
        (b"step 400/8000", b"step 800/8000"),
        (b"accede", b"decade"),
        (b"import os", b"import re"),
    ],
)
def test_what_may_be_the_news_stays(one: bytes, other: bytes) -> None:
    assert scrub(one) != scrub(other)


def test_text_without_digits_is_returned_as_it_is() -> None:
    text = b"no digits here, not even in /tmp or a pid"
    assert scrub(text) is text


def test_a_gutter_goes_where_most_lines_have_one() -> None:
    assert without_gutter(b"    1  import os\n    2  \n   10  x = 1") == b"import os\n\nx = 1"
    assert without_gutter(b"1:alpha\n2:beta") == b"alpha\nbeta"


def test_numbers_that_begin_a_text_are_no_gutter() -> None:
    text = b"3 apples\nand pears\nand plums\nand figs"
    assert without_gutter(text) == text


def test_the_shape_has_no_digits() -> None:
    assert shape(b"9 of 12 done") == shape(b"10 of 12 done") == b" of  done"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (b"order TCK-4821 is open", b"order TCK- is open"),
        (b"order ab12cd is open", b"order  is open"),
        (b"order 7f3a is open", b"order  is open"),
        (b"12kg of 40kg", b" of "),
        (b"no digits", b"no digits"),
        ("Größe 12 m².".encode(), "Größe  m².".encode()),
    ],
)
def test_the_shape_has_no_letters_that_stand_with_digits_either(text: bytes, left: bytes) -> None:
    assert shape(text) == left


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"order SO48213 is open", b"order SO51777 is open"),
        (b"ticket TCK-4821 is open", b"ticket AB_993 is open"),
        (b"K70031 is closed", b"K123 is closed"),
        (b"session a1b2c3 has begun", b"session f9e8d7c has begun"),
        (b"part 7f3a is new", b"part 12ab is new"),
        ("für V-20455 gilt".encode(), "für W-991 gilt".encode()),
    ],
)
def test_the_core_has_no_serial_numbers(one: bytes, other: bytes) -> None:
    assert core(one) == core(other) != one


@pytest.mark.parametrize(
    "token",
    [
        b"12 of 40",
        b"9999",
        b"12400",
        b"12400 rows",
        b"10000000",
        b"3.5",
        b"12345.50",
        b"1,234,567",
        b"10:30",
        b"2026-05-11",
        b"200ms",
        b"12b",
        b"x86",
        b"utf8",
        b"v1.2.3",
        b"item-12",
        b"deadbeef",
        b"route",
    ],
)
def test_counts_measures_and_words_are_no_serial_numbers(token: bytes) -> None:
    assert not has_serial(token)
    assert core(token) == token


@pytest.mark.parametrize(
    "token",
    [b"id=48213", b"#48213", b"TCK-4821", b"INV_001", b"K7000", b"ab12c", b"1a2b", b"item-123", b"a1b2c3d4"],
)
def test_serial_numbers_are_told_from_counts(token: bytes) -> None:
    assert has_serial(token)
    assert core(b"<" + token + b">") in {b"<>", b"<id=>", b"<#>"}
