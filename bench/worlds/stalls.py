"""Every kind of stall by what happens, over any world, and what a detector may call it."""

from collections.abc import Callable

import msgspec

from bench.worlds.acts import Act
from bench.worlds.world import World

Drive = Callable[[World, int], None]
"""Acts in the world for at least that many rounds."""


class Stall(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of stall."""

    run: Drive
    lead: Callable[[World], None] | None = None
    """What comes before the onset and is healthy: the first sweep, the job that was started."""
    accepts: frozenset[str]
    """Reasons that are right."""
    hashes: bool = False
    """Without hashes of states nobody could tell it from work."""
    clock: bool = False
    """Without time stamps nobody could tell it from patience."""
    asks: bool = False
    """By design a person may be asked, the run is never halted."""


def _loop(w: World, rounds: int, acts: Callable[[int], list[Act]], *, wide: bool = False) -> None:
    """Laps until enough rounds went by, some followed by a stray step. `wide`: in some runs two or three in a turn."""
    end, k = w.tape.rounds + rounds, 0
    width = w.rng.choice((1, 1, 1, 1, 1, 2, 3)) if wide else 1
    while w.tape.rounds < end:
        if width > 1:
            w.tape.together(*(act for lap in range(k, k + width) for act in acts(lap)))
        else:
            w.tape.do(*acts(k))
        if w.rng.random() < w.tape.stray:
            w.tape.do(w.aside())
        k += width


def exact_repeat(w: World, rounds: int) -> None:
    same = w.rng.randrange(3)
    _loop(w, rounds, lambda _: [w.place(0) if same == 0 else w.reworded(0) if same == 1 else w.never()])


def call_cycle(w: World, rounds: int) -> None:
    period = w.rng.randint(2, 6)
    makers: list[Callable[[], Act]] = [lambda i=i: w.place(i) for i in range(5)]  # type: ignore[misc]
    makers += [lambda: w.reworded(0), lambda: w.window(3, 9), w.never, lambda: w.unchanged(0)]
    chosen = w.rng.sample(makers, period)
    _loop(w, rounds, lambda k: [chosen[k % period]()])


def reworded_query(w: World, rounds: int) -> None:
    _loop(w, rounds, lambda k: [w.reworded(k)], wide=True)


def cover(w: World) -> None:
    """The long place is read once, in chunks."""
    size = w.rng.choice((20, 25, 30))
    w.tape.do(*(w.window(first, size) for first in range(0, w.length(), size)))


def rereading(w: World, rounds: int) -> None:
    def shifted(_: int) -> list[Act]:
        size = w.rng.randint(8, 34)
        return [w.window(w.rng.randrange(w.length() - size), size)]

    _loop(w, rounds, shifted, wide=True)


def _pass(w: World, n: int, width: int = 1) -> None:
    """Places 0 … n - 1 read, `width` in a turn."""
    for first in range(0, n, width):
        w.tape.together(*(w.place(i) for i in range(first, min(n, first + width))))


def _width(w: World) -> int:
    return w.rng.choice((1, 1, 1, 2, 3))


def read_then_compacted(w: World) -> None:
    """The working set is read, lost, and read once more: that pass is free."""
    _pass(w, 6)
    w.tape.do(w.plan())
    w.tape.compaction()
    _pass(w, 6)


def reread_after_compactions(w: World, rounds: int) -> None:
    end, width = w.tape.rounds + rounds, _width(w)
    while w.tape.rounds < end:
        w.tape.compaction()
        _pass(w, 6, width)
        w.tape.do(w.plan())


def one_cause(w: World, rounds: int) -> None:
    _loop(w, rounds, lambda k: [w.denied(k)], wide=True)


def noop_write(w: World, rounds: int) -> None:
    _loop(w, rounds, lambda k: [w.unchanged(k)])


def undone_write(w: World, rounds: int) -> None:
    look = w.rng.random() < 0.4
    _loop(w, rounds, lambda k: [w.flip(k), w.place(1)] if look and k % 3 == 2 else [w.flip(k)])


def cosmetic_write(w: World, rounds: int) -> None:
    handed = w.rng.random() < 0.4
    _loop(w, rounds, lambda k: [w.touch_up(k), w.hand_in(k)] if handed else [w.touch_up(k)])


def start_frozen(w: World) -> None:
    """A job is started and moves a little."""
    for act in w.freeze():
        w.tape.do(act)
        w.tape.wait(20)


def tight_poll(w: World, rounds: int) -> None:
    w.tape.dialect.think = w.rng.uniform(1.0, 3.5)
    _loop(w, rounds, lambda _: [w.frozen()])


def wait_never_started(w: World, rounds: int) -> None:
    pause = w.rng.choice((5, 10, 20, 30))
    split = w.rng.random() < 0.5
    rest = Act("wait.time", {"seconds": pause}, w.words.say("ok"), f"sleep {pause}", 0, took=pause)

    def lap(_: int) -> list[Act]:
        if not split:
            w.tape.wait(pause)
            return [w.never()]
        return [rest, w.never()]

    _loop(w, rounds, lap)


def noop_calls(w: World, rounds: int) -> None:
    _loop(w, rounds, lambda k: [w.idle(k)])


def cover_core(w: World) -> None:
    """Two thirds of the long place are read once."""
    core = w.length() * 2 // 3
    w.tape.do(*(w.window(first, min(30, core - first)) for first in range(0, core, 30)))


def one_place_varied(w: World, rounds: int) -> None:
    _loop(w, rounds, lambda k: [w.variant(k)], wide=True)


def scores_that_rise(w: World) -> None:
    """Some rounds in which the score goes up."""
    for k in range(4):
        w.tape.do(*w.scored(k, 0.4 + 0.08 * k, small=False))


def score_plateau(w: World, rounds: int) -> None:
    small, best = w.rng.random() < 0.5, 0.64
    spread = w.rng.choice((0.0, 0.004, 0.03))
    _loop(w, rounds, lambda k: w.scored(k, round(best - spread * w.rng.random(), 4), small=small))


def fix_same_outcome(w: World, rounds: int) -> None:
    _loop(w, rounds, w.attempt)


def recreate_exists(w: World, rounds: int) -> None:
    _loop(w, rounds, w.recreate)


def paraphrased_delegate(w: World, rounds: int) -> None:
    _loop(w, rounds, lambda k: [w.delegate(k)])


def malformed_calls(w: World, rounds: int) -> None:
    _loop(w, rounds, lambda k: [w.malformed(k)])


def eight_places(w: World) -> None:
    """Eight places are read, once each."""
    _pass(w, 8)


def second_sweep(w: World, rounds: int) -> None:
    end, order, width = w.tape.rounds + rounds, list(range(8)), _width(w)
    while w.tape.rounds < end:
        if w.rng.random() < 0.4:
            w.rng.shuffle(order)
        for first in range(0, 8, width):
            w.tape.together(*(w.place(i) for i in order[first : first + width]))
            if first // width % 3 == 2:
                w.tape.do(w.aside())


def dead_control(w: World, rounds: int) -> None:
    _loop(w, rounds, lambda _: [w.dead()])


def _reasons(text: str) -> frozenset[str]:
    return frozenset(text.split())


STALLS: dict[str, Stall] = {
    "exact_repeat": Stall(run=exact_repeat, accepts=_reasons("exact_repeat no_news idle_wait rereading")),
    "call_cycle": Stall(
        run=call_cycle, accepts=_reasons("oscillation exact_repeat no_news rereading write_churn idle_wait")
    ),
    "reworded_query": Stall(run=reworded_query, accepts=_reasons("no_news same_error exact_repeat")),
    "rereading": Stall(run=rereading, lead=cover, accepts=_reasons("rereading no_news")),
    "reread_after_compactions": Stall(
        run=reread_after_compactions,
        lead=read_then_compacted,
        accepts=_reasons("rereading exact_repeat oscillation no_news"),
    ),
    "one_cause": Stall(run=one_cause, accepts=_reasons("same_error")),
    "noop_write": Stall(run=noop_write, accepts=_reasons("write_churn no_news exact_repeat"), hashes=True),
    "undone_write": Stall(run=undone_write, accepts=_reasons("write_churn oscillation exact_repeat")),
    "cosmetic_write": Stall(run=cosmetic_write, accepts=_reasons("write_churn no_news exact_repeat")),
    "tight_poll": Stall(
        run=tight_poll, lead=start_frozen, accepts=_reasons("idle_wait exact_repeat no_news"), clock=True
    ),
    "wait_never_started": Stall(
        run=wait_never_started, accepts=_reasons("idle_wait exact_repeat no_news oscillation"), clock=True
    ),
    "noop_calls": Stall(
        run=noop_calls, accepts=_reasons("no_news exact_repeat idle_wait write_churn oscillation")
    ),
    "one_place_varied": Stall(run=one_place_varied, lead=cover_core, accepts=_reasons("rereading no_news")),
    "score_plateau": Stall(
        run=score_plateau,
        lead=scores_that_rise,
        accepts=_reasons("no_progress no_news write_churn"),
        asks=True,
    ),
    "fix_same_outcome": Stall(
        run=fix_same_outcome, accepts=_reasons("no_news same_error exact_repeat write_churn oscillation")
    ),
    "recreate_exists": Stall(
        run=recreate_exists, accepts=_reasons("same_error no_news write_churn oscillation")
    ),
    "paraphrased_delegate": Stall(
        run=paraphrased_delegate, accepts=_reasons("no_news exact_repeat rereading")
    ),
    "malformed_calls": Stall(run=malformed_calls, accepts=_reasons("same_error no_news")),
    "second_sweep": Stall(
        run=second_sweep, lead=eight_places, accepts=_reasons("rereading no_news exact_repeat oscillation")
    ),
    "dead_control": Stall(
        run=dead_control, accepts=_reasons("write_churn exact_repeat no_news"), hashes=True
    ),
}
