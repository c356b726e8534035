"""Why it fails, as a part of a page: the pattern, what may be anything, what is needed."""

import re
from collections.abc import Iterator, Sequence

from wynot.core.explanation import Explanation, FreePart, NeededPart, PartPlace
from wynot.core.foreign_text import for_html, legible
from wynot.core.phrases import counted
from wynot.report.explanation_text import CLOSES, OPENS, free_words, title_of
from wynot.report.page_frame import scrolled, titled

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
        *(_pattern(explanation, *each) for each in explanation.pattern if explanation.free),
        _free(explanation.free),
        _needed(explanation.needed),
        f"<ul>{''.join(f'<li>{fact}</li>' for fact in _facts(explanation))}</ul>",
    )


def _pattern(explanation: Explanation, path: str, text: str) -> str:
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
        f"<td>{_code(part.text)}</td><td>{_lines(part.places)}</td></tr>"
        for part in parts[:MAX_ROWS]
    )
    return _table("What may be something else", ("part", "may be", "is", "line"), rows)


def _apart(part: FreePart) -> str:
    return "" if part.together else ", as long as the others stay as they are"


def _needed(parts: Sequence[NeededPart]) -> str:
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


def _facts(explanation: Explanation) -> Iterator[str]:
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


def _lines(places: Sequence[PartPlace]) -> str:
    return ", ".join(dict.fromkeys(f"{place.line:,}" for place in places[:MAX_ROWS]))


def _code(text: str) -> str:
    shown = legible(text).replace("\n", "\\n")
    cut = shown if len(shown) <= MAX_CODE_CHARS else f"{shown[:MAX_CODE_CHARS]}…"
    return f"<code>{for_html(cut)}</code>" if cut else "nothing"
