"""What our own parsers have in common: tokens, brackets, words that are like brackets.

Nothing here calls itself: texts can be nested deeper than Python's stack allows.

Words such as ``if`` and ``end`` are a pair only on one line, or on lines that are indented alike:
in texts that are no programs they mean something else.

A value inside of a string (``"${a}"``) is code, whatever the language: it is told apart from the
letters around it, so that it can be reduced, and can stand in the place of the string.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from wynot.core.texts.tree import Tree

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


class BracketGroups(Nesting):
    """A tree of groups, which are brackets with what they hold."""

    def sequence(self, first: int, last: int, parent: int) -> None:
        """Add tokens as they come, and brackets as groups."""
        work: list[Work] = []
        for at in self.top(first, last):
            if at in self.pairs:
                work.append(partial(self.group, at, parent))
            else:
                work.append(partial(self.leaf, at, parent))
        self.then(*work)

    def group(self, at: int, parent: int) -> None:
        """Add a bracket and what it holds."""
        self.bracket(at, parent, "group", self._inside)

    def bracket(
        self, at: int, parent: int, kind: str, inside: Callable[[int, int, int], None]
    ) -> None:
        """Add a bracket; what it holds is added by ``inside``."""
        stop = self.pairs[at]
        node = self.wrap(kind, at, parent)
        self.leaf(at, node)
        self.then(
            partial(inside, at + 1, stop, node),
            partial(self.leaf, stop, node),
            self.end(node, stop + 1),
        )

    def elements(self, first: int, last: int, parent: int) -> None:
        """Add what commas separate."""
        self._parted(first, last, parent, "element", self._commas(first, last))

    def part(
        self,
        kind: str,
        first: int,
        last: int,
        parent: int,
        inside: Callable[[int, int, int], None],
    ) -> Sequence[Work]:
        """Return the work that adds a part; one token, or one bracket, is added as it is."""
        first, last = self.trim(first, last)
        if first >= last:
            return []
        if self.pairs.get(first, first) == last - 1:
            return [partial(self.sequence, first, last, parent)]

        def begin() -> None:
            node = self.wrap(kind, first, parent)
            self.then(partial(inside, first, last, node), self.end(node, last))

        return [begin]

    def statements(self, first: int, last: int, parent: int) -> None:
        """Add what ``;`` and line ends separate; a ``;`` belongs to what is before it."""
        work: list[Work] = []
        begin = first
        for at in self.top(first, last):
            text = self.text(at)
            if text == b";" or self.tokens[at].kind == NEWLINE:
                work += self.part("statement", begin, at + 1, parent, self.elements)
                begin = at + 1
        work += self.part("statement", begin, last, parent, self.elements)
        self.then(*work)

    def _inside(self, first: int, last: int, parent: int) -> None:
        first, last = self.trim(first, last)
        commas = self._commas(first, last)
        if commas and self._are_all_between(commas, first, last):
            self._parted(first, last, parent, "element", commas)
        else:
            self.statements(first, last, parent)

    def _commas(self, first: int, last: int) -> list[int]:
        return [at for at in self.top(first, last) if self.text(at) == b","]

    def _are_all_between(self, commas: Sequence[int], first: int, last: int) -> bool:
        """Tell whether commas separate everything here: no ``;``, no line end without a comma."""
        known = set(commas)
        before = first
        for at in self.top(first, last):
            if self.text(at) == b";":
                return False
            if self.tokens[at].kind == NEWLINE:
                if before not in known:
                    return False
            else:
                before = at
        return True

    def _parted(self, first: int, last: int, parent: int, kind: str, marks: Sequence[int]) -> None:
        """Add the parts of a range with the marks between them; without any, what it holds."""
        if not marks:
            self.sequence(first, last, parent)
            return
        work: list[Work] = []
        for mark in marks:
            work += self.part(kind, first, mark, parent, self.sequence)
            work.append(partial(self.leaf, mark, parent))
            first = mark + 1
        work += self.part(kind, first, last, parent, self.sequence)
        self.then(*work)


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


STRING_OPENS, STRING_GOES_ON, STRING_CLOSES = "string_opens", "string_goes_on", "string_closes"
"""Kinds of the letters before, between and behind the values in a string."""

_PLAIN = rb'"(?:[^"\\\n]|\\.)*+"'
_ROUND = rb"\((?:[^()\"\\\n]|\\(?!\")|" + _PLAIN + rb")*+\)"
_BRACES = rb"\{(?:[^{}\"\\\n]|\\(?!\")|" + _PLAIN + rb")*+\}"
_VALUE = (
    rb"(?:\\\((?:[^()\"\\\n]|\\(?!\")|" + _PLAIN + rb"|" + _ROUND + rb")*+\)"
    rb"|[\#$]\{(?:[^{}\"\\\n]|\\(?!\")|" + _PLAIN + rb"|" + _BRACES + rb")*+\})"
)
"""A value in a string: it may have strings, and one more level of its own brackets. An
escaped quote is none of its own: it belongs to the string around it."""
STRING = (
    rb'"(?:(?:' + _VALUE + rb'|[^"\\\n]|\\.)*+"|' + UNCLOSED[0] + rb")"
    rb"|'(?<![\w\x80-\xff]')(?:(?:[^'\\\n]|\\.)*+'|" + UNCLOSED[1] + rb")"
)  # fmt: skip
"""A string, for verbose patterns. None goes on in the next line."""
_TOKEN = re.compile(
    rb"(?P<string>"
    + STRING
    + rb""")
    | (?P<number>[0-9](?:[eEpP][-+](?=[0-9])|[.\w])*)
    | (?P<word>[\w\x80-\xff]+)
    | (?P<NEWLINE>\n)
    | (?P<MARK>[-+*/%=<>!&|^~?:.]+|\S)""",
    re.VERBOSE,
)
_VALUES = re.compile(rb"(?P<value>" + _VALUE + rb")|\\.", re.VERBOSE | re.DOTALL)
_OPENING_BYTES = 2
_NO_BRACKETS = bytes(set(range(256)) - set(b"()[]{}"))
_HAS_VALUE = re.compile(rb"\\\(|[#$]\{")
_STRING = re.compile(STRING, re.VERBOSE)


def text_tokens(content: bytes) -> list[Token]:
    """Return the tokens of a text of which nothing is known."""
    return list(_tokens(content, 0, len(content)))


def _tokens(content: bytes, start: int, stop: int) -> Iterator[Token]:
    for match in _TOKEN.finditer(content, start, stop):
        token = token_of(match)
        if token.kind == "string" and _HAS_VALUE.search(content, token.start, token.stop):
            yield from _pieces(content, token)
        else:
            yield token


def _pieces(content: bytes, string: Token) -> Iterator[Token]:
    """Return a string in pieces, if all brackets of its values have a partner there."""
    values = [
        (match.start() + _OPENING_BYTES, match.end() - 1)
        for match in _VALUES.finditer(content, string.start + 1, string.stop - 1)
        if match["value"]
    ]
    if not values or not all(_is_balanced(content[start:stop]) for start, stop in values):
        yield string
        return
    reached, kind = string.start, STRING_OPENS
    for start, stop in values:
        yield Token(kind, reached, start, named=False)
        yield from _tokens(content, start, stop)
        reached, kind = stop, STRING_GOES_ON
    yield Token(STRING_CLOSES, reached, string.stop, named=False)


def _is_balanced(value: bytes) -> bool:
    """Tell whether all brackets have a partner, and are not nested too deeply to see that."""
    return not peeled(_STRING.sub(b"", value).translate(None, _NO_BRACKETS))
