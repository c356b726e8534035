"""Names: what can be said shorter at every mention of a name at once.

A declaration and its uses often have to change together: an array becomes a plain variable only if
it is nowhere indexed, two variables become one only if all mentions agree. Where a name is used
something plain can stand instead, and its declaration goes: a table of SQL is as good as
``(SELECT 1)``, a type of C as ``int``.
"""

from collections.abc import Iterator, Sequence
from heapq import nlargest
from itertools import islice, permutations
from operator import attrgetter

from wynot.core.texts.rewrites import Patch, Rewrite
from wynot.passes.rewrites.definitions import removable_definition
from wynot.passes.rewrites.tree_queries import (
    ACCESS,
    LARGE_FOREST,
    OPENING,
    is_binding,
    is_declared_in_list,
    is_mark,
    mentions,
    outermost_equal,
    removal,
    replacement,
    rewrite,
)
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, ByteRange, Forest, NodeId, TokenId

FEW_NAMES = 10
"""Up to how many names there are pairs of them are looked at."""
MOST_TOKENS = 200
"""How often a name may be mentioned to become 0."""
MAX_MERGES = 24
"""How many rewrites there are at most, those that gain most: in vain each takes two tests."""
MOST_USES, MOST_STAND_INS = 3, 24
MOST_TEXTS = 2
"""How many texts from elsewhere are tried for a name."""
MAX_TEXT_BYTES = 16
"""Bytes of such a text."""
_POINTS = frozenset({b"*", b"&", b"**", b"&&", b"&mut"})
_IN_TURN = 3


class Declared:
    """The declaration of a name, and nothing else."""

    def __init__(self, forest: Forest, node: NodeId) -> None:
        self.node = node
        self.removal = removal(forest, node)
        self._tokens = forest.tokens_of(node)

    def __contains__(self, token: TokenId) -> bool:
        return token in self._tokens


def bare(forest: Forest) -> Iterator[Rewrite]:
    """Take what is around a name away wherever it is: its indices, its types, its pointers."""
    found = (
        each
        for tokens in mentions(forest).values()
        if len(tokens) > 1 and (len(tokens) == 2 or len(forest.kinds) <= LARGE_FOREST)  # noqa: PLR2004
        for each in _bare(forest, tokens)
    )
    yield from nlargest(MAX_MERGES, found, key=attrgetter("gain"))


def _bare(forest: Forest, tokens: Sequence[TokenId]) -> Iterator[Rewrite]:
    for bracket in (b"[", b"<", b"("):
        runs = [run for token in tokens for run in brackets_behind(forest, token, bracket)]
        if len(runs) > 1 and (
            bracket != b"(" or any(is_binding(forest, token) for token in tokens)
        ):
            close = OPENING[bracket]
            yield from _fewer(forest, tokens, bracket)
            category = f"without {bracket.decode()}{close.decode()} behind a name"
            found = rewrite(category, [replacement(forest, run) for run in runs])
            if found:
                yield found
    patches = [patch for token in tokens if (patch := _points_before(forest, token))]
    if patches:
        arrows = [patch for token in tokens if (patch := _arrow_behind(forest, token))]
        if len(patches) + len(arrows) > 1:
            found = rewrite("without * before a name", [*patches, *arrows])
            if found:
                yield found


def _fewer(forest: Forest, tokens: Sequence[TokenId], bracket: bytes) -> Iterator[Rewrite]:
    """Take away the first or the last of several brackets, wherever there are several."""
    if bracket != b"[":
        return
    several = [brackets_behind(forest, token, bracket) for token in tokens]
    several = [runs for runs in several if len(runs) > 1]
    for place in (0, -1) if len(several) > 1 else ():
        found = rewrite(
            "without one of several []", [replacement(forest, runs[place]) for runs in several]
        )
        if found:
            yield found


def brackets_behind(forest: Forest, token: TokenId, bracket: bytes) -> list[ByteRange]:
    """Return the brackets of one sort that follow a name, with all that is in them."""
    found: list[ByteRange] = []
    at = forest.leaves[token]
    for _ in range(_IN_TURN):
        at = outermost_equal(forest, at)
        above = forest.parents[at]
        if (
            above == ROOT_NODE
            or forest.parents[above] == ROOT_NODE
            or forest.ends[at] == forest.ends[above]
        ):
            break
        opening = forest.ends[at]
        if forest.word(opening) != bracket:
            break
        siblings = forest.children(above)
        behind = [child for child in islice(siblings, 40) if forest.firsts[child] >= opening]
        close = next(
            (child for child in behind if forest.word(forest.last(child)) == OPENING[bracket]),
            None,
        )
        if close is None:
            break
        found.append(forest.between(opening, forest.ends[close]))
        if forest.ends[close] != forest.ends[above]:
            break
        at = above
    return found


def _points_before(forest: Forest, token: TokenId) -> Patch | None:
    """Return the patch that takes away the star before a name."""
    at = outermost_equal(forest, forest.leaves[token])
    above = forest.parents[at]
    children = list(islice(forest.children(above), 4))
    marks = children[:-1]
    if children[-1:] != [at] or not marks or not all(is_mark(forest, mark) for mark in marks):
        return None
    if forest.text(marks[0]) not in _POINTS:
        return None
    return replacement(forest, forest.between(forest.firsts[marks[0]], forest.firsts[at]))


def _arrow_behind(forest: Forest, token: TokenId) -> Patch | None:
    """Return the patch that makes a member of what is pointed to one of the thing itself."""
    behind = TokenId(token + 1)
    if behind < len(forest.leaves) and forest.word(behind) == b"->":
        return Patch(*forest.span_of_token(behind), b".")
    return None


