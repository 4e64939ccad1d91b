"""What is scrubbed and, as important, what is not."""

import pytest

from detectors.volatile import scrub, shape, without_gutter


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
