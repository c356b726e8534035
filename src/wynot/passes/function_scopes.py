"""Functions as scopes: which names mean something of their own inside of them.

No language is asked for its rules. What fields and kinds call a parameter, a declarator or a
pattern is a name of the innermost function around it; in a language where lines mean something,
such as Python, so is what is assigned to. A wrong guess costs a test, and no more.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE, NodeId, TokenId

NO_FUNCTION = -1
PLAIN, OF_MEMBER, NO_MENTION = range(3)
"""What a name may be: a mention; one that says which member of something is meant; none, since it
is that of a parameter, a local variable or an argument."""
MEMBER_MARKS = frozenset({b".", b"->", b"?."})
MAX_DECLARATORS = 6
"""How many declarators may be around the one with the parameters."""
_VALUES = frozenset({"value", "type", "default_value", "right", "default"})
"""Fields of what stands beside a name that is given."""


def function_bodies(forest: Forest) -> Iterator[NodeId]:
    """Return the bodies of all functions, with a name or without, in order."""
    field_number = forest.names.index("body") if "body" in forest.names else -1
    for node in forest.nodes:
        is_body = forest.fields[node] == field_number or kinds.is_function_body(forest.kind(node))
        if (
            is_body
            and forest.has_tokens(node)
            and kinds.has_body(forest.kind(forest.parents[node]))
        ):
            yield node


@dataclass(slots=True)
class FunctionScopes:
    """The functions of a forest by number, each before those inside of it."""

    forest: Forest
    parents: list[int] = field(default_factory=list)
    """The function around each."""
    around: "array[int]" = field(default_factory=lambda: array("i"))
    """Of each token the innermost function that it is in, with its parameters."""

    def __post_init__(self) -> None:
        forest = self.forest
        self.around = array("i", [NO_FUNCTION]) * len(forest.leaves)
        for body in function_bodies(forest):
            start = self._start(body)
            function, outer = len(self.parents), self.around[forest.firsts[start]]
            self.parents.append(outer)
            self._set(forest.firsts[start], forest.ends[body], function)
            if start != body:
                for each in forest.named(start):
                    value = forest.child(each, "value")  # it is worked out outside
                    if value != ROOT_NODE:
                        self._set(forest.firsts[value], forest.ends[value], outer)

    def _set(self, first: int, end: int, function: int) -> None:
        self.around[first:end] = array("i", [function]) * (end - first)

    def _start(self, body: NodeId) -> NodeId:
        """Return the parameters of a function; or its body, if there are none."""
        node = self.forest.parents[body]
        for _ in range(MAX_DECLARATORS):
            for name in ("parameters", "parameter"):
                found = self.forest.child(node, name)
                if found != ROOT_NODE:
                    return found
            node = self.forest.child(node, "declarator")
            if node == ROOT_NODE:
                break
        return body

    def roles(self, names: Sequence[int]) -> bytearray:
        """Return what each token is, of which the names are given by number; -1: it is none."""
        forest, around = self.forest, self.around
        local = self._local(names)
        found = bytearray(len(names))
        before = b""
        for (token, leaf), word in zip(forest.token_leaves, forest.words, strict=True):
            name = names[token]
            if name >= 0:
                if before in MEMBER_MARKS or kinds.is_property(forest.kind(leaf)):
                    found[token] = OF_MEMBER
                elif self._is_keyword(leaf) or self._is_local(around[token], name, local):
                    found[token] = NO_MENTION
            before = word
        return found

    def _is_keyword(self, leaf: NodeId) -> bool:
        """Tell whether a name says which parameter an argument is for."""
        forest = self.forest
        is_keyed = kinds.is_keyed(forest.kind(forest.parents[leaf]))
        return is_keyed and forest.field_of(leaf) == "name"

    def _is_local(self, function: int, name: int, local: set[tuple[int, int]]) -> bool:
        while function != NO_FUNCTION:
            if (function, name) in local:
                return True
            function = self.parents[function]
        return False

    def _local(self, names: Sequence[int]) -> set[tuple[int, int]]:
        """Return the functions, with the names that mean something of their own in each."""
        forest = self.forest
        local, outer = set(), set()
        for token, leaf in forest.token_leaves:
            function = self.around[token]
            if function == NO_FUNCTION or names[token] < 0:
                continue
            if kinds.is_outer_name(forest.kind(forest.parents[leaf])):
                outer.add((function, names[token]))
            elif self._gives(token, leaf):
                local.add((function, names[token]))
        return local - outer

    def _gives(self, token: TokenId, leaf: NodeId) -> bool:
        """Tell whether a name is given to a parameter or to something inside of a function."""
        forest = self.forest
        above = forest.parents[leaf]
        around, own = forest.kind(above), forest.field_of(leaf)
        if kinds.is_keyed(around) or (token and own in _VALUES):
            return False
        if own == "left":
            return kinds.gives_left(around) and forest.language(leaf).newline_sensitive
        if kinds.is_parameter(around) or kinds.is_pattern(around) or own == "parameter":
            return True
        return own in kinds.NAMING and (kinds.binds(around) or kinds.is_declarator(around))
