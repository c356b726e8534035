"""An explanation as a text for the terminal, and as a part of the page."""

import re
from collections.abc import Iterator, Sequence

from wynot.core.events import Shown
from wynot.core.explanation import Explanation, FreePart, NeededPart, PartPlace
from wynot.core.foreign_text import for_html, legible
from wynot.core.options.quantities import counted, listed
from wynot.report.page_frame import scrolled, titled

OPENS, CLOSES = "\u2039", "\u203a"
"""What labels stand in."""
MAX_PATTERN_LINES = 24
MAX_LINE_CHARS = 72
MAX_FOLDS = 6
"""Into how many lines a long line of the pattern is folded, at most."""
MAX_TEXT_CHARS = 32
MAX_WORDS_CHARS = 58
MAX_SHOWN = 4
"""Texts that are listed as those that do not fail."""
MAX_GROUPED = 12
"""Parts that are listed without which the same happens."""
NO_EXTRA = "no part of it was seen to be free"

_UNITS = {"length": "character", "count": "item", "depth": "level", "repeats": "time"}
_LEAST_UNITS = {"length": 0, "count": 0, "depth": 1, "repeats": 1}
_OUTSIDE = {"passes": "passes", "unclear": "not this failure", "fails": "fails"}


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


def lines_of(explanation: Explanation) -> tuple[Shown, ...]:
    """Return the lines after the title."""
    return tuple(_lines(explanation))


def _lines(explanation: Explanation) -> Iterator[Shown]:
    yield Shown("")
    yield from _pattern(explanation)
    together = [part for part in explanation.free if part.together]
    apart = [part for part in explanation.free if not part.together]
    if together:
        yield Shown("")
        width = max(len(part.label) for part in together) + 2
        for part in together:
            label = f"{OPENS}{part.label}{CLOSES}".ljust(width + 2)
            yield from _wrapped(label + free_words(part), width + 2)
    for part in apart:
        where = f"{_quoted(part.text)} in line {part.places[0].line}: "
        if part.steady:
            words = f"{free_words(part)}, as long as the others stay as they are"
        else:
            words = f"some {part.kind}s fail and others do not, without a limit between them"
        yield from _wrapped(f"{where}{words}", 4)
    if explanation.needed:
        yield Shown("")
        yield Shown("needed, and what happens without it:", "bold")
        yield from _needed(explanation.needed)
    yield Shown("")
    yield from _facts(explanation)


def _pattern(explanation: Explanation) -> Iterator[Shown]:
    shown = 0
    for path, text in explanation.pattern:
        if len(explanation.pattern) > 1:
            yield Shown(f"{path}:", "dim")
        for whole in text.rstrip("\n").split("\n"):
            for line in _folded(whole):
                shown += 1
                if shown > MAX_PATTERN_LINES:
                    yield Shown("    …")
                    return
                yield Shown(f"    {line}", "green" if OPENS in whole else "")


def _folded(line: str) -> Iterator[str]:
    """Yield a line of the pattern in lines that are short enough; a label stays whole."""
    indent = ""
    for _ in range(MAX_FOLDS):
        room = MAX_LINE_CHARS - len(indent)
        if len(line) <= room:
            yield indent + line
            return
        opens = line.rfind(OPENS, 1, room)
        is_cut = opens > 0 and line.find(CLOSES, opens, room) < 0
        at = opens if is_cut else room
        yield indent + line[:at]
        line, indent = line[at:], "  "
    yield indent + _cut(line, MAX_LINE_CHARS - len(indent))


def free_words(part: FreePart) -> str:
    """Return what a part may be."""
    if part.choices:
        words = f"one of {listed([_quoted(each) for each in part.choices], 'or')}"
        if part.refused:
            not_these = [_quoted(each) for each in part.refused[:MAX_SHOWN]]
            words += f"; not {listed(not_these, 'or')}"
        return words
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
        words = f"from {between}" if not unit and low < high else between
    elif low is not None:
        words = f"{low:,}{units} or more" if unit else f"from {low:,} on"
    elif high is not None and unit:
        least = _LEAST_UNITS.get(part.scale, 0)
        words = f"{least} {'or' if high == least + 1 else 'to'} {high:,}{units}"
    elif high is not None:
        words = f"up to {high:,}"
    else:
        words = f"any number of{units}" if unit else "at all"
    outside = [
        f"{value:,}: {_OUTSIDE.get(said, said)}"
        for value, said in (
            (low - 1 if low is not None else 0, part.below),
            (high + 1 if high is not None else 0, part.above),
        )
        if said
    ]
    if part.again is not None:
        outside.append(f"{part.again:,}: fails again, it is not monotone")
    return f"{words} [{', '.join(outside)}]" if outside else words


