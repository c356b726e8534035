"""White space: what is between tokens, made plain to read, or as short as can be."""

import re
from collections.abc import Iterator

from wynot.core.texts.rewrites import Patch, Rewrite
from wynot.passes.trees.forest import Forest
from wynot.passes.trees.tokens import TokenText

_OPENS, _CLOSES, _QUOTES = b"([{", b")]}", b"\"'`"
MOST_JOINED_TOKENS, LONGEST_JOINED_LINE = 160, 80
"""Tokens of a text of which lines are joined, and characters of a line that is easy to read."""
_INDENT_STEP = 4
"""Blanks for each bracket that is open."""
_BLANK_LINES = re.compile(rb"(?<![ \t])[ \t]*+\r?\n(?:[ \t]*+\r?\n)+")
_TRAILING = re.compile(rb"(?<![ \t])[ \t]++(?=\r?\n)")


def tidy(forest: Forest) -> Iterator[Rewrite]:
    """Return what leaves lines as they are, and no blanks that nobody needs."""
    for text, newline_sensitive in _texts(forest):
        for number, start, stop in _gaps(text):
            gap = text.content[start:stop]
            if b"\n" in gap:
                category, plain = "empty lines", _TRAILING.sub(b"", _BLANK_LINES.sub(b"\n", gap))
                if plain == gap:
                    category, plain = "indentation", b"\n"
            else:
                category, plain = "blanks", _least_gap(text, number)
            plain = _at_ends(text, number, plain, newline_sensitive=newline_sensitive)
            if len(plain) < len(gap):
                yield Rewrite(f"without {category}", (Patch(text.path, start, stop, plain),))


def pretty(forest: Forest) -> Iterator[Rewrite]:
    """Return what makes it plain to read: no empty lines, and lines indented as brackets nest."""
    for text, newline_sensitive in _texts(forest):
        patches = []
        depth = 0
        for number, start, stop in _gaps(text):
            gap = text.content[start:stop]
            word = _word(text, number)
            if word in _CLOSES:
                depth = max(depth - 1, 0)
            if b"\n" in gap:
                plain = _TRAILING.sub(b"", _BLANK_LINES.sub(b"\n", gap))
                if not newline_sensitive and number < len(text.tokens.starts):
                    plain = plain[: plain.rfind(b"\n") + 1] + b" " * (_INDENT_STEP * depth)
            else:
                plain = gap[:1]
            plain = _at_ends(text, number, plain, newline_sensitive=newline_sensitive)
            if plain != gap:
                patches.append(Patch(text.path, start, stop, plain))
            if word in _OPENS:
                depth += 1
        if patches:
            yield Rewrite("plain white space", tuple(patches))


def short(forest: Forest) -> Iterator[Rewrite]:
    """Return what leaves no white space that is not needed to tell tokens apart."""
    for text, _ in _texts(forest):
        for number, start, stop in _gaps(text):
            gap = text.content[start:stop]
            least = _least_gap(text, number)
            if len(least) < len(gap):
                category = "line ends" if b"\n" in gap else "blanks"
                yield Rewrite(f"without {category}", (Patch(text.path, start, stop, least),))
            if b"\n" in gap and len(gap) > 1:
                yield Rewrite("shorter line ends", (Patch(text.path, start, stop, b"\n"),))


def joined_lines(forest: Forest) -> Iterator[Rewrite]:
    """Return what leaves out line ends of a short text, as long as no line gets too long."""
    if len(forest.leaves) > MOST_JOINED_TOKENS:
        return
    for text, _ in _texts(forest):
        width = 0
        for number, start, stop in _gaps(text):
            if not 0 < number < len(text.tokens.starts):
                continue
            gap = text.content[start:stop]
            width += start - text.tokens.starts[number - 1] + len(gap.replace(b"\n", b""))
            if b"\n" not in gap:
                continue
            least = _least_gap(text, number)
            line = text.content[stop:].partition(b"\n")[0]
            is_short = width + len(least) + len(line) <= LONGEST_JOINED_LINE
            if is_short and len(least) < len(gap):
                yield Rewrite("without line ends", (Patch(text.path, start, stop, least),))
            else:
                width = 0


def _least_gap(text: TokenText, number: int) -> bytes:
    """Return what has to be before a token; a quote makes no other token of a mark beside it."""
    if not text.would_join(number - 1, number):
        return b""
    starts, stops = text.tokens
    around = text.content[stops[number - 1] - 1], text.content[starts[number]]
    return b"" if sum(byte in _QUOTES for byte in around) == 1 else b" "


def _at_ends(text: TokenText, number: int, plain: bytes, *, newline_sensitive: bool) -> bytes:
    """Return what is to be before the first token, or after the last."""
    if number == 0:
        return plain[plain.rfind(b"\n") + 1 :] if newline_sensitive else b""
    if number == len(text.tokens.starts):
        return b"\n" if b"\n" in plain else b""
    return plain


def _texts(forest: Forest) -> Iterator[tuple[TokenText, bool]]:
    """Return each text that has tokens, and whether line ends mean something in it."""
    for (first, path), (_, language) in zip(forest.texts, forest.languages, strict=True):
        tokens = forest.tokens[path]
        if tokens.starts:
            text = TokenText(path, forest.contents[path], tokens, first)
            yield text, language.newline_sensitive


def _gaps(text: TokenText) -> Iterator[tuple[int, int, int]]:
    """Return where white space is, and before which token."""
    starts, stops = text.tokens
    cursor = 0
    for number, start in enumerate((*starts, len(text.content))):
        yield number, cursor, start
        if number < len(stops):
            cursor = stops[number]


def _word(text: TokenText, number: int) -> bytes:
    starts, stops = text.tokens
    if number == len(starts) or stops[number] - starts[number] != 1:
        return b"--"  # no bracket
    return text.content[starts[number] : stops[number]]
