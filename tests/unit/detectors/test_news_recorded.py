"""What recorded runs taught of news: answers known byte for byte, texts handed in again, records shown by a change."""

import pytest
from test_news import Run

from detectors.dryness import dryness
from detectors.events import Step
from detectors.features import features
from detectors.judge import judge_step
from detectors.memory import LINES, Memory
from detectors.rules import Rules


def _weights(calls: list[tuple[str, object, object]]) -> list[float]:
    memory, rules = Memory(), Rules()
    out = []
    for seq, (tool, args, result) in enumerate(calls):
        step = Step(run_id="r", seq=seq, tool=tool, args=args, result=result)
        judge_step(memory, step, features(step, rules), rules)
        out.append(memory.weight)
    return out


@pytest.mark.parametrize(
    ("tool", "answer"),
    [
        (
            "apply_patch",
            "The patch misses a line of the report.\nLines to be changed: [184].\nHand in all of them.",
        ),
        ("régler", "La correction ne touche pas toutes les lignes.\nÀ changer : [77].\nDonnez-les toutes."),
    ],
)
def test_byte_for_byte_an_earlier_answer_is_known_whatever_of_it_the_arguments_mask(
    tool: str, answer: str
) -> None:
    run = Run()
    lines = answer.split("\n")
    assert run(tool, {"change": "first try"}, answer).unseen == 3
    assert run(tool, {"change": lines[1]}, answer).unseen == 0
    assert run(tool, {"change": lines[1]}, answer + "\nsomething else").unseen > 0


def test_an_equal_answer_of_the_same_call_is_known_though_its_lines_are_forgotten() -> None:
    run = Run()
    answer = "alpha is here\nbeta is there"
    run("look", {"at": "a"}, answer)
    for generation in range(2):
        run.memory.lines.add(LINES, range(generation * 10**6, generation * 10**6 + LINES + 1))
    seen = run("look", {"at": "a"}, answer)
    assert (seen.unseen, seen.same, seen.known, seen.fresh) == (0, True, True, False)


@pytest.mark.parametrize("tool", ["write_fix", "einreichen"])
def test_who_hands_in_a_text_again_is_not_waiting(tool: str) -> None:
    text = "def total(rows):\n    return sum(row.amount for row in rows)\n"
    run = Run()
    run("start_job", {"name": "nightly"}, "started")
    run(tool, {"text": text}, "The change misses line 184 of the report, hand in all of them")
    again = run(tool, {"text": text}, "The change misses line 184 of the report, hand in all of them")
    assert (again.same, again.patience) == (True, "")
    run("state", {"of": "nightly"}, "nothing to see so far")
    assert run("state", {"of": "nightly"}, "nothing to see so far").patience == "weak"


@pytest.mark.parametrize(
    ("change", "record"),
    [
        ("modify_order_address", {"order": "W-4417", "lines": ["lamp", "desk lamp", "oak desk", "chair"]}),
        (
            "update_ticket",
            {"ticket": "T-90", "notes": ["asked for a date", "date given", "closed once", "open"]},
        ),
    ],
)
def test_a_change_that_shows_a_known_record_weighs_little(change: str, record: dict[str, object]) -> None:
    shown = {
        **record,
        "text": "a long description of the record, as every answer of this service has it " * 5,
    }
    calls: list[tuple[str, object, object]] = [
        ("get_record", {"id": "W-4417"}, shown),
        (change, {"id": "W-4417", "street": "12 Mill Lane", "zip": "40213"}, shown),
    ]
    assert 0 < _weights(calls)[1] <= 0.1
    assert _weights([calls[0], ("render_record", calls[1][1], shown)])[1] > 0.1


def test_an_empty_text_in_a_wrapper_is_silence() -> None:
    for result in ("", {"output": "", "exit_code": 0}, '{"stdout": "", "duration_ms": 12}'):
        step = Step(run_id="r", seq=0, tool="sh", args={"command": "mkdir -p out"}, result=result)
        f = features(step, Rules())
        assert (f.total, f.empty, f.tone) == (0, True, ""), result
    nothing = features(Step(run_id="r", seq=0, tool="find", args={"q": "x"}, result={"rows": []}), Rules())
    assert (nothing.total, nothing.tone) == (1, "negative")


def test_a_plan_changes_no_world() -> None:
    run = Run()
    run("look", {"at": "a"}, "alpha is here")
    run("todo_update", {"items": ["first", "second"]}, "updated")
    assert not run("look", {"at": "a"}, "alpha is here").changed_world
    run("add_user", {"name": "Ida"}, "added")
    assert run("look", {"at": "a"}, "alpha is here").changed_world


