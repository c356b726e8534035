"""Pruning: the structure that a forest is to the search.

What can be left out: some neighbouring siblings, with the separators between them; all that is
around a node, which hoists it (picireny's hoist, Perses' replacement by a descendant); the brackets
around nodes; a node with every place that needs it; and all comments at once.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import sub
from typing import cast

from wynot.core.deltas import NONE, Deltas
from wynot.passes.large.entry_points import Front
from wynot.passes.large.unused_code import MIN_LARGE_BYTES, MIN_LARGE_TOKENS, fingerprint_of
from wynot.passes.trees import kinds
from wynot.passes.trees.coupling import Coupling
from wynot.passes.trees.forest import ROOT_NODE, Forest, NodeId
from wynot.search.largest import Segment, Verb
from wynot.search.lists.split import halves


def string_statements(forest: Forest) -> Iterator[NodeId]:
    """Yield the statements that do nothing and are not all of a block, which would be empty."""
    for _, leaf in forest.token_leaves:
        if forest.kind(leaf) not in forest.language(leaf).strings:
            continue
        node, above = leaf, forest.parents[leaf]
        while not kinds.is_list(forest.kind(above)) and _is_all_of(forest, above, leaf):
            node, above = above, forest.parents[above]
        is_member = kinds.is_list(forest.kind(above)) and not _is_all_of(forest, above, leaf)
        if is_member and kinds.is_statement(forest.kind(node)):
            yield node


def _is_all_of(forest: Forest, node: NodeId, leaf: NodeId) -> bool:
    """Tell whether a node has no token but that of a leaf."""
    return (forest.firsts[node], forest.ends[node]) == (forest.firsts[leaf], forest.ends[leaf])


MAX_HOISTED = 6
"""How many descendants of its own kind a node may be replaced by."""
LOOKED_AT = 100
"""How many nodes are looked at to find them."""
MAX_ONLY_CHILDREN = 4
"""How many children a node may have for each to be tried as the only one."""
HOIST_ODDS = 0.1
"""How often hoisting works, before anything is known."""

COUPLED_BET = 0.25
"""How often something can go with what it is coupled with, as measured."""

DANGLING_SUFFIX = ", used elsewhere"
WITH = {Verb.USES: " with its uses", Verb.OWN: " with what it uses"}


@dataclass(slots=True)
class Prune:
    """Finds what can be left out of the trees, and how."""

    forest: Forest
    front: Front | None = None
    """All that is to be looked at, if it is not everything."""
    uses: Coupling = field(init=False)
    _elements: dict[NodeId, list[NodeId]] = field(default_factory=dict)
    _weights: Sequence[float] = ()
    """How many bytes the tokens of each node have; or what they are worth, in the front."""

    def __post_init__(self) -> None:
        self.uses = Coupling(self.forest)
        worth = self.forest.byte_offsets if self.front is None else self.front.worth
        reach = worth.__getitem__
        ends, firsts = map(reach, self.forest.ends), map(reach, self.forest.firsts)
        self._weights = list(map(sub, ends, firsts))

    def begin(self) -> Sequence[Segment]:
        """Start with all comments, and with what the files are made of."""
        if self.front is not None:
            return [self._segment((node,), Verb.DELETE) for node in self.front.nodes]
        forest = self.forest
        comments = tuple(
            node
            for node in forest.nodes
            if forest.is_named(node) and forest.kind(node) in forest.language(node).comments
        )
        remarks = (
            tuple(string_statements(forest)) if forest.byte_offsets[-1] >= MIN_LARGE_BYTES else ()
        )
        found = [self._segment(each, Verb.COMMENTS) for each in (comments, remarks) if each]
        return [*found, *self._inside(ROOT_NODE)]

    def ways(self, segment: Segment, kept: Deltas) -> Iterable[Deltas]:
        """Return what to take out."""
        nodes = _nodes(segment)
        match segment.verb:
            case Verb.DELETE:
                return self._delete(nodes, kept)
            case Verb.HOIST:
                return self._hoist(nodes[0], nodes[1], kept)
            case Verb.UNWRAP:
                return [_union(self._run(mark, kept) for mark in self._marks(nodes[0]))]
            case Verb.USES:
                return (
                    self.uses.with_dependents(nodes, kept, nearest=nearest)
                    for nearest in (False, True)
                )
            case Verb.OWN:
                return [self.uses.with_orphans(nodes, kept)]
            case _:
                return [_union(self._run(node, kept) for node in nodes)]

    def finer(self, segment: Segment, kept: Deltas) -> Iterable[Segment]:
        """Cut a run of siblings in two; of a single node try what is inside."""
        if segment.verb not in {Verb.DELETE, Verb.COMMENTS}:
            return
        items = self._there(_nodes(segment), kept)
        if len(items) > 1:
            for half in halves(items, self._weights):
                plain = self._segment(half, segment.verb)
                coupled = list(self._coupled(half, kept)) if segment.verb == Verb.DELETE else []
                if any(each.verb == Verb.USES for each in coupled):
                    # It would leave names that nothing gives: which may or may not matter.
                    plain = plain._replace(category=plain.category + DANGLING_SUFFIX)
                yield from (plain, *coupled)
        elif items and segment.verb == Verb.DELETE:
            yield from self._inside(items[0])

    def _coupled(self, items: Sequence[NodeId], kept: Deltas) -> Iterator[Segment]:
        """Return the same with what needs it, and with what only it needs."""
        for verb, found in (
            (Verb.USES, self.uses.with_dependents(items, kept)),
            (Verb.OWN, self.uses.with_orphans(items, kept)),
        ):
            is_more = len(found) > sum(self.forest.left(kept, item) for item in items)
            if is_more and (len(kept) < MIN_LARGE_TOKENS or len(found) < len(kept) / 2):
                plain = self._segment(items, verb)
                yield plain._replace(weight=max(plain.weight, self.forest.bytes_of(found)))

    def fingerprint(self, segment: Segment) -> str:
        """Return the text of what would go."""
        return fingerprint_of(segment, self._texts(_nodes(segment)))

    def _texts(self, nodes: Iterable[NodeId]) -> Iterator[bytes]:
        forest = self.forest
        if len(forest.texts) > 1:
            yield from (forest.text(node) if forest.has_tokens(node) else b"" for node in nodes)
            return
        firsts, ends = forest.firsts, forest.ends
        for path, (starts, stops) in forest.tokens.items():
            content = forest.contents[path]
            for node in nodes:
                first, end = firsts[node], ends[node]
                yield content[starts[first] : stops[end - 1]] if first < end else b""

    def _inside(self, node: NodeId) -> Iterator[Segment]:
        """Return what a node can be reduced to that cannot go."""
        forest = self.forest
        node = forest.innermost(node)
        elements = self._children(node)
        if not elements:
            return
        yield self._segment(elements, Verb.DELETE)
        marks = self._marks(node)
        if marks and len(elements) > 1:
            weight = sum(map(self._weights.__getitem__, marks))
            yield Segment(weight, f"unwrap {forest.what(node)}", (node,), Verb.UNWRAP, HOIST_ODDS)
        if forest.parents[node] == ROOT_NODE:
            return  # a whole file: what is around a part of it goes by itself
        for child in self._hoistable(node, elements):
            category = f"hoist {forest.what(child)} out of {forest.what(node)}"
            weight = self._weights[node] - self._weights[child]
            yield Segment(weight, category, (node, child), Verb.HOIST, HOIST_ODDS)

    def _children(self, node: NodeId) -> list[NodeId]:
        """Return the children of a node that are more than punctuation."""
        found = self._elements.get(node)
        if found is None:
            found = self._elements[node] = self.forest.named(node)
        return found

    def _marks(self, node: NodeId) -> list[NodeId]:
        """Return the children of a node that are punctuation or keywords."""
        forest = self.forest
        return [child for child in forest.children(node) if not forest.is_named(child)]

    def _hoistable(self, node: NodeId, elements: Sequence[NodeId]) -> Iterator[NodeId]:
        """Return the nodes that could stand in a node's place."""
        forest = self.forest
        # Of a long list each member would be tried as the only one, which is next to hopeless.
        if len(elements) <= MAX_ONLY_CHILDREN:
            yield from elements
        if len(elements) == 1 and not forest.language(node).names:  # data: {"key": value}
            value = forest.child(elements[0], "value")
            if value != ROOT_NODE and forest.kinds[value] != forest.kinds[node]:
                yield value
        own, found, looked_at = forest.kinds[node], 0, 0
        if len(elements) > MAX_ONLY_CHILDREN:
            yield from [child for child in elements if forest.kinds[child] == own][:MAX_HOISTED]
        queue = list(elements)
        while queue and found < MAX_HOISTED and looked_at < LOOKED_AT:
            looked_at += 1
            for child in self._children(queue.pop(0)):
                if forest.kinds[child] == own:
                    found += 1
                    yield child
                else:
                    queue.append(child)

    def _segment(self, items: Sequence[NodeId], verb: Verb) -> Segment:
        forest = self.forest
        what = forest.what(items[0]) if self._are_alike(items) else "…"
        category = f"{forest.what(forest.parents[items[0]])}: {what}"
        if verb == Verb.COMMENTS:
            category = (
                verb.value
                if forest.kind(items[0]) in forest.language(items[0]).comments
                else "strings that do nothing"
            )
        elif verb in WITH:
            category += WITH[verb]
        weight = sum(map(self._weights.__getitem__, items))
        bet = COUPLED_BET if verb in WITH else None
        return Segment(weight, category, tuple(items), verb, bet=bet)

    def _are_alike(self, items: Sequence[NodeId]) -> bool:
        """Tell whether some nodes are of one kind; where that says little, by what they are."""
        forest = self.forest
        if any(language.lisp_like for _, language in forest.languages):
            return len(set(map(forest.what, items))) == 1
        return len(set(map(forest.kinds.__getitem__, items))) == 1

    def _there(self, items: Sequence[NodeId], kept: Deltas) -> tuple[NodeId, ...]:
        """Return those of some nodes of which any token is kept."""
        forest = self.forest
        firsts, ends, marks = forest.firsts, forest.ends, forest.marks(kept)
        return tuple(item for item in items if marks.find(1, firsts[item], ends[item]) >= 0)

    def _run(self, node: NodeId, kept: Deltas) -> Deltas:
        """Return the tokens of a node that are kept."""
        return self.forest.kept_between(kept, self.forest.firsts[node], self.forest.ends[node])

    def _delete(self, items: Sequence[NodeId], kept: Deltas) -> Iterator[Deltas]:
        """Return the tokens of siblings: with the separator behind them, before, or with none.

        The gate tells for nothing which of these the language wants.
        """
        forest = self.forest
        start, stop = forest.firsts[items[0]], forest.ends[items[-1]]
        parent = forest.parents[items[0]]
        behind = range(kept.rank(stop), kept.rank(forest.ends[parent]))
        before = range(kept.rank(start) - 1, kept.rank(forest.firsts[parent]) - 1, -1)
        after, ahead = (self._first_element(parent, where, kept) for where in (behind, before))
        ways = [
            (start, stop if after is None else forest.firsts[after]),
            (start if ahead is None else forest.ends[ahead], stop),
            (start, stop),
        ]
        yield from dict.fromkeys(forest.kept_between(kept, *way) for way in ways)

    def _first_element(self, parent: NodeId, places: range, kept: Deltas) -> NodeId | None:
        """Return the first child of a node, but for punctuation, among tokens at these places."""
        forest, siblings = self.forest, self._children(parent)
        for place in places:
            token = kept.index(place)
            at = bisect_right(siblings, token, key=forest.firsts.__getitem__) - 1
            if at >= 0 and token < forest.ends[siblings[at]]:
                return siblings[at]
        return None

    def _hoist(self, node: NodeId, child: NodeId, kept: Deltas) -> Iterator[Deltas]:
        """Return the tokens around a node."""
        inner = self._run(child, kept)
        if inner:
            yield self._run(node, kept).toggle(inner)


def _nodes(segment: Segment) -> tuple[NodeId, ...]:
    """Return the items of a segment, which here are nodes."""
    return cast("tuple[NodeId, ...]", segment.items)


def _union(sets: Iterable[Deltas]) -> Deltas:
    """Return what is in any of these sets, which have nothing in common."""
    return reduce(Deltas.toggle, sets, NONE)
