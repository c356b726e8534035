"""What a source declares, at the top and in its namespaces; names, and where they mean what.

No language is asked for its rules. What fields and kinds call a parameter, a declarator or a
pattern is a name of the innermost function around it; in a language where lines mean something,
such as Python, so is what is assigned to. A wrong guess costs a test, and no more.

A unit is a declaration that can go by itself: a member of a file, a namespace or a class. What is
in the bodies of functions belongs to their units. No language is asked for its scopes: fields and
kinds say what gives a name, and whatever is written like it mentions it.
"""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from wynot.core.texts.tree import FLAW, NAMED
from wynot.formats.language import is_masked
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, Forest, NodeId, TokenId

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


MAX_WRAPPED = 12
"""How many nodes are looked at to find the members of a unit."""
_IMPLICIT = re.compile(rb"__\w+__|constructor|init|deinit")
"""Names of members that are used without being mentioned."""
_WORD = re.compile(rb"[^\W\d][\w$]*")
_MORE = re.compile(rb"(?<![\w$])[\d$]*+[^\W\d][\w$]*+[^\w$]")
NO_UNIT = -1


@dataclass(slots=True)
class SourceUnits:
    """The units of a forest by number, each before those inside of it."""

    forest: Forest
    values: bool = True
    """Whether what a declaration is set to counts as given by it."""
    nodes: list[NodeId] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    """The unit around each, or none."""
    ends: list[int] = field(default_factory=list)
    """The unit after the last one that is inside of each."""
    stops: list[int] = field(default_factory=list)
    """The token after each, and after the mark that ends it."""
    classes: list[int] = field(default_factory=list)
    """The innermost unit around each that has to be mentioned for what is inside to count."""
    is_class: bytearray = field(default_factory=bytearray)
    """Of each unit whether it is such a one."""
    given: list[list[int]] = field(default_factory=list)
    """The names that each gives; without any it comes with what it mentions."""
    givers: list[list[int]] = field(default_factory=list)
    """The units that give each name."""
    names: "array[int]" = field(default_factory=lambda: array("i"))
    """Of each token the name that it is; -1: it is none that is given anywhere."""
    firsts: list[int] = field(default_factory=list)
    """Those of whose names none is mentioned by others: where everything begins."""
    several: dict[int, list[int]] = field(default_factory=dict)
    """Of tokens that are more than a word the names in them."""

    closers: dict[int, int] = field(default_factory=dict)
    """Of units that have the closing bracket, or the rest, of another that other."""
    numbers: dict[bytes, int] = field(default_factory=dict)
    """The names that are given, each with its number."""
    inner_givers: dict[int, list[int]] = field(default_factory=dict)
    """Of names the units in which something gives them, as an import does."""
    giving: dict[int, int] = field(default_factory=dict)
    """Of the tokens that do that their units."""
    scopes: FunctionScopes = field(init=False)
    _local: set[tuple[int, int]] = field(default_factory=set)
    """Units, and names of parameters inside of them, which mean something else there."""
    _depths: "array[int]" = field(default_factory=lambda: array("i", [0]))
    """How many brackets are open before each token, and after the last one."""

    def __post_init__(self) -> None:
        forest = self.forest
        for (_, leaf), word in zip(forest.token_leaves, forest.words, strict=True):
            has_blocks = not (self._is_string(leaf) or forest.language(leaf).newline_sensitive)
            opened = word.count(b"{") - word.count(b"}") if has_blocks else 0
            self._depths.append(self._depths[-1] + opened)
        for node, language in forest.languages:
            if language.names and not language.lisp_like:
                self._add(node)
        self._pair()
        self.scopes = FunctionScopes(forest)
        self._name()

    def _is_string(self, leaf: NodeId) -> bool:
        return self.forest.kind(leaf) in self.forest.language(leaf).strings

    def _add(self, root: NodeId) -> None:
        """Add the units of a text, which may be nested to any depth."""
        open_ones: list[tuple[int, Iterator[NodeId]]] = [(NO_UNIT, self._members(root))]
        while open_ones:
            around, members = open_ones[-1]
            node = next(members, None)
            if node is None:
                open_ones.pop()
                if around != NO_UNIT:
                    self.ends[around] = len(self.nodes)
                continue
            unit = len(self.nodes)
            is_in_class = around != NO_UNIT and self.is_class[around]
            self.nodes.append(node)
            self.parents.append(around)
            self.ends.append(unit + 1)
            self.stops.append(self._stop(node))
            outer = self.classes[around] if around != NO_UNIT else NO_UNIT
            self.classes.append(around if is_in_class else outer)
            self.given.append([])
            body = self._body(node)
            is_class = body is not None and self._is_called(body)
            if is_class and self.opened(self.forest.firsts[node], self.forest.ends[node]):
                body, is_class = None, False  # it ends elsewhere, or something else ends in it
            self.is_class.append(is_class)
            if body is not None:
                open_ones.append((unit, self._members(body)))

    def _members(self, node: NodeId) -> Iterator[NodeId]:
        """Return the declarations that a list consists of."""
        comments = self.forest.language(node).comments
        return (each for each in self.forest.named(node) if self.forest.kind(each) not in comments)

    def opened(self, start: int, stop: int) -> int:
        """Return how many brackets more are opened than closed by some tokens."""
        return self._depths[stop] - self._depths[start]

    def _pair(self) -> None:
        """Find out which units close what others have opened, where a grammar has lost count."""
        waiting: list[int] = []
        for unit in range(len(self.nodes)):
            opened = sum(self.opened(*run) for run in self.own_runs(unit))
            waiting += [unit] * opened
            for _ in range(min(-opened, len(waiting))):
                self.closers[unit] = waiting.pop()
            after = self.ends[unit]
            if self._breaks_off(self.nodes[unit]) and after < len(self.nodes):
                self.closers[after] = unit

    def _breaks_off(self, node: NodeId) -> bool:
        """Tell whether the grammar misses the end of a node: it may be in what comes next."""
        last = NodeId(self.forest.subtree_ends[node] - 1)
        return not self.forest.has_tokens(last) and bool(self.forest.flags[last] & FLAW)

    def _stop(self, node: NodeId) -> int:
        """Return the token after a unit: a mark that is no part of its node may end it."""
        forest, end = self.forest, self.forest.ends[node]
        if end < forest.ends[forest.parents[node]] and forest.word(TokenId(end)) == b";":
            return end + 1
        return end

    def _body(self, node: NodeId) -> NodeId | None:
        """Return the list of what is in a namespace or a class; None: it is something else."""
        forest = self.forest
        queue = [node]
        for each in islice(queue, MAX_WRAPPED):
            if kinds.is_scope(forest.kind(each)):
                lists = (child for child in forest.named(each) if kinds.is_list(forest.kind(child)))
                body = next(lists, None)
                if body is not None:
                    return body
            elif each == node or kinds.is_class_around(forest.kind(each)):
                inside = islice(forest.children(each), MAX_WRAPPED)
                queue += (child for child in inside if _may_hold(forest.kind(child)))
        return None

    def _is_called(self, body: NodeId) -> bool:
        """Tell whether what is in a list is reached by a name around it, as in a class."""
        around = self.forest.parents[body]
        is_named = self.forest.child(around, "name") != ROOT_NODE
        return is_named and not kinds.is_namespace(self.forest.kind(around))

    def _name(self) -> None:
        """Find out which names are given by units, and where they are mentioned."""
        forest, numbers = self.forest, self.numbers
        local: set[tuple[int, bytes]] = set()
        values: set[tuple[int, bytes]] = set()
        for token, leaf, unit, word in self._names_in_units():
            is_own = names_unit(forest, leaf, self.nodes[unit], values=self.values)
            if is_value_given(forest, leaf):
                values.add((unit, word))  # where the parameter of that name is none yet
            elif not is_own and kinds.is_given(kind_around(forest, leaf)):
                local.add((unit, word))
            elif is_own:
                self.given[unit].append(self._number(word))
                self.givers[self.given[unit][-1]].append(unit)
            elif self.scopes.around[token] == NO_FUNCTION and is_given_inside(
                forest, leaf, self.nodes[unit]
            ):
                self.inner_givers.setdefault(self._number(word), []).append(unit)
                self.giving[token] = unit
        local -= values
        self._local = {(unit, numbers[word]) for unit, word in local if word in numbers}
        for (token, leaf), word in zip(forest.token_leaves, forest.words, strict=True):
            self.names.append(numbers.get(word, -1) if forest.flags[leaf] & NAMED else -1)
            if _MORE.search(word) and not (self._is_string(leaf) or is_masked(word)):
                words = set(_WORD.findall(word))
                self.several[token] = [numbers[each] for each in words if each in numbers]
        self._find_firsts()

    def _number(self, word: bytes) -> int:
        """Return the number of a name that is given."""
        number = self.numbers.setdefault(word, len(self.numbers))
        if number == len(self.givers):
            self.givers.append([])
        return number

    def _names_in_units(self) -> Iterator[tuple[TokenId, NodeId, int, bytes]]:
        """Yield the tokens of units that are names, but for those of members that have to be so."""
        forest, owners = self.forest, self.owners()
        naming = {at for at, name in enumerate(forest.names) if name in kinds.NAMING_DATA}
        for (token, leaf), word in zip(forest.token_leaves, forest.words, strict=True):
            if owners[token] != NO_UNIT and forest.flags[leaf] & NAMED:
                is_name = forest.fields[leaf] in naming or forest.kind(leaf) in (
                    forest.language(leaf).names
                )
                if is_name and not _IMPLICIT.fullmatch(word):
                    yield token, leaf, owners[token], word

    def _find_firsts(self) -> None:
        mentioned: set[int] = set()
        for unit in self.tops:
            mentioned |= self.inside(unit).difference(self.given[unit])
        self.firsts = [
            unit
            for unit in self.tops
            if mentioned.isdisjoint(self.given[unit]) and self.inside(unit)
        ]

    @property
    def tops(self) -> Iterator[int]:
        """The units that are no members of classes, and are not only around others."""
        for unit, around in enumerate(self.classes):
            is_namespace = self.ends[unit] > unit + 1 and not self.is_class[unit]
            if around == NO_UNIT and not is_namespace:
                yield unit

    def inside(self, unit: int) -> frozenset[int]:
        """Return the names that a unit mentions, with all that is inside of it."""
        return self.mentioned(unit, range(self.forest.firsts[self.nodes[unit]], self.stops[unit]))

    def mentioned(self, unit: int, tokens: Iterable[int]) -> frozenset[int]:
        """Return the names that some tokens of a unit mention, but for those that are its own."""
        found = set()
        for token in tokens:
            found.add(self.names[token])
            found.update(self.several.get(token, ()))
        return frozenset(name for name in found if name >= 0 and (unit, name) not in self._local)

    def owners(self) -> "array[int]":
        """Return of each token the innermost unit that it is in."""
        owners = array("i", [NO_UNIT]) * len(self.forest.leaves)
        for unit, node in enumerate(self.nodes):
            first, end = self.forest.firsts[node], self.stops[unit]
            owners[first:end] = array("i", [unit]) * (end - first)
        return owners

    def outermost(self, unit: int) -> int:
        """Return the outermost class around a unit; itself, if there is none."""
        while self.classes[unit] != NO_UNIT:
            unit = self.classes[unit]
        return unit

    def own_runs(self, unit: int) -> Iterator[tuple[int, int]]:
        """Return the tokens of a unit that are in none of those inside of it, as runs."""
        first, inside, end = self.forest.firsts[self.nodes[unit]], unit + 1, self.ends[unit]
        while inside < end:
            start = self.forest.firsts[self.nodes[inside]]
            if first < start:
                yield first, start
            first = TokenId(self.stops[inside])
            inside = self.ends[inside]
        if first < self.stops[unit]:
            yield first, self.stops[unit]


def _may_hold(kind: str) -> bool:
    """Tell whether a kind of node may be a scope, or be around one."""
    return kinds.is_scope(kind) or kinds.is_class_around(kind)
