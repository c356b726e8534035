"""What rewrites look for: names and what gives them, members of lists, and how to take them out.

No language is known here. A node is judged by its fields, by the words and brackets in it, and by
the kinds that the language's table calls names.
"""

import re
from collections.abc import Iterable
from itertools import islice

from wynot.core.texts.rewrites import Patch, Rewrite
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, ByteRange, Forest, NodeId, TokenId

LARGE_FOREST = 20_000
"""From how many nodes on a forest is large: only what is cheap is looked for."""

ACCESS = frozenset({b".", b"->", b"::", b"?.", b"%"})
"""What is between a thing and one of its members."""
OPENING = {b"(": b")", b"[": b"]", b"{": b"}", b"<": b">"}
_DECLARE = re.compile(rb"decl|def", re.IGNORECASE)
_EQUALS = frozenset({b"=", b":=", b"<-"})
_WORD = re.compile(rb"[\w$\x80-\xff]")
_BRACKETS = frozenset("()[]{}<>")


def mentions(forest: Forest) -> dict[bytes, list[TokenId]]:
    """Return the tokens of each name, in order."""
    found = forest.named_mentions  # several rewrites look at them
    if not found:
        for token in forest.names_given:
            found.setdefault(forest.word(token), []).append(token)
    return found


def outermost_equal(forest: Forest, node: NodeId) -> NodeId:
    """Return the highest node that has the same tokens."""
    above = forest.parents[node]
    while (
        above != ROOT_NODE
        and forest.parents[above] != ROOT_NODE
        and same_tokens(forest, above, node)
    ):
        node, above = above, forest.parents[above]
    return node


def same_tokens(forest: Forest, one: NodeId, other: NodeId) -> bool:
    """Tell whether two nodes have the same tokens."""
    return forest.firsts[one] == forest.firsts[other] and forest.ends[one] == forest.ends[other]


def is_mark(forest: Forest, node: NodeId) -> bool:
    """Tell whether a node is punctuation or a keyword."""
    return not forest.is_named(node) or forest.kind(node).startswith("keyword_")


def is_list(forest: Forest, node: NodeId) -> bool:
    """Tell whether a node is something whose members can go one by one."""
    return kinds.is_list(forest.kind(node))


def member_around(forest: Forest, node: NodeId) -> NodeId:
    """Return the smallest member of a list around a node."""
    while not is_list(forest, forest.parents[node]):
        node = forest.parents[node]
    return node


def value_around(forest: Forest, leaf: NodeId) -> NodeId | None:
    """Return the value of an entry of data that a node is in; None: it is in a key.

    The root: it is in neither.
    """
    while leaf != ROOT_NODE and forest.field_of(leaf) != "value":
        if forest.field_of(leaf) == "key":
            return None
        leaf = forest.parents[leaf]
    return leaf


def is_binding(forest: Forest, token: TokenId) -> bool:
    """Tell whether a name is given here, as far as fields and kinds say."""
    at = forest.leaves[token]
    top = outermost_equal(forest, at)
    while True:
        field, above = forest.field_of(at), forest.parents[at]
        if field in {"declarator", "pattern", "alias", "label"}:
            return True
        if field == "name" and kinds.declares(forest.kind(above)):
            return True
        if field == "left" and has_equals(forest, above):
            return True
        if at == top:
            return kinds.creates(forest.kind(above)) or is_declared_in_list(forest, at)
        at = above


def is_declared_in_list(forest: Forest, node: NodeId) -> bool:
    """Tell whether a node is the second in a list that begins with ``declare…`` or ``define…``."""
    siblings = islice(forest.children(forest.parents[node]), 3)
    named = [child for child in siblings if forest.is_named(child)]
    return node in named[1:2] and bool(_DECLARE.match(forest.text(named[0])))


def has_equals(forest: Forest, node: NodeId) -> bool:
    """Tell whether a node is one thing set to another."""
    return any(
        not forest.is_named(child) and forest.text(child) in _EQUALS
        for child in islice(forest.children(node), 8)
    )


