"""What needs a node, and what only a node needs: coupled deletion, in both directions.

No language is asked for its scopes. A name belongs to the node that has its first mention, or that
has it as its ``name`` or ``declarator``; what needs the node is the smallest statement, or other
member of a list, around each further mention; and what needs that, in turn.

In data, strings can be names. They are if a list has entries with the same key and all different
values: those are what the entries are called by.
"""

import re
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from wynot.core.deltas import NONE, Deltas
from wynot.passes.forest import ROOT, Forest

_LIST = re.compile(
    "block|body|list|statements|compound|program|module|source|translation_unit|document|"
    "fragment|stylesheet|stream|section|array|object|mapping|sequence|table|element|graph|files"
)
_NO_LIST = re.compile("argument|parameter|expression_list|subscript|qualif|path")
_ENTRIES = re.compile("object|mapping|table|pair|element_value")
_IMPORT = re.compile("import|include|require")
_STEM = re.compile(rb"([^/\\\s.\"'<>]+)(?:\.\w+)*[\"'>\s]*\Z")
_GIVES_NAME = frozenset({"name", "declarator", "pattern", "left", "key", "alias", "label"})
LARGE = 50_000
"""Tokens of a case in which it would take too long to look for any of this."""
MOST = 2000
"""How many places may need a node; with more it is hopeless."""
OFTEN = 50
"""How often a name may be mentioned for it to be looked at whether only some nodes use it."""
NEAR = 5
"""How far below a node the name may be that it gives."""

Lists: TypeAlias = dict[tuple[int, bytes], list[tuple[int, int]]]
"""In data: of a list and a key the values, each as its token and the entry that has it."""


