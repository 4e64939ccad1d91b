"""Answers as lines: the same facts in other wrappers, echoes, lists, bounds."""

import json
from typing import Any

from detectors.canonical import VOLATILE_IN_ANSWERS
from detectors.lines import Lines, answer_bytes, lines


def of(result: Any, texts: list[str] | None = None, bound: int = 256) -> Lines:
    return lines(result, answer_bytes(result), texts or [], VOLATILE_IN_ANSWERS, bound)


def test_only_numbers_differ_same_shape_other_exact() -> None:
    one, other = of("12 rows\nready"), of("13 rows\nready")
    assert one.shapes == other.shapes
    assert one.exact != other.exact
    assert one.exact[1] == other.exact[1]


def test_the_same_text_in_a_wrapper_has_the_same_lines() -> None:
    text = "alpha is here\nbeta is there"
    plain = set(of(text).exact)
    assert plain <= set(of({"content": [{"type": "text", "text": text}]}).exact)
    assert plain <= set(of(json.dumps({"output": text, "took_ms": 12})).exact)


def test_indentation_gutters_and_line_ends_do_not_count() -> None:
    assert of("    1  alpha beta\n    2  gamma").exact == of("alpha beta\ngamma").exact
    assert of("alpha\r\nbeta").exact == of("alpha\nbeta").exact
    assert of("  alpha  \n\n beta").exact == of("alpha\nbeta").exact


def test_volatile_keys_and_ranks_in_lists_go_a_lone_score_stays() -> None:
    assert of({"a": 1, "duration_ms": 5}).exact == of({"a": 1, "duration_ms": 9}).exact
    assert of([{"page": "x", "score": 0.6}]).exact == of([{"page": "x", "score": 0.4}]).exact
    assert of({"score": 0.6}).exact != of({"score": 0.4}).exact


def test_echoes_of_the_arguments_are_masked_between_borders() -> None:
    assert of("tick-01", ["cmd /c echo tick-01"]).echo
    assert not of("active", ["systemctl is-active app"]).echo
    one = of("Wrote 34 bytes to out/a.csv", ["out/a.csv"])
    other = of("Wrote 34 bytes to lib/b.csv", ["lib/b.csv"])
    assert one.exact == other.exact


def test_hollow_is_structured_and_nothing_in_it() -> None:
    empty: list[Any] = [[], {}, {"hits": []}, {"found": False, "n": 0}, "[]", '{"rows": null}']
    assert all(of(value).hollow for value in empty)
    assert not any(of(value).hollow for value in ("", "no", {"hits": ["a"]}, {"ok": True}))


def test_beyond_the_bound_the_smallest_hashes_are_kept() -> None:
    everything = of("\n".join(f"line {chr(97 + i % 26)}{'x' * (i // 26)}" for i in range(300)), bound=512)
    kept = of("\n".join(f"line {chr(97 + i % 26)}{'x' * (i // 26)}" for i in range(300)), bound=64)
    assert kept.total == 300
    assert kept.exact == sorted(everything.exact)[:64]


def test_long_prose_is_cut_at_sentences() -> None:
    sentence = "The night rate holds for every depot in the north of the country"
    text = f"{sentence}. Other things follow here and go on for quite a while. {'And more of it. ' * 12}"
    assert of(sentence + ".").exact[0] in of(text).exact


def test_first_fields_of_a_list_are_kept_for_worklists() -> None:
    found = of("c-001 Graz\nc-002 Porto\nc-003 Turku")
    assert len(found.heads) == 6
    assert of("one line only").heads == []


def test_numbers_of_a_short_answer_show_a_counter() -> None:
    one, other = of("call 4 made").numbers, of("call 5 made").numbers
    assert other[1] == one[0]
    assert other[0] != one[0]


def test_raw_bytes_cover_everything() -> None:
    assert answer_bytes("a\u00e9") == "a\u00e9".encode()
    assert answer_bytes(b"x") == b"x"
    assert answer_bytes({"b": 1}) == b'{"b":1}'
    deep: Any = 1
    for _ in range(10_000):
        deep = [deep]
    assert isinstance(answer_bytes(deep), bytes)
    assert isinstance(of(deep).exact, list)


def test_separators_of_thousands_split_no_number() -> None:
    assert _numbers_of("12,400 rows copied") == _numbers_of("12400 rows copied")
    assert _numbers_of("1,234,567 rows") == _numbers_of("1234567 rows")
    assert _numbers_of("cells 12,40 and 7") != _numbers_of("cells 1240 and 7")


def _numbers_of(text: str) -> list[int]:
    return lines(text, text.encode(), [], frozenset(), 256).numbers
