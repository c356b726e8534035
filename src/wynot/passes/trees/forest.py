"""The trees of all texts of a case as one, each node and token with a number of its own."""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple, NewType, Protocol, TypeVar, cast

from wynot.core.deltas import Deltas
from wynot.core.system.recent import Recent
from wynot.core.texts.chains import AlikeLinks
from wynot.core.texts.tree import NAMED, TOKEN, Nodes, Tree
from wynot.formats.language import Language, is_plain_string
from wynot.passes.trees.tokens import Tokens

NodeId = NewType("NodeId", int)
"""The number of a node in a forest."""
TokenId = NewType("TokenId", int)
"""The number of a token, among those of all texts."""
ROOT_NODE = NodeId(0)


def tokens_between(start: int, end: int) -> Sequence[TokenId]:
    """Return the tokens from one up to before another."""
    return cast("Sequence[TokenId]", range(start, end))


Place_contra = TypeVar("Place_contra", contravariant=True)
Item_co = TypeVar("Item_co", covariant=True)


class Column(Protocol[Place_contra, Item_co]):
    """An array that says what it is of, and of what its numbers are."""

    def __getitem__(self, at: Place_contra, /) -> Item_co: ...
    def __setitem__(self, at: Place_contra, item: int, /) -> None: ...
    def __iter__(self) -> Iterator[Item_co]: ...
    def __len__(self) -> int: ...
    def append(self, item: int, /) -> None:
        """Put a number at the end."""

    def extend(self, items: Iterable[int], /) -> None:
        """Put numbers at the end."""


def column(code: str, *first: int) -> Callable[[], Any]:
    """Return what makes an array that begins with some numbers."""
    return lambda: array(code, first)


KEPT_MARKS = 4
"""Of how many configurations the marks are remembered."""
NODE_BYTES, TOKEN_BYTES = 24, 64
"""What a node takes in memory, and a token with the places where its name is mentioned."""
LONGEST_HEAD = 32
SMALL_SUBTREE_NODES = 64
"""Nodes of a subtree whose children are looked through each time: to remember those of all small
subtrees would take four times as much memory as the forest."""


class ByteRange(NamedTuple):
    """Bytes of a file."""

    path: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Parsed:
    """A text with its language and its tree."""

    content: bytes
    language: Language
    tree: Tree
    stretches: tuple[AlikeLinks, ...] = ()


