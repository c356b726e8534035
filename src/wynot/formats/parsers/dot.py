"""Graphviz: graphs of nodes and edges, with lists of attributes, and graphs inside of them."""

import re
from functools import partial

from wynot.core.texts.tree import Tree
from wynot.formats.parsers.nesting import Nesting, Token, Work, token_of

_TOKEN = re.compile(
    rb"""(?P<comment>//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)|(?m:^)\#[^\n]*)
    | (?P<string>"(?:(?:[^"\\]|\\(?s:.))*+"|(?>(?:(?>(?:[^"\\]|\\[^"])*)\\")+)))
    | (?P<number>-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?![A-Za-z_0-9\x80-\xff]))
    | (?P<KEYWORD>(?i:strict|graph|digraph|node|edge|subgraph)(?![A-Za-z_0-9\x80-\xff]))
    | (?P<identifier>[A-Za-z_\x80-\xff][A-Za-z_0-9\x80-\xff]*)
    | (?P<EDGE>--|->)
    | (?P<MARK>\S)""",
    re.VERBOSE,
)
_ANGLE = re.compile(rb"[<>]")
_VALUES = frozenset({"string", "number", "identifier", "markup"})
_BETWEEN = frozenset({"comment", "mark", "edge"})


def parse(content: bytes) -> Tree:
    """Return the tree of a text in Graphviz's language."""
    return _Graph(content).parse()


class _Graph(Nesting):
    def __init__(self, content: bytes) -> None:
        super().__init__("graphs", content, _tokens(content))

    def parse(self) -> Tree:
        return self.grow(partial(self._statements, 0, len(self.tokens), 0))

    def _statements(self, first: int, last: int, parent: int) -> None:
        """Add the statements of a body, one after the other."""
        if first >= last:
            return
        token = self.tokens[first]
        if token.kind in _BETWEEN and first not in self.pairs:
            self.leaf(first, parent)
            self.then(partial(self._statements, first + 1, last, parent))
            return
        stop, kind = self._statement(first, last)
        rest = partial(self._statements, stop, last, parent)
        node = self.wrap(kind, first, parent)
        self.then(partial(self._parts, first, stop, node), self.end(node, stop), rest)

    def _statement(self, first: int, last: int) -> tuple[int, str]:
        """Return where the statement that begins here ends, and what it is."""
        kind = "node"
        text = self.text(first).lower()
        if text in (b"strict", b"graph", b"digraph") and self._is_graph(first, last):
            return self._after_body(first, last), "graph"
        if text in (b"graph", b"node", b"edge"):
            kind = "defaults"
        at = self._after_end(first, last)
        if self._is(at, last, b"="):
            kind, at = "attribute", self._after_end(at + 1, last)
        while self._is(at, last, b"->", b"--"):
            kind, at = "edge", self._after_end(at + 1, last)
        if kind == "node" and text in (b"subgraph", b"{"):
            kind = "subgraph"
        while at in self.pairs and self.text(at) == b"[":
            at = self.pairs[at] + 1
        return max(at + self._is(at, last, b";"), first + 1), kind

    def _is(self, at: int, last: int, *texts: bytes) -> bool:
        return at < last and not self.tokens[at].named and self.text(at) in texts

    def _is_graph(self, first: int, last: int) -> bool:
        return self._after_body(first, last) > first

    def _after_body(self, first: int, last: int) -> int:
        """Return what comes after a body that is near; where it began if there is none."""
        for at in range(first, min(first + 4, last)):
            if at in self.pairs and self.text(at) == b"{":
                return self.pairs[at] + 1
            if at in self.pairs or (not self.tokens[at].named and self.text(at) in b";[]}="):
                break
        return first

    def _after_end(self, at: int, last: int) -> int:
        """Return what comes after one end of an edge: a name with its port, or a subgraph."""
        if at >= last:
            return last
        if self.text(at).lower() == b"subgraph" or self._is(at, last, b"{"):
            body = self._after_body(at, last)
            return body if body > at else at + 1
        at = self.pairs.get(at, at) + 1
        while self._is(at, last, b":") and at + 1 < last and self.tokens[at + 1].kind in _VALUES:
            at += 2
        return at

    def _parts(self, first: int, last: int, parent: int) -> None:
        """Add what a statement is made of."""
        work: list[Work] = []
        for at in self.top(first, last):
            if at in self.pairs:
                kind = {b"{": "body", b"[": "attributes"}.get(self.text(at), "group")
                work.append(partial(self._bracket, at, kind, parent))
            else:
                work.append(partial(self.leaf, at, parent))
        self.then(*work)

    def _bracket(self, at: int, kind: str, parent: int) -> None:
        stop = self.pairs[at]
        node = self.wrap(kind, at, parent)
        self.leaf(at, node)
        inside = self._attributes if kind == "attributes" else self._statements
        self.then(
            partial(inside, at + 1, stop, node),
            partial(self.leaf, stop, node),
            self.end(node, stop + 1),
        )

    def _attributes(self, first: int, last: int, parent: int) -> None:
        """Add ``name=value`` as nodes, with what is between them."""
        while first < last:
            if first in self.pairs:  # there is no such thing; it is taken as it comes
                stop = self.pairs[first] + 1
                again = partial(self._attributes, stop, last, parent)
                self.then(partial(self._bracket, first, "group", parent), again)
                return
            stop = first + 1
            if self._is(stop, last, b"=") and stop + 1 < last and stop + 1 not in self.pairs:
                stop += 2
                node = self.wrap("attribute", first, parent)
                for at in range(first, stop):
                    self.leaf(at, node)
                self.end(node, stop)()
            else:
                self.leaf(first, parent)
            first = stop


def _tokens(content: bytes) -> list[Token]:
    """Return the tokens of a text; ``<…>`` is one of them, since what is inside is not ours."""
    found: list[Token] = []
    at, looks = 0, True
    while (match := _TOKEN.search(content, at)) is not None:
        token = token_of(match)
        if looks and match[0] == b"<":
            stop = _after_markup(content, token.start)
            looks = stop > 0  # with one that is never closed, the others would be asked in vain
            if looks:
                token = Token("markup", token.start, stop, named=True)
        found.append(token)
        at = token.stop
    return found


def _after_markup(content: bytes, start: int) -> int:
    """Return where the ``<`` that is here is closed; 0: nowhere."""
    depth = 0
    for match in _ANGLE.finditer(content, start):
        depth += 1 if match[0] == b"<" else -1
        if not depth:
            return match.end()
    return 0
