"""Words that belong together like brackets, in whatever language: ``if … then … else … end``.

They have to be on one line, or on lines that are indented alike: in other texts than programs such
words mean something else.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wynot.formats.nesting import NEWLINE, Token

_OPENING = frozenset(b"begin case do for function if match repeat select try unless while".split())
_LOOPS = frozenset(b"for while".split())
_PARTING = frozenset(b"catch elif else elseif elsif in is of rescue then when".split())
_CLOSING: Mapping[bytes, frozenset[bytes]] = {
    b"end": _OPENING,
    b"fi": frozenset({b"if"}),
    b"done": frozenset({b"do", *_LOOPS}),
    b"od": frozenset({b"do", *_LOOPS}),
    b"esac": frozenset({b"case"}),
    b"until": frozenset({b"repeat"}),
}
_BLANKS = re.compile(rb"[ \t]*")


class WordPairs(NamedTuple):
    """Which words belong together."""

    closed: Mapping[int, int]
    """Where what is opened at a token is closed."""
    parting: frozenset[int]
    """Words between the parts of such a pair."""


class _Place(NamedTuple):
    """Where a word is: the number of its token, its line, and what that is indented by."""

    at: int
    line: int
    indent: bytes


class _Opened(NamedTuple):
    place: _Place
    word: bytes
    parting: list[int]

    def is_closed_by(self, word: bytes, place: _Place) -> bool:
        """Tell whether a word closes it."""
        is_near = self.place.line == place.line or self.place.indent == place.indent
        return is_near and self.word in _CLOSING[word]


def word_pairs(
    content: bytes, found: Sequence[Token], brackets: Mapping[int, int], closing: frozenset[int]
) -> WordPairs:
    """Return which words belong together; none are inside and outside of a bracket."""
    closed: list[tuple[_Opened, int]] = []
    levels: list[list[_Opened]] = [[]]
    line, indent = 0, _blanks(content, 0)
    for number, token in enumerate(found):
        if number in brackets:
            levels.append([])
        elif number in closing:
            levels.pop()
        elif token.kind == NEWLINE:
            line, indent = line + 1, _blanks(content, token.stop)
        elif token.kind == "word":
            word = content[token.start : token.stop].lower()
            opened = _take(levels[-1], word, _Place(number, line, indent))
            if opened is not None:
                closed.append((opened, number))
    pairs = {opened.place.at: number for opened, number in closed}
    return WordPairs(pairs, frozenset(at for opened, _ in closed for at in opened.parting))


def _take(waiting: list[_Opened], word: bytes, place: _Place) -> _Opened | None:
    """Take note of a word; return what it closes, if it closes anything."""
    if word in _CLOSING:
        while waiting and not waiting[-1].is_closed_by(word, place):
            waiting.pop()
        return waiting.pop() if waiting else None
    parts = word in _PARTING or (word == b"do" and waiting and waiting[-1].word in _LOOPS)
    if parts and waiting:
        waiting[-1].parting.append(place.at)
    elif word in _OPENING:
        waiting.append(_Opened(place, word, []))
    return None


def _blanks(content: bytes, start: int) -> bytes:
    """Return the blanks that a line begins with."""
    found = _BLANKS.match(content, start)
    return found[0] if found else b""