def _needed(needed: Sequence[NeededPart]) -> Iterator[Shown]:
    """Say what happens, and without which parts that is so."""
    groups: dict[tuple[str, str], list[NeededPart]] = {}
    for part in needed:
        # Where something is wrong is another place for each part, and tells nothing.
        alike = re.sub(r"\d+", "0", part.words)
        groups.setdefault((part.outcome, alike), []).append(part)
    order = ("passes", "other", "unclear", "fails")
    for (outcome, _), parts in sorted(groups.items(), key=lambda each: order.index(each[0][0])):
        head = {
            "passes": "passes",
            "other": f"fails otherwise: {_cut(parts[0].words, MAX_WORDS_CHARS)}",
            "unclear": "not this failure",
            "fails": "fails all the same (it is not needed)",
        }[outcome]
        shown = [_cut(" ".join(part.text.split()), MAX_TEXT_CHARS) for part in parts]
        texts = [f"`{each}`" for each in dict.fromkeys(shown)]
        more = f" and {len(texts) - MAX_GROUPED} more" if len(texts) > MAX_GROUPED else ""
        yield Shown(f"  {head}", "dim")
        yield from _wrapped("    " + "  ".join(texts[:MAX_GROUPED]) + more, 4)


def _facts(explanation: Explanation) -> Iterator[Shown]:
    nearest, together, causes = explanation.nearest, explanation.together, explanation.causes
    if nearest is not None:
        was, now = _quoted(nearest.was), _quoted(nearest.now)
        change = f"{was} → {now}" if nearest.was else f"with {now} put in"
        change = change if nearest.now else f"without {was}"
        yield from _wrapped(f"nearest that passes: {change} (line {nearest.place.line})", 4)
    facts = []
    if together is not None:
        is_all = together.failed == together.tried
        facts.append(
            f"free together: {'yes' if is_all else 'no'} ({together.failed} of {together.tried})"
        )
    if causes is not None:
        facts.append(f"independent causes: {causes.number} ({causes.words})")
    facts.append(f"fails in {explanation.shown} of {explanation.runs} runs")
    if explanation.left:
        facts.append(
            f"{counted(explanation.left, 'part')} not varied: --explain-tests gives it more tests"
        )
    for fact in facts:
        yield from _wrapped(fact, 4)
    cost = f"{counted(explanation.tests, 'test')} run, {explanation.recalled:,} known already"
    yield Shown(f"{cost}, {explanation.seconds:.1f} s", "dim")
    for number, found in enumerate(causes.found if causes else (), start=2):
        yield from _wrapped(f"cause {number}: {_quoted(found)}", 4)


def _quoted(text: str) -> str:
    shown = text.replace("\n", "\\n")
    return f"`{_cut(shown, MAX_TEXT_CHARS)}`"


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else f"{text[: room - 1]}…"


def _wrapped(text: str, indent: int, width: int = MAX_LINE_CHARS + 4) -> Iterator[Shown]:
    """Yield lines of at most so many characters; a word that is longer stays whole."""
    bare = text.lstrip(" ")
    line = " " * (len(text) - len(bare))
    for number, word in enumerate(bare.split(" ")):
        if line.strip() and len(line) + 1 + len(word) > width:
            yield Shown(line.rstrip())
            line = " " * indent + word
        else:
            line += f" {word}" if number and line.strip() else word
    yield Shown(line.rstrip())


MAX_PATTERN_CHARS = 40_000
MAX_ROWS = 300
MAX_CODE_CHARS = 200
OUTCOMES = {
    "passes": "it passes",
    "other": "it fails otherwise",
    "unclear": "it is not this failure",
    "fails": "it fails all the same: this is not needed",
}