@dataclass(slots=True)
class Uses:
    """Finds what hangs together by names."""

    forest: Forest
    _names: "array[int]" = field(default_factory=lambda: array("i"))
    """Of each token the number of its name; -1: it is none."""
    _mentions: "list[array[int]]" = field(default_factory=list)
    """Of each name the tokens that are it."""
    _homes: dict[int, int] = field(default_factory=dict)
    """Of a name the statement that gives it."""
    _files: dict[bytes, int] = field(default_factory=dict)
    """In a folder: the tree of each file, by the name that others mention it by."""
    _file_names: dict[int, list[int]] = field(default_factory=dict)
    _called: dict[int, int] = field(default_factory=dict)
    """In data: of a token that an entry of a list is called by, the entry."""

    def __post_init__(self) -> None:
        forest = self.forest
        if len(forest.leaves) > LARGE:
            return
        if len(forest.languages) > 1:
            for (_, path), (node, _) in zip(forest.texts, forest.languages, strict=True):
                self._files[_stem(path.encode("utf-8", "surrogateescape"))] = node
        lists: Lists = defaultdict(list)
        numbers = self._number_names(lists)
        for name, node in self._files.items():
            if name in numbers:
                self._file_names[node] = [numbers[name]]
        for values in lists.values():
            words = {forest.word(token) for token, _ in values}
            if 1 < len(values) == len(words):
                # Of several lists with entries of that name the first is the one that gives it.
                self._called.update(each for each in values if self._is_first(each[0]))

    def _is_first(self, token: int) -> bool:
        name = self._names[token]
        return name >= 0 and self._mentions[name][0] == token

    def _number_names(self, lists: Lists) -> dict[bytes, int]:
        """Give each name a number, and find where it is mentioned."""
        numbers: dict[bytes, int] = {}
        for token, leaf in enumerate(self.forest.leaves):
            name = self._name_in(token, leaf, lists)
            number = -1 if name is None else numbers.setdefault(name, len(numbers))
            self._names.append(number)
            if number == len(self._mentions):
                self._mentions.append(array("I"))
            if number >= 0:
                self._mentions[number].append(token)
        return numbers

    def _name_in(self, token: int, leaf: int, lists: Lists) -> bytes | None:
        """Return the name that a token is, or gives; None: it is none."""
        forest = self.forest
        language, kind = forest.language(leaf), forest.kind(leaf)
        if kind in language.names:
            return forest.word(token)
        if kind not in language.strings:
            return None
        if not language.names:
            return self._value(token, lists)
        stem = _stem(forest.word(token))
        is_import = _IMPORT.search(forest.kind(forest.parents[leaf])) is not None
        return stem if is_import or stem in self._files else None

    def _value(self, token: int, lists: Lists) -> bytes | None:
        """Return a value that could be what an entry is called by, and take note of it."""
        forest = self.forest
        node = forest.leaves[token]
        while node != ROOT and forest.field_of(node) != "value":
            if forest.field_of(node) == "key":
                return None
            node = forest.parents[node]
        if node == ROOT:
            return None
        pair = forest.parents[node]
        keys = [child for child in forest.children(pair) if forest.field_of(child) == "key"]
        if keys:
            entry = forest.parents[pair]
            while entry != ROOT and _is_only(forest, entry):
                entry = forest.parents[entry]
            lists[forest.parents[entry], forest.text(keys[0])].append((token, entry))
        return forest.word(token)

    def of(self, nodes: Sequence[int], kept: Deltas, *, nearest: bool = False) -> Deltas:
        """Return the tokens of some nodes and of all that needs them; none if nothing does."""
        if not self._names:
            return NONE
        gone = self._marks(nodes)
        queue = list(nodes)
        for node in queue:
            for name in self._given(node):
                for token in self._mentions[name]:
                    if gone[token] or token not in kept:
                        continue
                    place = self._statement(token, nearest=nearest)
                    if place == ROOT or self._holds_any(place, nodes) or len(queue) > MOST:
                        return NONE
                    queue.append(place)
                    self._mark(gone, place)
        return NONE if len(queue) == len(nodes) else self._tokens(self._own(queue, kept), kept)

    def with_own(self, nodes: Sequence[int], kept: Deltas) -> Deltas:
        """Return the tokens of some nodes and of what only they use; none if there is no such.

        Some languages refuse what nobody uses; and to no other it is a loss.
        """
        found = self._own(nodes, kept) if self._names else nodes
        return NONE if len(found) == len(nodes) else self._tokens(found, kept)

    def _own(self, nodes: Sequence[int], kept: Deltas) -> list[int]:
        """Return some nodes with what only they use, and what only that uses, in turn."""
        gone = self._marks(nodes)
        queue = list(nodes)
        for node in queue:
            for name in self._mentioned(node, kept):
                home = self._home(name)
                if home == ROOT or gone[self.forest.firsts[home]]:
                    continue
                first, last = self.forest.firsts[home], self.forest.lasts[home]
                if self._holds_any(home, nodes) or any(
                    not gone[token] and not first <= token < last and token in kept
                    for token in self._mentions[name]
                ):
                    continue
                queue.append(home)
                self._mark(gone, home)
        return queue

    def _tokens(self, nodes: Sequence[int], kept: Deltas) -> Deltas:
        """Return the tokens of nodes, and the commas that would part nothing without them."""
        firsts, lasts = self.forest.firsts, self.forest.lasts
        runs = [(firsts[node], lasts[node]) for node in nodes]
        runs += ((comma, comma + 1) for comma in self._commas(nodes, kept))
        return Deltas.covering(runs).common(kept)

    def _commas(self, nodes: Sequence[int], kept: Deltas) -> Iterator[int]:
        """Return a comma for each node that goes.

        It is the one before it, or, if nothing is left before it, the one behind.
        """
        forest, gone = self.forest, self._marks(nodes)
        for parent in {forest.parents[node] for node in nodes}:
            left, since = False, -1
            for child in forest.children(parent):
                first = forest.firsts[child]
                if forest.kind(child) == ",":
                    if first in kept and not left:
                        yield first
                    elif first in kept:
                        since = first
                elif forest.is_named(child) and forest.left(kept, child):
                    if not gone[first]:
                        left = True
                    elif left and since >= 0:
                        yield since
                    since = -1

    def _marks(self, nodes: Iterable[int]) -> bytearray:
        """Return of each token whether it is in one of these nodes."""
        marks = bytearray(len(self.forest.leaves))
        for node in nodes:
            self._mark(marks, node)
        return marks

    def _mark(self, marks: bytearray, node: int) -> None:
        first, last = self.forest.firsts[node], self.forest.lasts[node]
        marks[first:last] = b"\1" * (last - first)

    def _holds_any(self, outer: int, nodes: Iterable[int]) -> bool:
        after = self.forest.afters[outer]
        return any(outer <= node < after for node in nodes)

    def _mentioned(self, node: int, kept: Deltas) -> list[int]:
        """Return the names that are in a node, but for those that are all over the place."""
        forest = self.forest
        if not forest.language(node).names:
            return []  # an entry of data that nothing mentions is no less an entry
        found: dict[int, None] = {}
        for start, stop in forest.within(kept, forest.firsts[node], forest.lasts[node]).runs:
            found.update(dict.fromkeys(self._names[start:stop]))
        return [name for name in found if name >= 0 and len(self._mentions[name]) <= OFTEN]

    def _home(self, name: int) -> int:
        """Return the statement, or other member of a list, that gives a name."""
        home = self._homes.get(name)
        if home is None:
            forest, mentions = self.forest, self._mentions[name]
            giving = (
                token for token in mentions if forest.field_of(forest.leaves[token]) in _GIVES_NAME
            )
            home = self._statement(next(giving, mentions[0]), nearest=True)
            self._homes[name] = home
        return home

    def _given(self, node: int) -> Iterator[int]:
        """Return the names that a node gives, and that are mentioned elsewhere too."""
        forest = self.forest
        is_data = not forest.language(node).names
        yield from self._file_names.get(node, ())
        for token in range(forest.firsts[node], forest.lasts[node]):
            name = self._names[token]
            if name < 0 or len(self._mentions[name]) == 1:
                continue
            if is_data:
                if token in self._called and node <= self._called[token] < forest.afters[node]:
                    yield name
            elif self._mentions[name][0] == token or self._gives(token, node):
                yield name

    def _gives(self, token: int, node: int) -> bool:
        """Tell whether a node is what a name is the name of."""
        forest = self.forest
        at = forest.leaves[token]
        for _ in range(NEAR):
            if at == node:
                return True
            if forest.field_of(at) not in _GIVES_NAME:
                return False
            at = forest.parents[at]
        return False

    def _statement(self, token: int, *, nearest: bool) -> int:
        """Return the smallest member of a list around a token; in data, of one without keys."""
        forest = self.forest
        node = forest.leaves[token]
        language = forest.language(node)
        if language.heads:
            return self._form(node, nearest=nearest)
        is_data = not language.names and not nearest
        while node != ROOT:
            above = forest.kind(forest.parents[node])
            is_list = _LIST.search(above) and not _NO_LIST.search(above)
            if is_list and not (is_data and _ENTRIES.search(above)):
                return node
            node = forest.parents[node]
        return ROOT

    def _form(self, node: int, *, nearest: bool) -> int:
        """Return the outermost list around a token, in a language of lists; or the innermost."""
        forest = self.forest
        while node != ROOT:
            above = forest.parents[node]
            is_token = node + 1 == forest.afters[node]
            if forest.parents[above] == ROOT or (nearest and not is_token):
                return node
            node = above
        return ROOT


def _stem(path: bytes) -> bytes:
    """Return the last part of a path, without suffixes and quotes."""
    found = _STEM.search(path)
    return found[1] if found else path


def _is_only(forest: Forest, node: int) -> bool:
    """Tell whether a node is the only named child of its parent."""
    named = filter(forest.is_named, forest.children(forest.parents[node]))
    return len(list(islice(named, 2))) == 1
