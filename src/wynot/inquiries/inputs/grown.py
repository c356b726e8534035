"""A failing file that grows out of an empty one, along its tree.

A part of a program is a program only if what holds it together is there: a statement needs its
function, the second argument a comma before it. So the deltas, one for each token, are not in the
order of the text: of each node first come the tokens that hold it together, its *frame*, and then
its items, each in the same way. Then every beginning of the deltas is a whole of some kind, and
since `dd` (``003`` Fig. 15) tries beginnings first, most of its tests are resolved.

Of ``[1, {"k": [2, 3]}]`` the frame of the outer list is ``[ ]``, and it has two items. The comma
goes with the second, as it would part nothing without it; that item's frame is ``, { }``. So the
deltas come in this order, here with a bar before each group of the finest level of items::

    [ ] | 1 | , { } | : " k " [ ] | 2 | , 3

and these are the beginnings that end with a group, each a text that can be read::

    []   [1]   [1, {}]   [1, {"k": []}]   [1, {"k": [2]}]   [1, {"k": [2, 3]}]
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files, RenderedCase
from wynot.core.texts.tree import Tree
from wynot.formats.detect import syntax_errors_of
from wynot.inquiries.circumstances import Level
from wynot.inquiries.inputs.circumstance import Granularity, NeighbourGroups, digest_of
from wynot.inquiries.inputs.edits import InputSource


@dataclass(slots=True)
class _Node:
    """A node and what is in it, as numbers of tokens: its frame, and its items.

    The frame is in parts: the node's own tokens, then those of nodes inside that are no items.
    """

    frame: "list[_Part]" = field(default_factory=list)
    items: "list[_Node]" = field(default_factory=list)


class _Part(NamedTuple):
    """The tokens of one node of a frame, such as a pair of brackets."""

    depth: int
    """How far inside of the frame it is."""
    tokens: list[int]


@dataclass(slots=True)
class _Open:
    """A node that is gone through."""

    children: Iterator[int]
    own: "list[int]"
    """Where its tokens go."""
    is_list: bool
    needs_one: bool = False
    """Whether it needs an item, any: then the first one holds it together."""
    between: "list[int]" = field(default_factory=list)
    """Tokens after the last item: they go with the next one, or else hold the node together."""
    has_items: bool = False


class Grown(RenderedCase):
    """One file; with no delta it is empty, with all of them it is there."""

    granularity: Granularity = "lines"
    """What it is in the place of: what is inside of a frame is parted by nodes, as usual."""

    def __init__(self, failing: Files, source: InputSource, tree: Tree) -> None:
        self._path = source.path
        self._content = source.content
        tokens = tree.tokens
        starts = [0, *(tree.starts[token] for token in tokens[1:]), len(source.content)]
        self._spans = list(pairwise(starts))
        whole = _Arranged(source, tree, tokens).whole
        self._tokens = array("q")
        """The token of each delta."""
        self._depths = depths = array("l")
        """The depth at which each delta begins a group of its own; 0: it does not."""
        inner = array("l")
        """The same inside of a frame."""
        for frame, depth in _in_order(whole):
            for place, (within, part) in enumerate(frame):
                depths.extend([0 if place else depth] + [0] * (len(part) - 1))
                inner.extend([within if place else 0] + [0] * (len(part) - 1))
                self._tokens.extend(part)
        super().__init__(failing, len(self._tokens))
        self.depth = max(depths, default=1)
        """How many of the levels are items inside of items; those after them part frames."""
        self.levels = _grouped(depths, inner)

    @classmethod
    def of(cls, failing: Files) -> "Grown | None":
        """Return the file as it grows; None if it is not one file with a tree."""
        if len(failing.contents) != 1 or failing.links:
            return None
        [(path, content)] = failing.contents.items()
        if "/" in path:  # of a folder: there it would be missing, and not empty
            return None
        source = InputSource(path, content)
        if not source.is_known or source.tree is None or not source.tree.tokens:
            return None
        return cls(failing, source, source.tree)

    def skeletons(self) -> Iterator[Deltas]:
        """Yield the frames down to each depth but the last: the file without its inner items.

        Where an empty file is no input at all, as in JSON, one of them may be one that passes.
        """
        depth, owned = 0, array("l")
        for each in self._depths:
            depth = each or depth
            owned.append(depth)
        for most in range(1, max(owned)):
            yield Deltas.of(at for at, each in enumerate(owned) if each <= most)

    def _write(self, candidate: Candidate) -> Files:
        return self.written(candidate.kept)

    def _digest(self, files: Files) -> bytes:
        return digest_of(files)

    def written(self, kept: Deltas) -> Files:
        """Return the file with these tokens in it."""
        there = sorted(self._tokens[delta] for delta in kept)
        content, spans = self._content, self._spans
        text = b"".join(content[spans[each][0] : spans[each][1]] for each in there)
        return Files({self._path: text}, self.files.modes)

    def objection(self, _candidate: Candidate) -> str:
        """Any tokens can be there."""
        return ""


def _grouped(depths: Sequence[int], inner: Sequence[int]) -> tuple[Level, ...]:
    """Return the levels: items inside of items, and then what is inside of frames."""
    count = len(depths)
    found = [
        [at for at, each in enumerate(depths) if not at or 0 < each <= most]
        for most in range(1, max(depths, default=1) + 1)
    ]
    for most in range(1, max(inner, default=0) + 1):
        parts = [at for at in range(count) if not at or depths[at] or 0 < inner[at] <= most]
        if len(parts) > len(found[-1]):
            found.append(parts)
    return tuple(Level("nodes", NeighbourGroups(firsts, count)) for firsts in found)


def _in_order(whole: _Node) -> Iterator[tuple[list[_Part], int]]:
    """Go through the nodes, parents before their items; yield the frames that are not empty."""
    waiting = [(whole, 1)]
    while waiting:
        node, depth = waiting.pop()
        frame = [part for part in node.frame if part.tokens]
        if frame:
            yield frame, depth
        waiting += [(item, depth + 1) for item in reversed(node.items)]


class _Arranged:
    """Arranges the tokens of a tree by what holds together."""

    def __init__(self, source: InputSource, tree: Tree, tokens: Sequence[int]) -> None:
        self._source, self._tree = source, tree
        self._numbers = {token: number for number, token in enumerate(tokens)}
        self._are_lists: dict[tuple[int, bool], bool] = {}
        self.whole = _Node()
        waiting = [(0, self.whole)]
        while waiting:
            number, node = waiting.pop()
            waiting += self._split(number, node)

    def _split(self, number: int, node: _Node) -> list[tuple[int, _Node]]:
        """Fill a node's frame and its items; return the items, which are yet to be split."""
        found: list[tuple[int, _Node]] = []
        own = _Part(0, [])
        node.frame.append(own)
        around = [self._open(number, own.tokens)]
        while around:
            inner = around[-1]
            child = next(inner.children, None)
            if child is None:
                around.pop()
                inner.own += inner.between
            elif inner.is_list and not inner.needs_one and self._is_item(child):
                item = _Node([_Part(0, inner.between)])
                inner.between, inner.has_items = [], True
                node.items.append(item)
                found.append((child, item))
            elif child in self._numbers:
                (inner.between if inner.has_items else inner.own).append(self._numbers[child])
            else:
                inner.own += inner.between
                inner.between, inner.needs_one = [], False
                part = _Part(len(around), [])
                node.frame.append(part)
                around.append(self._open(child, part.tokens))
        if number in self._numbers:
            own.tokens.append(self._numbers[number])
        return found

    def _open(self, number: int, own: list[int]) -> _Open:
        """Begin to go through a node.

        A list without any sign around it, as a block is in Python, is not there without an item.
        """
        tree, language = self._tree, self._source.language
        is_bare = all(map(self._is_item, tree.children(number)))
        newline_sensitive = language is not None and language.newline_sensitive
        is_list = self._is_list(number)
        needs_one = bool(number) and is_list and newline_sensitive and is_bare
        return _Open(tree.children(number), own, is_list, needs_one)

    def _is_item(self, number: int) -> bool:
        """Tell whether a node is one of many that its parent may have, nothing in particular."""
        return self._tree.is_named(number) and not self._tree.field(number)

    def _is_list(self, number: int) -> bool:
        """Tell whether a node can do without its items; one of each kind is tried.

        A string is a whole: an empty one is hardly ever what is meant.
        """
        tree, language = self._tree, self._source.language
        if language is None or tree.kind(number) in language.strings:
            return False
        items = [child for child in tree.children(number) if self._is_item(child)]
        if not items or number == 0:
            return bool(items)
        key = tree.kinds[number], len(items) > 1
        known = self._are_lists.get(key)
        if known is None:
            known = self._are_lists[key] = self._can_do_without(items)
        return known

    def _can_do_without(self, items: Sequence[int]) -> bool:
        """Tell whether the text follows the grammar as well without some neighbours."""
        tree, content, language = self._tree, self._source.content, self._source.language
        if language is None:
            return False
        start, stop = tree.starts[items[0]], tree.stops[items[-1]]
        return syntax_errors_of(language, content[:start] + content[stop:]) <= tree.syntax_errors
