"""Conditions: what a condition does is done before it.

``if (c) a; else b;`` becomes ``c; a; b;``, so nothing hangs on it any more; an assignment inside of
something larger becomes a statement of its own, and so does each part of ``a, b``. (C-Reduce's
``simplify-if``, ``lift-assignment-expr`` and ``simplify-comma-expr``.)
"""

from collections.abc import Iterator, Sequence

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE, NodeId, TokenId
from wynot.passes.rewrites.tree_queries import LARGE_FOREST, OPENING, is_list, put, rewrite

MOST_STATEMENTS = 200


def conditions(forest: Forest) -> Iterator[Rewrite]:
    """Return each condition, assignment and comma as a statement of its own."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    count = 0
    for node in forest.named_nodes:
        kind = forest.kind(node)
        if kinds.is_if(kind):
            found = _chosen(forest, node)
        elif kinds.is_comma(kind):
            found = _parted(forest, node)
        elif kinds.is_assignment(kind):
            found = _lifted(forest, node)
        else:
            continue
        for done in found:
            count += 1
            yield done
        if count > MOST_STATEMENTS:
            return


def _chosen(forest: Forest, node: NodeId) -> Iterator[Rewrite]:
    """Return a condition with what is done in either case, one after the other."""
    condition = forest.child(node, "condition")
    body = forest.child(node, "consequence") or forest.child(node, "body")
    if not condition or not body or forest.field_of(node) == "alternative":
        return
    first, end = forest.firsts[condition], forest.ends[condition]
    if OPENING.get(forest.word(first)) == forest.word(TokenId(end - 1)) and end - first > 1:
        first, end = TokenId(first + 1), TokenId(end - 1)
    run = forest.between(first, end)
    text = forest.contents[run.path][run.start : run.stop]
    path, start, _ = forest.span(node)
    indented = forest.word(forest.firsts[body]) != b"{" and b"\n" in forest.text(node)
    if indented and not forest.text(node).rstrip().endswith((b";", b"}")):
        return
    patches = [Patch(path, start, forest.span(body).start, text + b"; ")]
    other = forest.child(node, "alternative")
    if other:
        inside = other
        while kinds.is_clause(forest.kind(inside)) and forest.named(inside):
            inside = forest.named(inside)[-1]
        after = forest.span(body).stop
        patches.append(Patch(path, after, forest.span(inside).start, b" "))
    yield from _done("condition before what hangs on it", patches, forest, node)


def _parted(forest: Forest, node: NodeId) -> Iterator[Rewrite]:
    """Return what is before a comma as a statement, of several commas the first or the last."""
    above = forest.parents[node]
    parts = _operands(forest, node)
    if len(parts) < 2 or not kinds.is_statement(forest.kind(above)):  # noqa: PLR2004
        return
    path, start, _ = forest.span(node)
    is_whole = forest.firsts[above] == forest.firsts[node]
    for place in sorted({1, len(parts) - 1}):
        stop, after = forest.span(parts[place - 1]).stop, forest.span(parts[place]).start
        if is_whole:
            patches = [Patch(path, stop, after, b"; ")]
            yield from _done("comma as two statements", patches, forest, above)
            continue
        text = forest.contents[path][start:stop] + b"; "
        begin = forest.span(above).start
        patches = [Patch(path, begin, begin, text), Patch(path, start, after)]
        yield from _done("comma before a statement", patches, forest, above)


def _operands(forest: Forest, node: NodeId) -> list[NodeId]:
    """Return what commas part, one in the other or side by side."""
    found: list[NodeId] = []
    for child in forest.named(node):
        inner = kinds.is_comma(forest.kind(child))
        found += forest.named(child) if inner else [child]
    return found


def _lifted(forest: Forest, node: NodeId) -> Iterator[Rewrite]:
    """Return an assignment before the statement that it is in."""
    left = forest.child(node, "left")
    at = node
    while at != ROOT_NODE and not kinds.is_statement(forest.kind(at)):
        if forest.child(at, "body") and at != node:
            return
        at = forest.parents[at]
    is_statement = forest.parents[node] == at and "expression" in forest.kind(at)
    if not left or at == ROOT_NODE or is_statement:
        return
    path, start, _ = forest.span(at)
    patches = [
        Patch(path, start, start, forest.text(node) + b"; "),
        put(forest, forest.span(node), forest.text(left)),
    ]
    yield from _done("assignment before a statement", patches, forest, at)


def _done(
    category: str, patches: Sequence[Patch], forest: Forest, statement: NodeId
) -> Iterator[Rewrite]:
    """Return a rewrite; where only one statement may stand, with braces around it."""
    more: list[Patch] = []
    if not is_list(forest, forest.parents[statement]):
        path, start, stop = forest.span(statement)
        first = patches[0]
        if first.start == start:
            patches = [first._replace(instead=b"{ " + first.instead), *patches[1:]]
        else:
            more.append(Patch(path, start, start, b"{ "))
        more.append(Patch(path, stop, stop, b" }"))
    done = rewrite(category, [*patches, *more])
    if done is not None:
        yield done
