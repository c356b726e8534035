"""Lists: the elements of a node, by what parts them."""

from collections.abc import Sequence

from wynot.passes.forest import ByteRange, Forest
from wynot.passes.ids import NodeId
from wynot.passes.rewrites.tree_queries import is_bracket

_SEPARATORS = frozenset(",;|")


def elements(forest: Forest, node: NodeId) -> list[ByteRange]:
    """Return the elements of a list that are parted by commas, or by another mark; some are empty.

    What is around them, brackets or the bars of a table, is not theirs.
    """
    children = list(forest.children(node))
    if children and is_bracket(forest, children[0]):
        found = parted(forest, children[1:-1])
        return found[:-1] if found and found[-1].start == found[-1].stop else found  # (a, b,)
    kind = forest.kind(node)
    also = kind.endswith("_list") and "statement" not in kind  # parameters, with semicolons
    return parted(forest, children, also=also or forest.language(node).newline_sensitive)


def parted(forest: Forest, children: Sequence[NodeId], *, also: bool = False) -> list[ByteRange]:
    """Return what is between commas; or between other marks, if they part something too."""
    marks = {forest.kind(child) for child in children if not forest.is_named(child)}
    mark = "," if "," in marks or not also else min(marks, default=",")
    if not children or (mark != "," and (mark not in _SEPARATORS or len(marks) > 1)):
        return []
    if mark not in marks:
        return [forest.between(forest.firsts[children[0]], forest.ends[children[-1]])]
    if mark == "|" == forest.kind(children[0]) == forest.kind(children[-1]):
        children = children[1:-1]
        if not children:
            return []
    found: list[ByteRange] = []
    path, start, _ = forest.span(children[0])
    stop = start
    for child in children:
        _, begin, end = forest.span(child)
        if not forest.is_named(child) and forest.kind(child) == mark:
            found.append(ByteRange(path, start, stop))
            start = stop = end
        else:
            start = begin if start == stop else start
            stop = end
    found.append(ByteRange(path, start, stop))
    return found