def explanation_section(explanation: Explanation) -> str:
    """Return the part of the page."""
    return titled(
        "explanation",
        "Why it fails",
        f'<p class="lead">{for_html(title_of(explanation))}</p>',
        # Without a part that may be something else, it would be the case once more.
        *(_pattern_html(explanation, *each) for each in explanation.pattern if explanation.free),
        _free(explanation.free),
        _needed_html(explanation.needed),
        f"<ul>{''.join(f'<li>{fact}</li>' for fact in _facts_html(explanation))}</ul>",
    )


def _pattern_html(explanation: Explanation, path: str, text: str) -> str:
    """Return a text with its labels marked: those are ours, and angles of the text are not."""
    labels = {f"{OPENS}{part.label}{CLOSES}" for part in explanation.free}
    shown = legible(text[:MAX_PATTERN_CHARS])
    wanted = "|".join(map(re.escape, sorted(labels, key=len, reverse=True)))
    pieces = re.split(f"({wanted})", shown)
    marked = "".join(
        f"<mark>{for_html(each)}</mark>" if each in labels else for_html(each) for each in pieces
    )
    named = f"<p><code>{for_html(path)}</code></p>" if len(explanation.pattern) > 1 else ""
    more = '<p class="note">The rest is not shown.</p>' if len(text) > MAX_PATTERN_CHARS else ""
    return f'{named}<pre class="result" tabindex="0">{marked}</pre>{more}'


def _free(parts: Sequence[FreePart]) -> str:
    rows = "".join(
        f"<tr><td><mark>{for_html(OPENS + part.label + CLOSES)}</mark></td>"
        f"<td>{for_html(free_words(part))}{_apart(part)}</td>"
        f"<td>{_code(part.text)}</td><td>{_lines_html(part.places)}</td></tr>"
        for part in parts[:MAX_ROWS]
    )
    return _table("What may be something else", ("part", "may be", "is", "line"), rows)


def _apart(part: FreePart) -> str:
    return "" if part.together else ", as long as the others stay as they are"


def _needed_html(parts: Sequence[NeededPart]) -> str:
    rows = "".join(
        f"<tr><td>{_code(part.text)}</td><td class=n>{part.place.line:,}</td>"
        f"<td>{OUTCOMES[part.outcome]}"
        f"{f': {_code(part.words)}' if part.words else ''}</td></tr>"
        for part in parts[:MAX_ROWS]
    )
    return _table("What is needed", ("part", "line", "without it"), rows)


def _table(title: str, heads: Sequence[str], rows: str) -> str:
    if not rows:
        return ""
    head = "".join(f"<th scope=col>{each}</th>" for each in heads)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f"<h3>{title}</h3>{scrolled(table, title)}"


def _facts_html(explanation: Explanation) -> Iterator[str]:
    nearest, together, causes = explanation.nearest, explanation.together, explanation.causes
    if nearest is not None:
        change = f"{_code(nearest.was)} → {_code(nearest.now)}"
        if not nearest.was:
            change = f"with {_code(nearest.now)} put in"
        elif not nearest.now:
            change = f"without {_code(nearest.was)}"
        yield f"The nearest that passes: {change}, in line {nearest.place.line:,}."
    if together is not None:
        yield (
            "All parts that may be something else, varied at once: "
            f"{together.failed:,} of {together.tried:,} variants failed."
        )
    if causes is not None:
        yield f"Independent causes: {causes.number:,} ({for_html(causes.words)})."
        yield from (f"Another cause: {_code(each)}" for each in causes.found[:MAX_ROWS])
    if explanation.left:
        yield f"{counted(explanation.left, 'part')} not varied: --explain-tests gives more tests."
    yield (
        f"The case itself failed in {explanation.shown:,} of {counted(explanation.runs, 'run')}; "
        f"{counted(explanation.tests, 'test')} run, {explanation.recalled:,} known already."
    )


def _lines_html(places: Sequence[PartPlace]) -> str:
    return ", ".join(dict.fromkeys(f"{place.line:,}" for place in places[:MAX_ROWS]))


def _code(text: str) -> str:
    shown = legible(text).replace("\n", "\\n")
    cut = shown if len(shown) <= MAX_CODE_CHARS else f"{shown[:MAX_CODE_CHARS]}…"
    return f"<code>{for_html(cut)}</code>" if cut else "nothing"