@dataclass(slots=True)
class Forest:
    """Nodes by number, parents before their children; 0 is the root of all."""

    names: list[str] = field(default_factory=lambda: ["", "files"])
    kinds: Column[NodeId, int] = field(default_factory=column("H", 1))
    fields: Column[NodeId, int] = field(default_factory=column("H", 0))
    flags: bytearray = field(default_factory=lambda: bytearray([NAMED]))
    parents: Column[NodeId, NodeId] = field(default_factory=column("I", 0))
    subtree_ends: Column[NodeId, NodeId] = field(default_factory=column("I", 1))
    firsts: Column[NodeId, TokenId] = field(default_factory=column("I", 0))
    """A node's first token."""
    ends: Column[NodeId, TokenId] = field(default_factory=column("I", 0))
    """The token after its last."""
    leaves: Column[TokenId, NodeId] = field(default_factory=column("I"))
    """The node of each token."""
    tokens: dict[str, Tokens] = field(default_factory=dict)
    """Where the tokens of each text are."""
    languages: list[tuple[NodeId, Language]] = field(default_factory=list)
    """The first node of each text, and its language."""
    texts: list[tuple[TokenId, str]] = field(default_factory=list)
    """The first token of each text, and its path."""
    contents: dict[str, bytes] = field(default_factory=dict)
    byte_offsets: "array[int]" = field(default_factory=column("Q", 0))
    """How many bytes of tokens there are before each token; the last entry: in all."""
    stretches: dict[str, tuple[AlikeLinks, ...]] = field(default_factory=dict)
    """The links of each text of which all but the first and the last are one token."""
    _marks: Recent[int, bytes] = field(default_factory=lambda: Recent(KEPT_MARKS))
    named_mentions: dict[bytes, list[TokenId]] = field(default_factory=dict)
    """The tokens of each name, once they were looked for."""
    _by_field: dict[NodeId, dict[str, NodeId]] = field(default_factory=dict)
    """The first child of each field, of large nodes that were asked about."""

    @classmethod
    def of(cls, texts: Mapping[str, Parsed]) -> "Forest":
        """Put the trees of some texts together."""
        forest = cls()
        for path, parsed in texts.items():
            forest._add(path, parsed)
        forest.subtree_ends[ROOT_NODE] = len(forest.kinds)
        forest.ends[ROOT_NODE] = len(forest.leaves)
        return forest

    def _add(self, path: str, parsed: Parsed) -> None:
        """Add the tree of one text: what is only white space is no token."""
        tree, content = parsed.tree, parsed.content
        places = {name: place for place, name in enumerate(self.names)}
        renamed = array("H")
        for name in tree.names:
            renamed.append(places.setdefault(name, len(places)))
            if renamed[-1] == len(self.names):
                self.names.append(name)
        offset = NodeId(len(self.kinds))
        self.languages.append((offset, parsed.language))
        starts, stops = array("Q"), array("Q")
        first, reach = TokenId(len(self.leaves)), self.byte_offsets[-1]
        after = 0
        for number, flag in enumerate(tree.flags):
            self.firsts.append(first + len(starts))
            start, stop = tree.starts[number], tree.stops[number]
            is_token = flag & TOKEN
            if number < after:  # inside of what is one token
                is_token = 0
            elif not is_token and is_plain_string(tree, number, parsed.language):
                is_token, after = 1, tree.subtree_ends[number]
            if is_token and start < stop and not content[start:stop].isspace():
                starts.append(start)
                stops.append(stop)
                self.leaves.append(offset + number)
                reach += stop - start
                self.byte_offsets.append(reach)
            self.kinds.append(renamed[tree.kinds[number]])
            self.fields.append(renamed[tree.fields[number]])
            self.parents.append(offset + tree.parents[number] if number else ROOT_NODE)
            self.subtree_ends.append(offset + tree.subtree_ends[number])
        self.flags += tree.flags
        self.tokens[path], self.contents[path] = Tokens(starts, stops), content
        self.texts.append((first, path))
        if parsed.stretches:
            self.stretches[path] = parsed.stretches
        total = first + len(starts)
        count = len(tree)
        self.ends.extend(
            self.firsts[NodeId(offset + after)] if after < count else total
            for after in tree.subtree_ends
        )

    @property
    def size(self) -> int:
        """About how many bytes it takes, with what is looked up in it later."""
        contents = sum(map(len, self.contents.values()))
        return contents + NODE_BYTES * len(self.kinds) + TOKEN_BYTES * len(self.leaves)

    @property
    def as_nodes(self) -> Nodes:
        """The same trees, as searches see them."""
        columns = (self.firsts, self.ends, self.subtree_ends)
        return Nodes(*cast("tuple[Sequence[int], Sequence[int], Sequence[int]]", columns))

    @property
    def names_given(self) -> Iterator[TokenId]:
        """The tokens that are names which whoever wrote the text has given."""
        for token, leaf in self.token_leaves:
            if self.kind(leaf) in self.language(leaf).names:
                yield token

    def kind(self, node: NodeId) -> str:
        """Return what kind of node this is."""
        return self.names[self.kinds[node]]

    def what(self, node: NodeId) -> str:
        """Return what a node is, for whoever reads along and to tell alike ones from others."""
        if not self.language(node).lisp_like or self.flags[node] & TOKEN:
            return self.kind(node)
        head = next((child for child in self.children(node) if self.is_named(child)), None)
        if head is None or not self.flags[head] & TOKEN:
            return self.kind(node)
        return self.text(head)[:LONGEST_HEAD].decode("utf-8", "replace")

    def field_of(self, node: NodeId) -> str:
        """Return what it is to its parent."""
        return self.names[self.fields[node]]

    def is_named(self, node: NodeId) -> bool:
        """Tell whether it is more than punctuation or a keyword."""
        return bool(self.flags[node] & NAMED)

    def language(self, node: NodeId) -> Language:
        """Return the language of the text that a node is in."""
        if len(self.languages) == 1:
            return self.languages[0][1]
        place = bisect_right(self.languages, node, key=itemgetter(0)) - 1
        return self.languages[place][1]

    def children(self, node: NodeId) -> Iterator[NodeId]:
        """Return a node's children that have tokens."""
        child, after = NodeId(node + 1), self.subtree_ends[node]
        while child < after:
            if self.firsts[child] < self.ends[child]:
                yield child
            child = self.subtree_ends[child]

    def named(self, node: NodeId) -> list[NodeId]:
        """Return a node's children that are more than punctuation or a keyword."""
        return [child for child in self.children(node) if self.is_named(child)]

    def child(self, node: NodeId, field: str) -> NodeId:
        """Return the first child that is this to a node; the root: there is none."""
        if self.subtree_ends[node] - node <= SMALL_SUBTREE_NODES:
            among = (each for each in self.children(node) if self.field_of(each) == field)
            return next(among, ROOT_NODE)
        found = self._by_field.get(node)
        if found is None:  # each child of a node with very many may ask for the same
            found = self._by_field[node] = {}
            for each in self.children(node):
                found.setdefault(self.field_of(each), each)
        return found.get(field, ROOT_NODE)

    @property
    def nodes(self) -> Sequence[NodeId]:
        """All nodes but the root."""
        return cast("Sequence[NodeId]", range(1, len(self.kinds)))

    @property
    def named_nodes(self) -> Iterator[NodeId]:
        """The nodes that have tokens, but for those that are punctuation or keywords."""
        for node in self.nodes:
            if self.is_named(node) and self.has_tokens(node):
                yield node

    def weight(self, node: NodeId) -> int:
        """Return how many bytes the tokens of a node have."""
        return self.byte_offsets[self.ends[node]] - self.byte_offsets[self.firsts[node]]

    def bytes_of(self, tokens: Deltas) -> int:
        """Return how many bytes some tokens have."""
        return sum(
            self.byte_offsets[stop] - self.byte_offsets[start] for start, stop in tokens.runs
        )

    def marks(self, kept: Deltas) -> bytes:
        """Return of each token whether it is kept: what is asked of many nodes is looked up."""
        return self._marks.get(kept.key, lambda: bytes(kept.marks(len(self.leaves))))

    def kept_between(self, kept: Deltas, start: int, stop: int) -> Deltas:
        """Return the tokens from start to stop that are kept."""
        return kept.part(kept.rank(start), kept.rank(stop))

    def left(self, kept: Deltas, node: NodeId) -> int:
        """Return how many tokens of a node are kept."""
        return kept.rank(self.ends[node]) - kept.rank(self.firsts[node])

    def innermost(self, node: NodeId) -> NodeId:
        """Return the lowest node that has the same tokens."""
        while True:
            children = list(self.children(node))
            if len(children) != 1:
                return node
            node = children[0]

    def has_tokens(self, node: NodeId) -> bool:
        """Tell whether a node is more than white space."""
        return self.firsts[node] < self.ends[node]

    def tokens_of(self, node: NodeId) -> Sequence[TokenId]:
        """Return the tokens of a node."""
        return tokens_between(self.firsts[node], self.ends[node])

    @property
    def token_leaves(self) -> Iterator[tuple[TokenId, NodeId]]:
        """Each token, and its node."""
        return cast("Iterator[tuple[TokenId, NodeId]]", enumerate(self.leaves))

    def last(self, node: NodeId) -> TokenId:
        """Return the last token of a node."""
        return TokenId(self.ends[node] - 1)

    def holds(self, node: NodeId, token: TokenId) -> bool:
        """Tell whether a token is in a node."""
        return self.firsts[node] <= token < self.ends[node]

    def span(self, node: NodeId) -> ByteRange:
        """Return the bytes of a node: the file, and from where to where they go."""
        return self.between(self.firsts[node], self.ends[node])

    def between(self, first: TokenId, end: int) -> ByteRange:
        """Return the bytes from one token up to before another."""
        path, start, _ = self.span_of_token(first)
        return ByteRange(path, start, self.span_of_token(TokenId(end - 1))[2])

    def span_of_token(self, token: TokenId) -> tuple[str, int, int]:
        """Return the file that a token is in, and from where to where it goes."""
        several = len(self.texts) > 1
        text = bisect_right(self.texts, token, key=itemgetter(0)) - 1 if several else 0
        first, path = self.texts[text]
        starts, stops = self.tokens[path]
        return path, starts[token - first], stops[token - first]

    def word(self, token: TokenId) -> bytes:
        """Return the bytes of a token."""
        path, start, stop = self.span_of_token(token)
        return self.contents[path][start:stop]

    @property
    def token_words(self) -> Iterator[tuple[TokenId, bytes]]:
        """Each token, and its bytes."""
        return cast("Iterator[tuple[TokenId, bytes]]", enumerate(self.words))

    @property
    def words(self) -> Iterator[bytes]:
        """The bytes of each token."""
        for path, (starts, stops) in self.tokens.items():
            content = self.contents[path]
            yield from (content[a:b] for a, b in zip(starts, stops, strict=True))

    def text(self, node: NodeId) -> bytes:
        """Return the bytes of a node."""
        path, start, stop = self.span(node)
        return self.contents[path][start:stop]
