"""The first lines and the last paragraph of a run."""

from collections import Counter

from wynot.core.errors import NoSpace
from wynot.core.events import InquiryStarted, ReductionEnded, ReductionStarted
from wynot.core.foreign_text import for_terminal
from wynot.core.options.quantities import counted, listed
from wynot.core.standing import Stop
from wynot.document.blocks import Facts, Paragraph, StyledText, Text
from wynot.document.sentences import (
    duration,
    instant,
    percent,
    proof,
    subject,
    test_cost,
    timed_out,
)
from wynot.document.terminal import plain_lines
from wynot.document.text_width import LINE_COLUMNS, cut, wrap

_NAME_COLUMNS = 40
_KEEPS_COLUMNS = 200


def opening(started: ReductionStarted | InquiryStarted, width: int = LINE_COLUMNS) -> list[str]:
    """Return lines without colour."""
    if isinstance(started, ReductionStarted):
        what = f"reducing {subject(started.names, _NAME_COLUMNS)}, {counted(started.size, 'byte')}"
    else:
        what = for_terminal(started.subject)
    facts = [
        f"{what}; {counted(started.jobs, 'test')} at a time, {instant(started.seconds)} each",
        f"keeps: {cut(for_terminal(started.keeps), _KEEPS_COLUMNS)}",
        *(f"passes: {cut(for_terminal(guard), _KEEPS_COLUMNS)}" for guard in started.passes),
    ]
    if started.writable is not None:
        is_default = started.options.keys().isdisjoint({"confine", "writable"})
        facts.append(_confined(started.writable, is_default=is_default))
    if started.known:
        facts.append(f"{counted(started.known, 'verdict')} of an earlier run known already")
    return [
        line for fact in facts for line in wrap(f"wynot: {fact}", indent="       ", width=width)
    ]


def _confined(writable: tuple[str, ...], *, is_default: bool) -> str:
    """Say where tests can write, and which of them could write elsewhere."""
    more = "".join(f", or to {for_terminal(folder)}" for folder in writable)
    besides = "; the original may also run unconfined, except with --confine" if is_default else ""
    return (
        f"confined: tests can write only to their private folders{more} "
        f"(--no-confine lifts that){besides}"
    )


WHY = {
    Stop.MAX_TESTS: "Stopped by --max-tests",
    Stop.MAX_TIME: "Stopped by --max-time",
    Stop.TARGET_SIZE: "Stopped: it is as small as --target-size asked for",
    Stop.PATIENCE: "Stopped by --patience, after too long without progress",
    Stop.INTERRUPTED: "Interrupted",
    Stop.BY_HAND: "Stopped by hand",
    "unreliable": "Stopped: the test does not always give the same answer for the same case",
    "no-space": "Stopped: no space left on the device",
    "changed-underneath": "Stopped: something else changed the file during the run",
    "changed-test": "Stopped: the test was changed during the run",
    "not-interesting": "Stopped: the original does not show the failure",
    "always-interesting": "Stopped: the test accepts even an empty case",
    "nothing-to-reduce": "Stopped: there is nothing to reduce",
    "broken-journal": "Stopped: the journal is damaged",
    "broken-test": "Stopped: the test itself went wrong",
    "broken-runner": "Stopped: what runs the tests is gone",
}
GOES_ON = {
    *(Stop.MAX_TESTS, Stop.MAX_TIME, Stop.PATIENCE, Stop.INTERRUPTED, Stop.BY_HAND),
    NoSpace.slug,
}
"""Ends after which there is more to do, and a way to do it."""