@pytest.mark.parametrize(
    ("check", "change", "answers"),
    [
        ("make test", "edit_file", ("1 failed: test_total is off by one", "edited")),
        ("npm run check", "patcher", ("error TS2322 in rows.ts: text is no number", "done")),
    ],
)
def test_one_more_change_against_an_unmoved_failure_lowers_nothing(
    check: str, change: str, answers: tuple[str, str]
) -> None:
    failure, done = answers
    memory, rules = Memory(), Rules()
    fell = []
    for seq in range(24):
        edit = seq % 2
        step = Step(
            run_id="r",
            seq=seq,
            tool=change if edit else "sh",
            args={"path": "rows.ts", "old": f"limit {seq}", "new": f"limit {seq + 40}"}
            if edit
            else {"command": check},
            result=done if edit else failure,
            exit_code=None if edit else 1,
        )
        before = dryness(memory)
        judge_step(memory, step, features(step, rules), rules)
        fell.append(edit == 1 and dryness(memory) < before)
    assert any(fell[:6])
    assert not any(fell[14:])


@pytest.mark.parametrize("tool", ["shell", "befehl"])
def test_a_change_that_shows_itself_is_no_empty_echo(tool: str) -> None:
    def edit(old: str, new: str) -> tuple[str, object, object]:
        command = f"python3 edit.py lib/hinge.ts <<'EOF'\n-  {old}\n+  {new}\nEOF"
        return tool, {"command": command}, f"--- lib/hinge.ts\n+++ lib/hinge.ts\n-  {old}\n+  {new}"

    edits = [
        edit(f"const {word} = {n}", f"let {word}s = {n + 70}") for n, word in enumerate(("oak", "elm", "ash"))
    ]
    assert max(_weights(edits)) <= 0.1
    echoes: list[tuple[str, object, object]] = [
        (tool, {"command": f"echo {word}"}, word) for word in ("thinking", "wondering", "pausing")
    ]
    assert _weights(echoes)[-1] == 1.0


@pytest.mark.parametrize(("passed", "seconds"), [("passed", 12.0), ("bestanden", 20.0)])
def test_trials_that_take_time_and_are_counted_are_no_busy_loop(passed: str, seconds: float) -> None:
    def last(gap: float) -> float:
        memory, rules = Memory(), Rules()
        for n in range(1, 6):
            answer = f"run {n}: {passed} (0 of {n} went wrong)"
            step = Step(
                run_id="r", seq=n, tool="sh", args={"command": "make once"}, result=answer, ts=1e9 + n * gap
            )
            judge_step(memory, step, features(step, rules), rules)
        return memory.weight

    assert last(seconds) == 0.5
    assert last(0.8) >= 1.0


@pytest.mark.parametrize(
    ("nothing", "one", "two", "other"),
    [("no matches", "beacon", "drawer", "get max"), ("該当なし", "anker", "säule", "hol alle")],
)
def test_after_a_long_walk_another_name_of_known_words_is_another_spelling(
    nothing: str, one: str, two: str, other: str
) -> None:
    get, most = other.split()
    spellings = f"{one}_{two} {one}{two.title()} {one.title()}{two.title()} {two}_{one} {one}-{two}"
    spellings += f" {one.upper()}_{two.upper()}"
    spellings += f" {one}.{two} {most}_{one} {one}_{most} {one}s_{two} {get}_{one}_{two}"
    things = "ferry ledger canal oven pillar margin sensor hinge voucher window tunnel"
    last = [
        _weights(
            [
                ("search", {"q": name, "path": path, "mode": "-rn"}, nothing)
                for name, path in zip(names.split(), _PLACES, strict=False)
            ]
        )[-1]
        for names in (spellings, things)
    ]
    assert last[0] > 0.5
    assert last[1] <= 0.3


_PLACES = ("src", "lib", "app", "pkg") * 3


def test_a_command_about_nothing_ends_no_thinking() -> None:
    thoughts = [
        f"I could look at the {word} again" for word in ("yard", "meadow", "hall", "barn", "field", "gate")
    ]
    idle: list[tuple[str, object, object]] = []
    busy: list[tuple[str, object, object]] = []
    for n, thought in enumerate(thoughts):
        think = ("think", {"thought": thought}, "Noted.")
        idle += [think, ("sh", {"command": ":" if n % 2 else "true"}, "")]
        busy += [think, ("sh", {"command": f"cat notes/{n}.md"}, f"the {n}th note, on {thought[-12:]}")]
    assert _weights(idle)[-2] > 0.5
    assert max(_weights(busy)) <= 0.3
