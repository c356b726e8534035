"""What our own parsers have in common: tokens, brackets that belong together, and waiting work.

Nothing here calls itself: texts can be nested deeper than Python's stack allows.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from wynot.core.tree import Tree

BRACKETS: Mapping[bytes, bytes] = {b")": b"(", b"]": b"[", b"}": b"{"}
_EITHER = frozenset({*BRACKETS, *BRACKETS.values()})
NEWLINE = "newline"
MARK_KIND = "mark"
_MAX_MARK_BYTES = 2
UNCLOSED = (
    rb'(?>(?:(?>(?:[^"\\\n]|\\[^"\n])*)\\")+)',
    rb"(?>(?:(?>(?:[^'\\\n]|\\[^'\n])*)\\')+)",
)
"""The rest of a string in either quotes that its line does not close, up to its last escaped quote:
one token, since otherwise each of these quotes begins a string that has no end either."""
MAX_LEVELS_PEELED = 16
"""How many levels of brackets are taken away at once: to look at each by itself takes longer."""


class Token(NamedTuple):
    """A stretch of text with what it is; only marks, keywords and line ends are not named."""

    kind: str
    start: int
    stop: int
    named: bool


Work = Callable[[], None]


def tokens(pattern: re.Pattern[bytes], content: bytes) -> list[Token]:
    """Return the tokens of a text, by a pattern with a group for all but white space."""
    return [token_of(match) for match in pattern.finditer(content)]


def token_of(match: re.Match[bytes]) -> Token:
    """Return a token: the group that matched is its kind, and if in capitals it is but a mark."""
    kind = match.lastgroup or ""
    return Token(kind.lower(), match.start(), match.end(), named=not kind.isupper())


class Nesting:
    """A tree that grows out of tokens."""

    def __init__(self, root: str, content: bytes, found: Sequence[Token]) -> None:
        self.tree = Tree()
        self.content = content
        self.tokens = found
        self.pairs = pairs(content, found)
        """Where the bracket is closed that is opened at a token."""
        self._partners = self.pairs.keys() | set(self.pairs.values())
        self._waiting: list[Work] = []
        self.tree.open(root, 0, 0)

    def grow(self, *work: Work) -> Tree:
        """Do this work, and what it brings, and return the tree."""
        self.then(*work)
        while self._waiting:
            self._waiting.pop()()
        self.tree.close(0, len(self.content))
        return self.tree

    def then(self, *work: Work) -> None:
        """Do this work next, in its order, before all that waits already."""
        self._waiting.extend(reversed(work))

    def text(self, number: int) -> bytes:
        """Return the text of a token."""
        token = self.tokens[number]
        return self.content[token.start : token.stop]

    def leaf(self, number: int, parent: int) -> None:
        """Add a token to the tree; white space is none, and a bracket without partner a flaw."""
        token = self.tokens[number]
        if token.kind == NEWLINE:
            return
        if token.named:
            self.tree.leaf(token.kind, token.start, token.stop, parent)
            return
        text = self.text(number)
        # A mark is called what it is, but of long ones there can be more than a tree has room for.
        is_long = token.kind == MARK_KIND and len(text) > _MAX_MARK_BYTES
        name = MARK_KIND if is_long else text.lower().decode("utf-8", "replace")
        node = self.tree.leaf(name, token.start, token.stop, parent, named=False)
        if text in _EITHER and number not in self._partners:
            self.tree.mark_flaw(node)

    def wrap(self, kind: str, first: int, parent: int) -> int:
        """Begin a node with this token; it is ended by ``end``."""
        return self.tree.open(kind, self.tokens[first].start, parent)

    def end(self, node: int, last: int) -> Work:
        """Return the work that ends a node after its last token but one: ``last`` is not in it."""
        return lambda: self.tree.close(node, self.tokens[last - 1].stop)

    def trim(self, first: int, last: int) -> tuple[int, int]:
        """Return a range of tokens without the line ends around it."""
        while first < last and self.tokens[first].kind == NEWLINE:
            first += 1
        while first < last and self.tokens[last - 1].kind == NEWLINE:
            last -= 1
        return first, last

    def top(self, first: int, last: int) -> list[int]:
        """Return those tokens of a range that are in no bracket of it, without what closes them."""
        found = []
        while first < last:
            found.append(first)
            first = self.pairs.get(first, first) + 1
        return found


def pairs(content: bytes, found: Sequence[Token]) -> dict[int, int]:
    """Return which bracket closes which; one that has no partner is in no pair."""
    closed: dict[int, int] = {}
    waiting: list[tuple[bytes, int]] = []
    count = dict.fromkeys(BRACKETS.values(), 0)
    for number, token in enumerate(found):
        if token.named or token.stop - token.start != 1:
            continue
        text = content[token.start : token.stop]
        if text in count:
            waiting.append((text, number))
            count[text] += 1
        elif count.get(BRACKETS.get(text, b""), 0):
            # What was opened since then, and is not closed, has no partner.
            while True:
                opener, place = waiting.pop()
                count[opener] -= 1
                if opener == BRACKETS[text]:
                    closed[place] = number
                    break
    return closed


def peeled(brackets: bytes) -> bytes:
    """Return brackets without those that are a pair, as far as they are not nested deeply."""
    before = b""
    for _ in range(MAX_LEVELS_PEELED):
        if brackets == before:
            break
        before = brackets
        brackets = brackets.replace(b"()", b"").replace(b"[]", b"").replace(b"{}", b"")
    return brackets


def unpaired(brackets: bytes) -> int:
    """Return how many brackets have no partner, as `pairs` finds it, without a tree.

    Those that close at the start, or open at the end, have none: of an unclosed nest that is all.
    """
    inner = brackets.lstrip(b"".join(BRACKETS)).rstrip(b"".join(BRACKETS.values()))
    marks = [Token(MARK_KIND, at, at + 1, named=False) for at in range(len(inner))]
    return len(brackets) - 2 * len(pairs(inner, marks))
