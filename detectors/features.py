"""A step's features: stateless, so it may run at the edge or in the worker."""

from detectors.arguments import Asked, asked
from detectors.canonical import (
    VOLATILE_IN_ANSWERS,
    VOLATILE_KEYS,
    digest,
    key_form,
    short,
    text_bytes,
    volatile_keys,
)
from detectors.causes import cause, failed
from detectors.effects import declared, is_wait, named
from detectors.events import Step
from detectors.feature_types import ALGO, Features, Tone
from detectors.lines import answer_bytes, lines
from detectors.parameters import Fingerprints
from detectors.rules import Rules
from detectors.tones import SHORT, tone

_MAX_SAID = 16
_SAYS = 4
"""Lines up to which an answer has a tone."""


def features(step: Step, rules: Rules) -> Features:
    """Digests and labels of one step; the step's own `features` where it carries them.

    Total: any JSON value gives features. O(size of arguments and result).
    """
    if step.features is not None:
        return step.features
    in_args, in_answers = _volatile(rules.fingerprints)
    ask = asked(step.tool, step.args, in_args)
    raw = answer_bytes(step.result)
    found = lines(step.result, raw, ask.texts, in_answers, rules.fingerprints.max_lines)
    size = len(raw)
    text = found.text.decode("utf-8", "replace") if size <= SHORT else ""
    head = text or found.text[:8000].decode("utf-8", "replace")
    wrong = failed(head, found.total, exit_code=step.exit_code, error=step.error)
    code, transient = "", False
    if wrong:
        code, transient = cause(head, found.total, error=step.error, args=ask.texts)
    effect = declared(step.effect) if step.effect is not None else None
    negative = found.hollow or (step.exit_code == 1 and not wrong)
    said: Tone = "" if wrong else tone(text if found.total <= _SAYS else "", hollow=negative)
    # By position: thirty names in a call cost more than the hashing of two kilobytes.
    return Features(
        ALGO,
        ask.call,
        digest(raw),  # answer
        found.exact,  # lines
        found.shapes,
        found.total,
        found.heads,
        found.numbers,
        effect or named(step.tool),  # effect
        effect is not None,  # declared
        said,  # tone
        wrong,  # failed
        code,  # cause
        transient,
        found.echo,
        found.own,
        not found.exact and step.result is not None,  # empty
        step.result is None and step.exit_code is None and step.error is None,  # missing
        size,
        _target(step, ask),  # target
        ask.region,
        ask.cursor,
        ask.ids,
        ask.words,
        ask.numbers,  # steps
        _said(ask.texts),  # said
        ask.body,
        ask.body_shape,
        ask.prose,
        ask.leaves,
        ask.grid,
        ask.command,
        effect == "wait" or _waits(step.tool, ask),  # wait
        found.told.cores,
        found.told.vocab,
        found.told.figures,
        [token for token in found.told.issued if token not in ask.ids and token not in ask.numbers],  # issued
    )


def _target(step: Step, ask: Asked) -> int:
    if step.target:
        return short(text_bytes(step.target.strip().removeprefix("./").rstrip("/")))
    return ask.target


def _waits(tool: str, ask: Asked) -> bool:
    """The call only lets time pass: a command that sleeps, or a tool that is named so and is given a number."""
    if ask.texts:
        return is_wait(ask.texts[0])
    return ask.leaves == 1 and bool(ask.numbers) and named(tool) == "wait"


def _said(texts: list[str]) -> list[int]:
    """Hashes of the lines and sentences of prose in the arguments, as they would come back in an answer."""
    out: dict[int, None] = {}
    for text in texts:
        if len(text) < 20 or " " not in text:
            continue
        for line in text[:4000].replace(". ", ".\n").split("\n", 2 * _MAX_SAID)[: 2 * _MAX_SAID]:
            bare = line.strip()
            if len(bare) >= 8:
                out[short(text_bytes(bare))] = None
    return list(out)[:_MAX_SAID]


_SETS: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[frozenset[str], frozenset[str]]] = {}


def _volatile(prints: Fingerprints) -> tuple[frozenset[str], frozenset[str]]:
    """The key sets of a rule set, for arguments and for answers; computed once for each."""
    if not prints.volatile_keys and not prints.keep_keys:
        return VOLATILE_KEYS, VOLATILE_IN_ANSWERS
    key = (prints.volatile_keys, prints.keep_keys)
    sets = _SETS.get(key)
    if sets is None:
        if len(_SETS) >= 256:
            _SETS.clear()
        extra = [key_form(name) for name in prints.volatile_keys]
        sets = _SETS[key] = (
            volatile_keys(VOLATILE_KEYS, extra, prints.keep_keys),
            volatile_keys(VOLATILE_IN_ANSWERS, extra, prints.keep_keys),
        )
    return sets
