"""Why a case fails, as blocks."""

import re
from collections.abc import Iterator, Sequence

from wynot.core.events import Shown
from wynot.core.explanation import Explanation, FreePart, NeededPart
from wynot.core.options.quantities import counted, listed
from wynot.document.blocks import (
    Block,
    CodeBlock,
    Inline,
    Items,
    Paragraph,
    StyledText,
    Text,
    TextTable,
    code,
)
from wynot.document.terminal import terminal_lines
from wynot.document.text_width import cut

EXPLANATION_COLUMNS = 76
"""Columns of a line of it, which an answer indents."""
MAX_PATTERN_LINES = 24
MAX_TEXT_COLUMNS = 32
MAX_SHOWN = 4
"""Texts that are listed as those that do not fail."""
NO_EXTRA = "no part of it was seen to be free"

_UNITS = {"length": "character", "count": "item", "depth": "level", "repeats": "time"}
_LEAST_UNITS = {"length": 0, "count": 0, "depth": 1, "repeats": 1}
_OUTSIDE = {"passes": "passes", "unclear": "not this failure", "fails": "fails"}
_OUTCOMES = {
    "passes": "passes",
    "other": "fails otherwise: ",
    "unclear": "not this failure",
    "fails": "fails all the same (it is not needed)",
}
"""In the order in which they are told."""


def title_of(explanation: Explanation) -> str:
    """Return the explanation in one sentence."""
    name = explanation.name
    free = [part for part in explanation.free if part.together]
    if not free:
        return f"{name} fails as it is: {NO_EXTRA}."
    together = explanation.together
    if together is None or not together.tried:
        return f"{name}: each of these parts may be something else, as far as that was tried."
    if together.failed == together.tried:
        tried = f"{together.failed} of {together.tried}"
        return f"{name} fails for everything of this form ({tried} variants)."
    return (
        f"{name} fails for most of this form: {together.failed} of {together.tried} variants did."
    )


def explanation_blocks(explanation: Explanation) -> list[Block]:
    """Return the whole explanation."""
    title = Paragraph(title_of(explanation), "lead")
    return [title, *(block for part in _parts(explanation) for block in part)]


def lines_of(explanation: Explanation) -> tuple[Shown, ...]:
    """Return the lines after the title, as an answer has them."""
    return tuple(
        shown
        for part in _parts(explanation)
        for shown in (
            Shown(""),
            *(
                Shown("".join(text for _, text in line), line[0].style)
                for line in terminal_lines(part, EXPLANATION_COLUMNS)
            ),
        )
    )


def _parts(explanation: Explanation) -> Iterator[list[Block]]:
    """Yield the blocks, those together that stand together."""
    together = [part for part in explanation.free if part.together]
    apart = [part for part in explanation.free if not part.together]
    if explanation.pattern:
        yield list(_pattern(explanation))
    if together:
        heads = ("part", "may be", "is", "line")
        yield [TextTable("what may be something else", heads, [_row(part) for part in together])]
    if apart:
        yield [Items([_alone(part) for part in apart])]
    if explanation.needed:
        yield [_needed(explanation.needed)]
    yield list(_facts(explanation))


def _pattern(explanation: Explanation) -> Iterator[Block]:
    labels = sorted({part.shown_label for part in explanation.free}, key=len, reverse=True)
    wanted = re.compile(f"({'|'.join(map(re.escape, labels)) or '(?!)'})")
    room = MAX_PATTERN_LINES
    for path, text in explanation.pattern:
        if room <= 0:
            return
        name = path if len(explanation.pattern) > 1 else ""
        # Labels are ours, and the same signs in the text are not.
        marked: list[Inline] = [
            StyledText("mark", piece) if at % 2 else piece
            for at, piece in enumerate(wanted.split(text))
        ]
        yield CodeBlock(marked, name, kind="result", most_lines=room)
        room -= text.count("\n")


def _row(part: FreePart) -> tuple[Text, ...]:
    lines = ", ".join(dict.fromkeys(f"{place.line:,}" for place in part.places))
    return [StyledText("mark", part.shown_label)], _allowed(part), [code(part.text)], lines


def _alone(part: FreePart) -> Text:
    where = f" in line {part.places[0].line:,}: "
    if part.steady:
        return [code(part.text), f"{where}{_allowed(part)}, as long as the others stay as they are"]
    kinds = f"some {part.kind}s fail and others do not, without a limit between them"
    return [code(part.text), f"{where}{kinds}"]


