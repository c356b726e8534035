"""Where names are mentioned, and what defines them.

No language is asked for its scopes. A name belongs to the node that has its first mention, or that
has it as its ``name`` or ``declarator``.

In data, strings can be names. They are if a list has entries with the same key and all different
values: those are what the entries are called by.
"""

import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from wynot.core.deltas import Deltas
from wynot.passes.rewrites.tree_queries import value_around
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, Column, Forest, NodeId, TokenId, column

_STEM = re.compile(rb"([^/\\\s.\"'<>]+)(?:\.\w+)*[\"'>\s]*\Z")
LONGEST_PATH = 256
MAX_COUPLED_TOKENS = 400_000
"""Tokens of a case in which it would take too long to look for any of this."""
MAX_MENTIONS = 50
"""How often a name may be mentioned for it to be looked at whether only some nodes use it."""
MAX_LEVELS_BELOW = 5
"""How far below a node the name may be that it gives."""

Lists: TypeAlias = dict[tuple[NodeId, bytes], list[tuple[TokenId, NodeId]]]
"""In data: of a list and a key the values, each as its token and the entry that has it."""


@dataclass(slots=True)
class Mentions:
    """The names of a forest, by number; in a large one there are none."""

    forest: Forest
    names: "array[int]" = field(default_factory=lambda: array("i"))
    """Of each token the number of its name; -1: it is none."""
    tokens: list[Column[int, TokenId]] = field(default_factory=list)
    """Of each name the tokens that are it."""
    _files: dict[bytes, NodeId] = field(default_factory=dict)
    """In a folder: the tree of each file, by the name that others mention it by."""
    _file_names: dict[NodeId, int] = field(default_factory=dict)
    _keyed_entries: dict[TokenId, NodeId] = field(default_factory=dict)
    """In data: of a token that is the key of an entry of a list, the entry."""
    _definers: list[TokenId] = field(default_factory=list)
    """The tokens that may define a name which is mentioned elsewhere too, in order."""
    _rare_tokens: list[TokenId] = field(default_factory=list)
    """The tokens of names that are not mentioned all over the place, in order."""
    _rare_names: list[int] = field(default_factory=list)
    """Their names."""
    _defined: dict[NodeId, list[int]] = field(default_factory=dict)
    """The names that nodes define, of the nodes looked at so far."""
    _inside: dict[NodeId, list[int]] = field(default_factory=dict)
    """The names in nodes that are kept as a whole, of the nodes looked at so far."""

    def __post_init__(self) -> None:
        forest = self.forest
        if len(forest.leaves) > MAX_COUPLED_TOKENS:
            return
        if len(forest.languages) > 1:
            for (_, path), (node, _) in zip(forest.texts, forest.languages, strict=True):
                self._files[_stem(path.encode("utf-8", "surrogateescape"))] = node
        lists: Lists = defaultdict(list)
        numbers = self._number_names(lists)
        for name, node in self._files.items():
            if name in numbers:
                self._file_names[node] = numbers[name]
        for values in lists.values():
            words = {forest.word(token) for token, _ in values}
            if 1 < len(values) == len(words):
                # Of several lists with entries of that name the first is the one that gives it.
                self._keyed_entries.update(each for each in values if self._is_first(each[0]))
        self._find_definers()

    def _find_definers(self) -> None:
        """Note which tokens are worth a look: that is asked of each node, and again."""
        forest, tokens = self.forest, self.tokens
        naming = {at for at, name in enumerate(forest.names) if name in kinds.NAMING_DATA}
        for token, name in enumerate(self.names):
            if name < 0:
                continue
            mentioned = tokens[name]
            if len(mentioned) <= MAX_MENTIONS:
                self._rare_tokens.append(TokenId(token))
                self._rare_names.append(name)
            if len(mentioned) > 1 and (
                mentioned[0] == token
                or token in self._keyed_entries
                or forest.fields[forest.leaves[TokenId(token)]] in naming
            ):
                self._definers.append(TokenId(token))

    def _is_first(self, token: TokenId) -> bool:
        name = self.names[token]
        return name >= 0 and self.tokens[name][0] == token

    def _number_names(self, lists: Lists) -> dict[bytes, int]:
        """Give each name a number, and find where it is mentioned."""
        numbers: dict[bytes, int] = {}
        for token, leaf in self.forest.token_leaves:
            name = self._name_in(token, leaf, lists)
            number = -1 if name is None else numbers.setdefault(name, len(numbers))
            self.names.append(number)
            if number == len(self.tokens):
                self.tokens.append(column("I")())
            if number >= 0:
                self.tokens[number].append(token)
        return numbers

    def _name_in(self, token: TokenId, leaf: NodeId, lists: Lists) -> bytes | None:
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
        is_import = kinds.is_import(forest.kind(forest.parents[leaf]))
        return stem if is_import or stem in self._files else None

    def _value(self, token: TokenId, lists: Lists) -> bytes | None:
        """Return a value that could be what an entry is called by, and take note of it."""
        forest = self.forest
        node = value_around(forest, forest.leaves[token])
        if not node:
            return None
        pair = forest.parents[node]
        key = forest.child(pair, "key")
        if key != ROOT_NODE:
            entry = forest.parents[pair]
            while entry != ROOT_NODE and _is_only(forest, entry):
                entry = forest.parents[entry]
            lists[forest.parents[entry], forest.text(key)].append((token, entry))
        return forest.word(token)

    def inside(self, node: NodeId, kept: Deltas, marks: bytes) -> list[int]:
        """Return the names that are in a node, but for those that are all over the place.

        The marks are those of the tokens that are kept.
        """
        forest = self.forest
        if not forest.language(node).names:
            return []  # an entry of data that nothing mentions is no less an entry
        first, end = forest.firsts[node], forest.ends[node]
        if marks.find(0, first, end) < 0:
            found = self._inside.get(node)
            if found is None:
                found = self._inside[node] = list(dict.fromkeys(self._named(first, end)))
            return found
        runs = forest.kept_between(kept, first, end).runs
        return list(dict.fromkeys(name for run in runs for name in self._named(*run)))

    def _named(self, start: int, stop: int) -> list[int]:
        low = bisect_left(self._rare_tokens, start)
        return self._rare_names[low : bisect_left(self._rare_tokens, stop, low)]

    def definer(self, name: int) -> TokenId:
        """Return the token that defines a name, as far as fields say; or else the first."""
        forest, tokens = self.forest, self.tokens[name]
        definers = (
            token for token in tokens if forest.field_of(forest.leaves[token]) in kinds.NAMING_DATA
        )
        return next(definers, tokens[0])

    def defined_by(self, node: NodeId) -> list[int]:
        """Return the names that a node defines, and that are mentioned elsewhere too."""
        found = self._defined.get(node)
        if found is None:
            found = self._defined[node] = list(self._find_defined(node))
        return found

    def _find_defined(self, node: NodeId) -> Iterator[int]:
        forest = self.forest
        is_data = not forest.language(node).names
        if node in self._file_names:
            yield self._file_names[node]
        first, end = forest.firsts[node], forest.ends[node]
        if not is_data and first < end and forest.leaves[first] == node:  # it is but a name
            name = self.names[first]
            if name >= 0 and len(self.tokens[name]) > 1:
                yield name
            return
        low = bisect_left(self._definers, first)
        for token in self._definers[low : bisect_left(self._definers, end, low)]:
            name = self.names[token]
            if is_data:
                if (
                    token in self._keyed_entries
                    and node <= self._keyed_entries[token] < forest.subtree_ends[node]
                ):
                    yield name
            elif self.tokens[name][0] == token or self._defines(token, node):
                yield name

    def _defines(self, token: TokenId, node: NodeId) -> bool:
        """Tell whether a node is what a name is the name of."""
        forest = self.forest
        at = forest.leaves[token]
        for _ in range(MAX_LEVELS_BELOW):
            if at == node:
                return True
            if forest.field_of(at) not in kinds.NAMING_DATA:
                return False
            at = forest.parents[at]
        return False


def _stem(path: bytes) -> bytes:
    """Return the last part of a path, without suffixes and quotes; a long string is no path."""
    found = _STEM.search(path) if len(path) <= LONGEST_PATH else None
    return found[1] if found else path


def _is_only(forest: Forest, node: NodeId) -> bool:
    """Tell whether a node is the only named child of its parent, which may have very many."""
    named = filter(forest.is_named, forest.children(forest.parents[node]))
    return len(list(islice(named, 2))) == 1