def closing(
    ended: ReductionEnded, started: ReductionStarted | None, width: int = LINE_COLUMNS
) -> str:
    """Return the paragraph, lines without colour; the last has no line end."""
    sentences = [headline(ended, started)]
    if ended.timed_out:
        hung = timed_out(ended.timed_out, ended.timed_out_seconds, ended.test_seconds)
        sentences.append(f"{hung}.")
    sentences += (*refusals(ended.refused), *_skipped(ended.skipped))
    if ended.stopped == Stop.ALREADY_FINISHED:
        known = _proof(ended._replace(stopped=Stop.FINISHED))
        sentences.append(f"{known} Nothing was done now; --fresh starts over.")
    elif started is not None:
        sentences.append(_proof(ended))
    elif ended.stopped != Stop.FINISHED:
        sentences.append(f"{why(ended)}.")
    facts: list[tuple[str, Text]] = []
    if ended.was and ended.now:
        now = "the same" if ended.now == ended.was else ended.now
        facts += [("was:", ended.was), ("now:", now)]
    places = {"result": ended.where, "original": ended.original, "journal": ended.journal}
    facts += [(name, [StyledText("path", place)]) for name, place in places.items() if place]
    return "\n".join(plain_lines([*map(Paragraph, sentences), Facts(facts)], width))


def refusals(refused: tuple[tuple[str, int], ...]) -> list[str]:
    """Return a sentence for each guard that has refused something."""
    return [
        f"Refused by {for_terminal(guard)}: {counted(count, 'candidate')}."
        for guard, count in refused
        if count
    ]


def _skipped(passes: tuple[str, ...]) -> list[str]:
    """Return what to say of passes that were skipped."""
    if not passes:
        return []
    counts = Counter(map(for_terminal, passes))
    names = tuple(name if n == 1 else f"{name} ({n} times)" for name, n in counts.items())
    return [f"Skipped by hand: {listed(names)}. What was left to try there was not tried."]


def headline(ended: ReductionEnded, started: ReductionStarted | None) -> str:
    """Return what became of what, in one line."""
    if ended.stopped == Stop.ALREADY_FINISHED:
        change = f"{ended.before:,} → {counted(ended.size, 'byte')}"
        return f"{for_terminal(ended.where)}: this command has finished before: {change}."
    tests = test_cost(ended.tests, ended.runs, ended.checks, ended.repeated)
    cost = f"{tests}, {duration(ended.seconds)}"
    if started is None:
        return f"Nothing was reduced: the first checks did not succeed ({cost})."
    name = subject(started.names, _NAME_COLUMNS)
    if ended.size == ended.before:
        so_far = "could be" if ended.stopped == Stop.FINISHED else "is"
        size = counted(ended.before, "byte")
        return f"{name}: nothing {so_far} left out of its {size}, in {cost}."
    if ended.size > ended.before:
        change = f"{percent(ended.size - ended.before, ended.before)} larger"
    else:
        change = f"{percent(ended.before - ended.size, ended.before)} smaller"
    return f"{name}: {ended.before:,} → {counted(ended.size, 'byte')} ({change}) in {cost}."


def why(ended: ReductionEnded) -> str:
    """Return why it ended, as the beginning of a sentence."""
    return stopped_by(ended.stopped)


def stopped_by(stopped: str) -> str:
    """Return what a way to end is called, as the beginning of a sentence."""
    return WHY.get(stopped) or f"Stopped: {for_terminal(stopped) or 'for an unknown reason'}"


def _proof(ended: ReductionEnded) -> str:
    kinds = [*map(for_terminal, ended.minimal)]
    if ended.stopped == Stop.FINISHED:
        if kinds:
            return proof(kinds, line_ends=ended.line_ends)
        return "Smaller may be possible: it is not proved to be 1-minimal."
    best = f"{why(ended)}."
    if ended.where:
        best = f"{why(ended)}; the best so far is in {for_terminal(ended.where)}."
    further = " The same command continues from there." if ended.stopped in GOES_ON else ""
    if kinds:
        tried = proof(kinds, line_ends=ended.line_ends, end="; other parts may still go.")
        return f"{best} {tried}{further}"
    return f"{best} Smaller may be possible: 1-minimality is not proved.{further}"