def _allowed(part: FreePart) -> str:
    """Return what a part may be."""
    if part.choices:
        text = f"one of {listed([_quoted(each) for each in part.choices], 'or')}"
        if part.refused:
            not_these = [_quoted(each) for each in part.refused[:MAX_SHOWN]]
            text += f"; not {listed(not_these, 'or')}"
        return text
    tried = f" ({part.tried} of {part.tried})"
    places = f"; the same in all {len(part.places)} places" if len(part.places) > 1 else ""
    if not part.scale:
        return f"any {part.kind}{tried}{places}"
    return f"{_measured(part)}{tried}{places}"


def _measured(part: FreePart) -> str:
    if part.scale == "value":
        return f"any {part.kind} {_range(part, '')}"
    unit = _UNITS.get(part.scale, "")
    if part.content:
        return f"any {part.kind} of {_range(part, unit)}"
    what = {
        "depth": f"{_quoted(part.text)} nested",
        "repeats": f"{_quoted(part.text)} repeated",
    }.get(part.scale, f"{_quoted(part.text)} stretched to")
    return f"{what} {_range(part, unit)}"


def _range(part: FreePart, unit: str) -> str:
    low, high = part.low, part.high
    most = high if high is not None else low
    units = f" {unit}{'' if most == 1 else 's'}" if unit else ""
    if low is not None and high is not None:
        between = f"{low:,} to {high:,}{units}" if low < high else f"{low:,}{units}"
        text = f"from {between}" if not unit and low < high else between
    elif low is not None:
        text = f"{low:,}{units} or more" if unit else f"from {low:,} on"
    elif high is not None and unit:
        least = _LEAST_UNITS.get(part.scale, 0)
        text = f"{least} {'or' if high == least + 1 else 'to'} {high:,}{units}"
    elif high is not None:
        text = f"up to {high:,}"
    else:
        text = f"any number of{units}" if unit else "at all"
    outside = [
        f"{value:,}: {_OUTSIDE.get(outcome, outcome)}"
        for value, outcome in (
            (low - 1 if low is not None else 0, part.below),
            (high + 1 if high is not None else 0, part.above),
        )
        if outcome
    ]
    if part.again is not None:
        outside.append(f"{part.again:,}: fails again, it is not monotone")
    return f"{text} [{', '.join(outside)}]" if outside else text


def _needed(needed: Sequence[NeededPart]) -> TextTable:
    """Return what happens without each part; a terminal names those of one outcome together."""
    order = [*_OUTCOMES]
    parts = sorted(needed, key=lambda part: order.index(part.outcome))
    rows = [
        (
            [code(" ".join(part.text.split()))],
            part.place.line,
            _OUTCOMES[part.outcome] + (part.observed if part.outcome == "other" else ""),
        )
        for part in parts
    ]
    # Where something is wrong is another place for each part, and tells nothing.
    alike = [f"{part.outcome} {re.sub(r'[0-9]+', '0', part.observed)}" for part in parts]
    heads = ("part", "line", "without it")
    return TextTable("needed, and what happens without it", heads, rows, alike)


def _facts(explanation: Explanation) -> Iterator[Block]:
    nearest, together, causes = explanation.nearest, explanation.together, explanation.causes
    facts: list[Text] = []
    if nearest is not None:
        change: list[Inline] = [code(nearest.was), " → ", code(nearest.now)]
        if not nearest.was:
            change = ["with ", code(nearest.now), " put in"]
        elif not nearest.now:
            change = ["without ", code(nearest.was)]
        facts.append(["nearest that passes: ", *change, f" (line {nearest.place.line:,})"])
    if together is not None:
        is_all = "yes" if together.failed == together.tried else "no"
        facts.append(f"free together: {is_all} ({together.failed:,} of {together.tried:,})")
    if causes is not None:
        facts.append(f"independent causes: {causes.number:,} ({causes.evidence})")
    facts.append(f"fails in {explanation.shown:,} of {counted(explanation.runs, 'run')}")
    if explanation.left:
        more = "--explain-tests gives it more tests"
        facts.append(f"{counted(explanation.left, 'part')} not varied: {more}")
    yield Items(facts)
    cost = f"{counted(explanation.tests, 'test')} run, {explanation.recalled:,} known already"
    yield Paragraph(f"{cost}, {explanation.seconds:.1f} s", "note")
    if causes is not None and causes.found:
        found = enumerate(causes.found, start=2)
        yield Items([[f"cause {number}: ", code(text)] for number, text in found])


def _quoted(text: str) -> str:
    shown = text.replace("\n", "\\n")
    return f"`{cut(shown, MAX_TEXT_COLUMNS)}`"