def replacement(forest: Forest, run: ByteRange, text: bytes = b"") -> Patch:
    """Return the patch that puts a text somewhere, so that words do not run together."""
    content = forest.contents[run.path]
    before, after = content[run.start - 1 : run.start], content[run.stop : run.stop + 1]
    if not text:
        return Patch(*run, b" " if would_join(before, after) else b"")
    return Patch(
        *run, b" " * would_join(before, text[:1]) + text + b" " * would_join(text[-1:], after)
    )


def margin_at(content: bytes, place: int) -> bytes:
    """Return the white space that the line of a place begins with."""
    line = content[content.rfind(b"\n", 0, place) + 1 :]
    return line[: len(line) - len(line.lstrip(b" \t"))]


def would_join(left: bytes, right: bytes) -> bool:
    """Tell whether two words would be one if nothing were between them."""
    return bool(_WORD.match(left) and _WORD.match(right))


def removal(forest: Forest, node: NodeId) -> tuple[Patch, ...]:
    """Return the patches that take out a node with what parts it from its neighbours.

    The node and its separator are patches of their own: so two neighbours that have the separator
    between them in common can both go.
    """
    above = forest.parents[node]
    own = forest.span(node)
    left, right = before(forest, node), behind(forest, node)
    if right and _parts(forest, right):
        after = behind(forest, right)
        if after and not is_bracket(forest, after):
            return Patch(*own), Patch(own.path, own.stop, forest.span(after).start)
        if not left or not _parts(forest, left):
            return Patch(*own), Patch(own.path, own.stop, forest.span(right).stop)
    if left and _parts(forest, left) and before(forest, left):
        return _gap(forest.span(before(forest, left)), own), Patch(*own)
    start = own.start
    while left and not is_list(forest, above) and _is_keyword(forest, left):
        start = forest.span(left).start
        left = before(forest, left)
    if right and not is_bracket(forest, right):
        return Patch(own.path, start, own.stop), _gap(own, forest.span(right))
    if left and not is_bracket(forest, left) and start == own.start:
        return _gap(forest.span(left), own), replacement(forest, own)
    return (replacement(forest, ByteRange(own.path, start, own.stop)),)


def before(forest: Forest, node: NodeId) -> NodeId:
    """Return the sibling before a node; the root: it is the first."""
    above = forest.parents[node]
    if forest.firsts[node] == forest.firsts[above]:
        return ROOT_NODE
    return _child_with(forest, above, TokenId(forest.firsts[node] - 1))


def behind(forest: Forest, node: NodeId) -> NodeId:
    """Return the sibling behind a node; the root: it is the last."""
    above = forest.parents[node]
    if forest.ends[node] == forest.ends[above]:
        return ROOT_NODE
    return _child_with(forest, above, forest.ends[node])


def _child_with(forest: Forest, node: NodeId, token: TokenId) -> NodeId:
    """Return the child of a node that has a token, without a look at its other children."""
    at = forest.leaves[token]
    while forest.parents[at] != node:
        at = forest.parents[at]
    return at


def _gap(left: ByteRange, right: ByteRange) -> Patch:
    return Patch(left.path, left.stop, right.start)


def is_bracket(forest: Forest, node: NodeId) -> bool:
    """Tell whether a node is a bracket: the white space inside of it is not ours."""
    return not forest.is_named(node) and forest.kind(node) in _BRACKETS


def _parts(forest: Forest, node: NodeId) -> bool:
    return not forest.is_named(node) and forest.kind(node) in {",", ";"}


def _is_keyword(forest: Forest, node: NodeId) -> bool:
    return is_mark(forest, node) and forest.text(node).isalpha()


def rewrite(category: str, patches: Iterable[Patch]) -> Rewrite | None:
    """Return a rewrite; None if it makes nothing shorter, or its patches get in each other's way.

    What is in a stretch that goes needs no patch of its own.
    """
    ordered = sorted(set(patches), key=lambda patch: (patch.path, patch.start, -patch.stop))
    kept: list[Patch] = []
    for patch in ordered:
        if kept and kept[-1].path == patch.path and patch.start < kept[-1].stop:
            if kept[-1].instead or patch.stop > kept[-1].stop:
                return None
            continue
        if patch.start < patch.stop or patch.instead:
            kept.append(patch)
    done = Rewrite(category, tuple(kept))
    return done if done.gain > 0 else None
