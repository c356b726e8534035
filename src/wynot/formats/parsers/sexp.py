"""Nested lists in parentheses: SMT-LIB, Lisp, Scheme, WebAssembly's text."""

import re
from functools import partial

from wynot.core.texts.tree import Tree
from wynot.formats.parsers.nesting import BRACKETS, Token, tokens

_ATOMS = rb"""
    | (?P<number>[-+]?(?:\#[xXbB])?[0-9][0-9a-fA-FxX_]*(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?
        (?![^\s()\[\]{}";'`,|]))
    | (?P<keyword>:[^\s()\[\]{}";'`,|]+)
    | (?P<OPENS>[(\[{])
    | (?P<CLOSES>[)\]}])
"""
_QUOTE = b"'"
_LISP = re.compile(
    rb"""(?P<comment>;[^\n]*|\#\|(?s:.*?)(?:\|\#|\Z))
    | (?P<string>"(?:(?:[^"\\]|\\(?s:.))*+"|(?>(?:(?>(?:[^"\\]|\\[^"])*)\\")+)))
    | (?P<character>\#\\(?:[^\s()\[\]{}";'`,]+|(?s:.)))"""
    + _ATOMS
    + rb"""
    | (?P<PREFIX>\#?(?:'|`|,@|,)|\#(?=[(\[{]))
    | (?P<symbol>(?:\|[^|]*+\||[^\s()\[\]{}";'`,|])+)
    | (?P<MARK>\S)""",
    re.VERBOSE,
)
_SMT = re.compile(
    rb"""(?P<comment>;[^\n]*)
    | (?P<string>"(?:[^"]|"")*+")
    | (?P<quoted>\|[^|\\]*+\|)"""
    + _ATOMS
    + rb"""
    | (?P<symbol>[^\s()\[\]{}";|]+)
    | (?P<MARK>\S)""",
    re.VERBOSE,
)
_WAT = re.compile(
    rb"""(?P<comment>;;[^\n]*|\(;(?s:.*?)(?:;\)|\Z))
    | (?P<string>"(?:(?:[^"\\]|\\(?s:.))*+"|(?>(?:(?>(?:[^"\\]|\\[^"])*)\\")+)))"""
    + _ATOMS
    + rb"""
    | (?P<name>\$[^\s()\[\]{}";,]+)
    | (?P<symbol>[^\s()\[\]{}";,]+)
    | (?P<MARK>\S)""",
    re.VERBOSE,
)


def parse(pattern: re.Pattern[bytes], content: bytes) -> Tree:
    """Return the tree of lists: ``form`` at the top, ``list`` inside, ``quoted`` after a ``'``."""
    reading = _Reading(content)
    for token in tokens(pattern, content):
        reading.take(token)
    return reading.finish()


def count_flaws(pattern: re.Pattern[bytes], content: bytes) -> int:
    """Return how many flaws there are in the tree of a text, without the tree."""
    found, open_ones = 0, [b""]
    for match in pattern.finditer(content):
        kind = match.lastgroup
        if kind == "OPENS":
            open_ones.append(match[0])
        elif kind == "PREFIX":
            open_ones.append(_QUOTE)
        elif kind != "comment":
            if kind == "CLOSES":
                while open_ones[-1] == _QUOTE:  # with nothing to quote
                    open_ones.pop()
                    found += 1
                if open_ones[-1] != BRACKETS[match[0]]:
                    found += 1
                    continue
                open_ones.pop()
            elif kind == "MARK":
                found += 1
            while open_ones[-1] == _QUOTE:
                open_ones.pop()
    return found + len(open_ones) - 1


lisp, lisp_flaws = partial(parse, _LISP), partial(count_flaws, _LISP)
smt, smt_flaws = partial(parse, _SMT), partial(count_flaws, _SMT)
wat, wat_flaws = partial(parse, _WAT), partial(count_flaws, _WAT)


class _Reading:
    """The lists that are open, outermost first."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._tree = Tree()
        self._open = [(self._tree.open("lists", 0, 0), b"")]

    def take(self, token: Token) -> None:
        """Put a token where it belongs."""
        parent = self._open[-1][0]
        text = self._content[token.start : token.stop]
        if token.kind == "opens":
            kind = "form" if len(self._open) == 1 else "list"
            self._begin(kind, token.start, text)
            self._leaf(token, text)
        elif token.kind == "prefix":
            self._begin("quoted", token.start, _QUOTE)
            self._leaf(token, text)
        elif token.kind == "closes":
            self._close(token, text)
        else:
            if token.named:
                self._tree.leaf(token.kind, token.start, token.stop, parent)
            else:
                self._tree.mark_flaw(self._leaf(token, text))
            if token.kind != "comment":
                self._unquote(token.stop)

    def finish(self) -> Tree:
        """Close what is open; none of it was closed by the text."""
        stop = self._tree.stops[-1]
        for number, opener in reversed(self._open):
            if opener:
                self._tree.mark_flaw(number)
            self._tree.close(number, stop if opener else len(self._content))
        return self._tree

    def _begin(self, kind: str, start: int, opener: bytes) -> None:
        self._open.append((self._tree.open(kind, start, self._open[-1][0]), opener))

    def _leaf(self, token: Token, text: bytes) -> int:
        name = text.decode("utf-8", "replace")
        return self._tree.leaf(name, token.start, token.stop, self._open[-1][0], named=False)

    def _close(self, token: Token, text: bytes) -> None:
        while self._open[-1][1] == _QUOTE:  # a quote with nothing to quote
            number, _ = self._open.pop()
            self._tree.mark_flaw(number)
            self._tree.close(number, self._tree.stops[-1])
        number, opener = self._open[-1]
        leaf = self._leaf(token, text)
        if opener != BRACKETS[text]:
            self._tree.mark_flaw(leaf)
            return
        self._open.pop()
        self._tree.close(number, token.stop)
        self._unquote(token.stop)

    def _unquote(self, stop: int) -> None:
        """End the quotes of what has just ended."""
        while self._open[-1][1] == _QUOTE:
            number, _ = self._open.pop()
            self._tree.close(number, stop)