def merged(forest: Forest) -> Iterator[Rewrite]:
    """Take one name for another that is declared alike, and declare only that one."""
    names = mentions(forest)
    if len(names) > FEW_NAMES:
        return
    alike: dict[tuple[int, ...], list[tuple[bytes, Declared]]] = {}
    for name, tokens in names.items():
        place = declared(forest, tokens)
        if place is not None:
            leaf = forest.leaves[tokens[0]]
            key = forest.kinds[leaf], forest.fields[leaf], forest.kinds[place.node]
            alike.setdefault(key, []).append((name, place))
    for several in alike.values():
        for (name, place), (other, _) in permutations(several, 2):
            uses = [token for token in names[name] if token not in place]
            for text in dict.fromkeys((other, _with_types(forest, names[other]))):
                patches = [Patch(*forest.span_of_token(token), text) for token in uses]
                category = "merge names" if text == other else "merge names, with types"
                found = rewrite(category, [*place.removal, *patches])
                if found:
                    yield found


def _with_types(forest: Forest, tokens: Sequence[TokenId]) -> bytes:
    """Return a name with the types that it is last applied to: ``A<'_>``."""
    for token in reversed(tokens[1:]):
        for bracket in (b"<", b"["):
            runs = brackets_behind(forest, token, bracket)
            if runs:
                path, start, _ = forest.span_of_token(token)
                return forest.contents[path][start : runs[-1].stop]
    return forest.word(tokens[0])


def constant(forest: Forest) -> Iterator[Rewrite]:
    """Put 0 for a variable, and do not declare it."""
    found = (
        each
        for tokens in mentions(forest).values()
        if 1 < len(tokens) <= MOST_TOKENS and (each := _constant(forest, tokens))
    )
    yield from nlargest(MAX_MERGES, found, key=attrgetter("gain"))


def _constant(forest: Forest, tokens: Sequence[TokenId]) -> Rewrite | None:
    place = declared(forest, tokens)
    if place is None:
        return None
    patches = []
    for token in tokens:
        if token in place:
            continue
        behind = forest.word(TokenId(token + 1)) if token + 1 < len(forest.leaves) else b""
        kind = forest.kind(forest.leaves[token])
        if is_binding(forest, token) or behind in {b"(", b"="} or kinds.is_no_value(kind):
            return None
        if behind in ACCESS or (token and forest.word(TokenId(token - 1)) in ACCESS):
            return None
        patches.append(Patch(*forest.span_of_token(token), b"0"))
    return rewrite("name to 0", [*place.removal, *patches])


def declared(forest: Forest, tokens: Sequence[TokenId]) -> Declared | None:
    """Return where a name is declared; None: that cannot be told, or not be taken away."""
    first = next((token for token in tokens if is_binding(forest, token)), None)
    if first is None:
        return None
    uses = [token for token in tokens if token != first]
    at = removable_definition(forest, _named_by(forest, first), uses)
    if not uses or at == ROOT_NODE or forest.parents[at] == ROOT_NODE:
        return None
    if any(forest.holds(at, use) for use in uses):
        return None
    return Declared(forest, at)


def _named_by(forest: Forest, token: TokenId) -> NodeId:
    """Return what a name is the name of; of several that are declared together only the name."""
    at = outermost_equal(forest, forest.leaves[token])
    if is_declared_in_list(forest, at):
        return forest.parents[at]
    for _ in range(_IN_TURN):
        field, above = forest.fields[at], forest.parents[at]
        if forest.field_of(at) not in kinds.NAMING:
            return at
        if sum(forest.fields[child] == field for child in forest.children(above)) > 1:
            return at
        at = above
    return at


def adopted(forest: Forest) -> Iterator[Rewrite]:
    """Return for each name that is used a few times what could be there instead."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    texts = _texts(forest)
    count = 0
    for tokens in mentions(forest).values():
        place = declared(forest, tokens) if 1 < len(tokens) <= MOST_USES + 1 else None
        if place is None:
            continue
        nodes = [
            outermost_equal(forest, forest.leaves[token]) for token in tokens if token not in place
        ]
        roles = {(forest.kinds[forest.parents[node]], forest.fields[node]) for node in nodes}
        if len(roles) != 1:
            continue
        own = {forest.text(node) for node in nodes}
        others = [text for text in texts.get(next(iter(roles)), {}) if text not in own]
        for text in (*_short(forest, nodes[0]), *others[:MOST_TEXTS]):
            patches = [replacement(forest, forest.span(node), text) for node in nodes]
            done = rewrite("something plain for a name", [*place.removal, *patches])
            if done is not None:
                yield done
                count += 1
        if count >= MOST_STAND_INS:
            return


def _texts(forest: Forest) -> dict[tuple[int, int], dict[bytes, None]]:
    """Return the short texts that stand in each role: as this field of that kind of node."""
    found: dict[tuple[int, int], dict[bytes, None]] = {}
    for node in forest.named_nodes:
        if forest.fields[node] and forest.weight(node) <= MAX_TEXT_BYTES:
            role = forest.kinds[forest.parents[node]], forest.fields[node]
            found.setdefault(role, {})[forest.text(node)] = None
    return found


def _short(forest: Forest, node: NodeId) -> tuple[bytes, ...]:
    """Return the texts that the language's table has for a node, or for what is the same in it."""
    short = forest.language(node).replacements
    while forest.kind(node) not in short:
        children = list(forest.children(node))
        if len(children) != 1:
            return ()
        node = children[0]
    return short[forest.kind(node)]
