"""What needs a node, and what only a node needs, commas among them.

What needs a node is the smallest statement, or other member of a list, around each further mention
of a name that the node gives; and what needs that, in turn.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wynot.core.deltas import NONE, Deltas
from wynot.core.system.recent import Recent
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, Forest, NodeId, TokenId
from wynot.passes.trees.mentions import Mentions


class Members(NamedTuple):
    """The children of a node that has commas."""

    children: Sequence[NodeId]
    firsts: Sequence[int]
    """The first token of each."""
    commas: Sequence[int]
    """The tokens that are commas."""


@dataclass(slots=True)
class Commas:
    """Finds commas; how long that takes depends on what goes, not on how long a list is."""

    forest: Forest
    _members: dict[NodeId, Members | None] = field(default_factory=dict)
    """Of nodes that were asked about; None: one without commas."""

    def without(self, nodes: Sequence[NodeId], kept: Deltas) -> Iterator[int]:
        """Return a comma for each node that goes.

        It is the one before it, or, if nothing is left before it, the one behind.
        """
        forest = self.forest
        parents = {forest.parents[node] for node in nodes}
        lists = [(parent, found) for parent in parents if (found := self._of(parent))]
        if not lists:
            return
        gone = Deltas.covering((forest.firsts[node], forest.ends[node]) for node in nodes)
        for parent, members in lists:
            yield from self._in_list(parent, members, gone, forest.marks(kept))

    def _in_list(
        self, parent: NodeId, members: Members, gone: Deltas, kept: bytes
    ) -> Iterator[int]:
        start = self._first_left(parent, members, gone, kept)
        yield from filter(kept.__getitem__, members.commas[: bisect_left(members.commas, start)])
        bounds = gone.bounds
        # The runs that reach into what comes after, each with the members that begin in it.
        for at in range(bisect_right(bounds, start) // 2, len(bounds) // 2):
            low = bisect_left(members.firsts, max(bounds[2 * at], start))
            high = bisect_left(members.firsts, bounds[2 * at + 1])
            if low == len(members.firsts):
                break
            for place in range(low, high):
                if self._is_element(members.children[place], kept):
                    yield from self._before(members, place, kept)

    def _first_left(self, parent: NodeId, members: Members, gone: Deltas, kept: bytes) -> int:
        """Return the first token of the first element that stays, or the end of the list."""
        forest = self.forest
        end = forest.ends[parent]
        token = kept.find(1, forest.firsts[parent], end)
        while token >= 0:
            child = members.children[bisect_right(members.firsts, token) - 1]
            if forest.is_named(child) and forest.firsts[child] not in gone:
                return forest.firsts[child]
            token = kept.find(1, forest.ends[child], end)
        return end

    def _before(self, members: Members, place: int, kept: bytes) -> Iterator[int]:
        """Return the last comma before a member, if it is not before another one."""
        forest = self.forest
        token = kept.rfind(1, 0, members.firsts[place])
        while token >= members.firsts[0]:
            child = members.children[bisect_right(members.firsts, token) - 1]
            if forest.is_named(child):
                return
            if forest.kind(child) == ",":
                yield token
                return
            token = kept.rfind(1, 0, forest.firsts[child])

    def _is_element(self, child: NodeId, kept: bytes) -> bool:
        forest = self.forest
        return (
            forest.is_named(child) and kept.find(1, forest.firsts[child], forest.ends[child]) >= 0
        )

    def _of(self, parent: NodeId) -> Members | None:
        if parent not in self._members:
            forest = self.forest
            children = list(forest.children(parent))
            firsts = [forest.firsts[child] for child in children]
            commas = [forest.firsts[child] for child in children if forest.kind(child) == ","]
            self._members[parent] = Members(children, firsts, commas) if commas else None
        return self._members[parent]


MAX_DEPENDENTS = 2000
"""How many places may need a node; with more it is hopeless."""

KEPT_DEPENDENTS = 256
"""Of how many nodes it is remembered what needs them."""


@dataclass(slots=True)
class Coupling:
    """Finds what hangs together by names."""

    forest: Forest
    _mentions: Mentions = field(init=False)
    _commas: Commas = field(init=False)
    _dependents: Recent[tuple[tuple[NodeId, ...], int, bool], Deltas] = field(
        default_factory=lambda: Recent(KEPT_DEPENDENTS)
    )
    """What was found: it is looked for to see what it is worth, and to try it."""
    _homes: dict[int, NodeId] = field(default_factory=dict)
    """Of a name the statement that gives it."""
    _statements: "tuple[array[int], array[int]]" = field(init=False)
    """Of each token the statement that it is in, and the nearest; -1: not looked for yet."""

    def __post_init__(self) -> None:
        self._mentions, self._commas = Mentions(self.forest), Commas(self.forest)
        unknown = array("i", (-1,)) * len(self.forest.leaves)
        self._statements = unknown, unknown[:]

    def with_dependents(
        self, nodes: Sequence[NodeId], kept: Deltas, *, nearest: bool = False
    ) -> Deltas:
        """Return the tokens of some nodes and of all that needs them; none if nothing does."""
        if not self._mentions.names:
            return NONE
        key = tuple(nodes), kept.key, nearest
        return self._dependents.get(key, lambda: self._depending(nodes, kept, nearest=nearest))

    def _depending(self, nodes: Sequence[NodeId], kept: Deltas, *, nearest: bool) -> Deltas:
        gone, there = self._marks(nodes), self.forest.marks(kept)
        queue, ordered = list(nodes), sorted(nodes)
        done: set[int] = set()
        for node in queue:
            for name in self._mentions.defined_by(node):
                if name in done:  # many places give it, and all are gone that mention it
                    continue
                done.add(name)
                for token in self._mentions.tokens[name]:
                    if gone[token] or not there[token]:
                        continue
                    place = self._statement(token, nearest=nearest)
                    if (
                        place == ROOT_NODE
                        or self._holds_any(place, ordered)
                        or len(queue) > MAX_DEPENDENTS
                    ):
                        return NONE
                    queue.append(place)
                    self._mark(gone, place)
        return NONE if len(queue) == len(nodes) else self._tokens(self._own(queue, kept), kept)

    def with_orphans(self, nodes: Sequence[NodeId], kept: Deltas) -> Deltas:
        """Return the tokens of some nodes and of what only they use; none if there is no such.

        Some languages refuse what nobody uses; and to no other it is a loss.
        """
        found = self._own(nodes, kept) if self._mentions.names else nodes
        return NONE if len(found) == len(nodes) else self._tokens(found, kept)

    def _own(self, nodes: Sequence[NodeId], kept: Deltas) -> list[NodeId]:
        """Return some nodes with what only they use, and what only that uses, in turn."""
        gone, there = self._marks(nodes), self.forest.marks(kept)
        queue, ordered = list(nodes), sorted(nodes)
        for node in queue:
            for name in self._mentions.inside(node, kept, there):
                home = self._home(name)
                if home == ROOT_NODE or gone[self.forest.firsts[home]]:
                    continue
                first, last = self.forest.firsts[home], self.forest.ends[home]
                if self._holds_any(home, ordered) or any(
                    there[token] and not gone[token] and not first <= token < last
                    for token in self._mentions.tokens[name]
                ):
                    continue
                queue.append(home)
                self._mark(gone, home)
        return queue

    def _tokens(self, nodes: Sequence[NodeId], kept: Deltas) -> Deltas:
        """Return the tokens of nodes, and the commas that would part nothing without them."""
        firsts, ends = self.forest.firsts, self.forest.ends
        runs: list[tuple[int, int]] = [(firsts[node], ends[node]) for node in nodes]
        runs += ((comma, comma + 1) for comma in self._commas.without(nodes, kept))
        return Deltas.covering(runs).common(kept)

    def _marks(self, nodes: Iterable[NodeId]) -> bytearray:
        """Return of each token whether it is in one of these nodes."""
        marks = bytearray(len(self.forest.leaves))
        for node in nodes:
            self._mark(marks, node)
        return marks

    def _mark(self, marks: bytearray, node: NodeId) -> None:
        first, last = self.forest.firsts[node], self.forest.ends[node]
        marks[first:last] = b"\1" * (last - first)

    def _holds_any(self, outer: NodeId, ordered: Sequence[NodeId]) -> bool:
        """Tell whether one of some nodes, which are in order, is in another one, or is it."""
        place = bisect_left(ordered, outer)
        return place < len(ordered) and ordered[place] < self.forest.subtree_ends[outer]

    def _home(self, name: int) -> NodeId:
        """Return the statement, or other member of a list, that gives a name."""
        home = self._homes.get(name)
        if home is None:
            home = self._homes[name] = self._statement(self._mentions.definer(name), nearest=True)
        return home

    def _statement(self, token: TokenId, *, nearest: bool) -> NodeId:
        """Return the smallest member of a list around a token; in data, of one without keys."""
        found = self._statements[nearest]
        if found[token] < 0:
            found[token] = self._find_statement(token, nearest=nearest)
        return NodeId(found[token])

    def _find_statement(self, token: TokenId, *, nearest: bool) -> NodeId:
        forest = self.forest
        node = forest.leaves[token]
        language = forest.language(node)
        if language.lisp_like:
            return self._form(node, nearest=nearest)
        is_data = not language.names and not nearest
        while node != ROOT_NODE:
            above = forest.kind(forest.parents[node])
            if kinds.ends_mention(above) and not (is_data and kinds.is_entries(above)):
                return node
            node = forest.parents[node]
        return ROOT_NODE

    def _form(self, node: NodeId, *, nearest: bool) -> NodeId:
        """Return the outermost list around a token, in a language of lists; or the innermost."""
        forest = self.forest
        while node != ROOT_NODE:
            above = forest.parents[node]
            is_token = node + 1 == forest.subtree_ends[node]
            if forest.parents[above] == ROOT_NODE or (nearest and not is_token):
                return node
            node = above
        return ROOT_NODE
