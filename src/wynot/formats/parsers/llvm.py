"""LLVM's assembly: functions, their blocks, instructions, and operands by brackets and commas."""

import re
from collections.abc import Callable
from functools import partial

from wynot.core.texts.tree import Tree
from wynot.formats.parsers.nesting import NEWLINE, BracketGroups, Work, tokens

_NAME = rb'(?:[-a-zA-Z$._0-9]+|"[^"]*")'
_TOKEN = re.compile(
    rb"""(?P<comment>;[^\n]*)
    | (?P<label>(?m:^)[ \t]*"""
    + _NAME
    + rb""":)
    | (?P<local>%"""
    + _NAME
    + rb""")
    | (?P<global>@"""
    + _NAME
    + rb""")
    | (?P<metadata>!(?:[-a-zA-Z$._0-9\\]+)?)
    | (?P<attributes>\#[0-9]+)
    | (?P<comdat>\$"""
    + _NAME
    + rb""")
    | (?P<string>c?"[^"]*")
    | (?P<number>-?[0-9](?:[eE][-+](?=[0-9])|[.\w])*)
    | (?P<type>(?:[iu][0-9]+|void|ptr|float|double|half|label|token)\b)
    | (?P<word>[\w.$\x80-\xff-]+)
    | (?P<NEWLINE>\n)
    | (?P<MARK>\.\.\.|\S)""",
    re.VERBOSE,
)


def parse(content: bytes) -> Tree:
    """Return the tree of a module of LLVM's assembly."""
    return _Module("module", content, tokens(_TOKEN, content)).parse()


class _Module(BracketGroups):
    def parse(self) -> Tree:
        return self.grow(partial(self._entities, 0, len(self.tokens), 0))

    def _entities(self, first: int, last: int, parent: int) -> None:
        """Add what stands at the top: a line each, or a function."""
        work: list[Work] = []
        for begin, stop in self._lines(first, last):
            body = self._body(begin, stop)
            if body is not None:
                work.append(partial(self._function, begin, body, stop, parent))
            else:
                work += self.part("entity", begin, stop, parent, self.elements)
        self.then(*work)

    def _lines(self, first: int, last: int) -> list[tuple[int, int]]:
        """Return the lines of a range, without those that are in brackets."""
        found: list[tuple[int, int]] = []
        begin = first
        for at in self.top(first, last):
            if self.tokens[at].kind in (NEWLINE, "label", "comment"):
                found.append((begin, at))
                if self.tokens[at].kind != NEWLINE:
                    found.append((at, at + 1))
                begin = at + 1
        found.append((begin, last))
        return [(begin, stop) for begin, stop in found if begin < stop]

    def _body(self, first: int, last: int) -> int | None:
        """Return where the body of a function begins; None: these tokens are no function."""
        if self.text(first) != b"define":
            return None
        braces = [at for at in self.top(first, last) if self.text(at) == b"{" and at in self.pairs]
        return braces[-1] if braces and self.pairs[braces[-1]] == last - 1 else None

    def _function(self, first: int, body: int, last: int, parent: int) -> None:
        node = self.wrap("function", first, parent)
        self.then(
            *self.part("head", first, body, node, self.sequence),
            partial(self.bracket, body, node, "body", self._blocks),
            self.end(node, last),
        )

    def _blocks(self, first: int, last: int, parent: int) -> None:
        """Add the basic blocks of a body; the first may be without a label."""
        lines = self._lines(first, last)
        begins = [
            number
            for number, (begin, _) in enumerate(lines)
            if number == 0 or self.tokens[begin].kind == "label"
        ]
        work: list[Work] = []
        for begin, stop in zip(begins, [*begins[1:], len(lines)], strict=False):
            inside = partial(self._instructions, lines[begin:stop])
            work.append(partial(self._block, lines[begin][0], lines[stop - 1][1], inside, parent))
        self.then(*work)

    def _block(self, first: int, last: int, inside: Callable[[int], None], parent: int) -> None:
        first, last = self.trim(first, last)
        node = self.wrap("block", first, parent)
        self.then(partial(inside, node), self.end(node, last))

    def _instructions(self, lines: list[tuple[int, int]], parent: int) -> None:
        work: list[Work] = []
        for begin, stop in lines:
            work += self.part("instruction", begin, stop, parent, self.elements)
        self.then(*work)
