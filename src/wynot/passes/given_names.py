"""Which tokens give a name to a declaration, as far as the fields and kinds of a tree say."""

from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import NodeId

MAX_LEVELS_BELOW = 8
"""How far below a declaration the name may be that it gives."""


def names_unit(forest: Forest, node: NodeId, unit: NodeId) -> bool:
    """Tell whether a token is the name of a declaration that it is in."""
    around_all = forest.parents[unit]
    for _ in range(MAX_LEVELS_BELOW):
        above = forest.parents[node]
        if above == around_all:
            return True
        kind, around = forest.kind(node), forest.kind(above)
        if kinds.is_enumerator(kind) and kinds.is_list(around):
            above = forest.parents[above]  # what it is in does not have to be mentioned
        elif not (
            forest.field_of(node) in kinds.NAMING_DATA
            or kinds.is_declarator(kind)
            or kinds.is_declarator(around)
            or kinds.is_destructor(around)
            or _is_wrapped(forest, node, above)
        ):
            return False
        node = above
    return False


def _is_wrapped(forest: Forest, node: NodeId, above: NodeId) -> bool:
    """Tell whether what a node gives is given by the one around it."""
    kind, around = forest.kind(node), forest.kind(above)
    is_type = kinds.is_scope(kind) or kinds.is_enumeration(kind)
    if is_type and forest.field_of(node) == "type":
        return any(kinds.is_list(forest.kind(each)) for each in forest.named(node))
    if kinds.wraps(around):
        return kinds.declares(kind) and not kinds.is_given(kind)
    return kinds.is_assigning(kind)


def kind_around(forest: Forest, node: NodeId) -> str:
    """Return the kind of what a name is given in; empty: it is not given."""
    is_declared = forest.field_of(node) in kinds.NAMING
    node = forest.parents[node]
    while kinds.is_declarator(forest.kind(node)):
        is_declared, node = True, forest.parents[node]
    return forest.kind(node) if is_declared else ""
