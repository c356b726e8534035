"""Which tokens give a name to a declaration, as far as the fields and kinds of a tree say."""

from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE, NodeId

MAX_LEVELS_BELOW = 8
"""How far below a declaration the name may be that it gives."""

_ASIDE = frozenset({"module_name", "right", "type", "arguments", "body"})
"""Fields of what gives no name in a pattern or an import."""


def names_unit(forest: Forest, node: NodeId, unit: NodeId, *, values: bool = True) -> bool:
    """Tell whether a token is the name of a declaration that it is in.

    With ``values``, that of what it is set to counts, too.
    """
    around_all = forest.parents[unit]
    for _ in range(MAX_LEVELS_BELOW):
        above = forest.parents[node]
        if above == around_all:
            return True
        kind, around = forest.kind(node), forest.kind(above)
        if not values and forest.field_of(node) == "value":
            return False
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


def is_given_inside(forest: Forest, node: NodeId, unit: NodeId) -> bool:
    """Tell whether a token that is in no function is a name that something in a unit gives.

    As an import does, or a pattern; or what is declared in a choice at the top of a script.
    """
    own, above = forest.field_of(node), forest.parents[node]
    around = forest.kind(above)
    if kinds.is_clause(around) or (own == "left" and not kinds.gives_left(around)):
        return False
    if own in kinds.NAMING and kinds.binds(around) and kinds.is_choice(forest.kind(unit)):
        return True
    for _ in range(MAX_LEVELS_BELOW):
        if own in _ASIDE or forest.child(above, "alias") != ROOT_NODE:
            return False
        kind = forest.kind(above)
        if kinds.is_pattern(kind) or kinds.is_import(kind) or kinds.is_using(kind):
            return True
        if above == unit:
            return False
        own, above = forest.field_of(above), forest.parents[above]
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


def is_value_given(forest: Forest, node: NodeId) -> bool:
    """Tell whether a name is the value of an argument or of a parameter."""
    return forest.field_of(node) == "value" and kinds.is_given(forest.kind(forest.parents[node]))
