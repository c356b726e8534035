"""Types: without what only qualifies them, short ones for long ones, and plain ones for all others.

Where one that is built in stands for one of a library, or for one that the text defines, all
mentions change together, so that they still agree; then what has defined the type can go, or what
has brought it in. (C-Reduce's ``empty-struct-to-int``, for every language with a plain type.)
"""

from collections.abc import Iterator
from itertools import islice

from wynot.core.texts.rewrites import Patch, Rewrite
from wynot.passes.rewrites.tree_queries import (
    LARGE_FOREST,
    is_mark,
    member_around,
    mentions,
    removal,
    replacement,
    rewrite,
    would_join,
)
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, Forest, NodeId, TokenId

QUALIFIERS = frozenset(
    b"abstract async auto const consteval constexpr constinit crate declare default del dyn "
    b"explicit export extern final friend implicit inline internal intent lateinit lazy local "
    b"mut mutable native nonlocal noexcept open out override packed partial pin private protected "
    b"pub public pure readonly recursive ref register required restrict sealed short signed static "
    b"strictfp suspend synchronized thread_local transient unique unlogged unsafe unsigned virtual "
    b"volatile long temporary temp strict elemental allocatable target save optional fileprivate "
    b"__attribute__ __restrict __volatile__ __const __inline __extension__".split()
)
"""Words that can be left out in one language or another, and leave something that means much the
same; where they cannot, the text does not parse."""

MOST_TYPES = 2
"""How many types are replaced, those that take most room."""
MOST_DEFINED = 100
MOST_MENTIONS = 100


def words(forest: Forest) -> Iterator[Rewrite]:
    """Leave out all of one word."""
    places: dict[bytes, list[TokenId]] = {}
    for token, word in forest.token_words:
        if word.lower() in QUALIFIERS and _qualifies(forest, forest.leaves[token]):
            places.setdefault(word, []).append(token)
    for word, tokens in places.items():
        patches = [_without(forest, token) for token in tokens]
        found = rewrite(f"without {word.decode(errors='replace')}", patches)
        if found is not None:
            yield found


def _qualifies(forest: Forest, leaf: NodeId) -> bool:
    """Tell whether a token is a keyword, and not a name or a word in a text."""
    return is_mark(forest, leaf) or kinds.is_qualifier(forest.kind(leaf))


def _without(forest: Forest, token: TokenId) -> Patch:
    """Return the patch that takes out a word with the white space on one side."""
    path, start, stop = forest.span_of_token(token)
    content = forest.contents[path]
    end = stop
    while end < len(content) and content[end : end + 1] in b" \t":
        end += 1
    gap = b" " if would_join(content[start - 1 : start], content[end : end + 1]) else b""
    return Patch(path, start, end, gap)


def like_another(forest: Forest) -> Iterator[Rewrite]:
    """Put the shortest type that the text has for another one, wherever that one is.

    One of the same kind is found by example, place by place; here all that say the same change
    together, so that they still agree.
    """
    places: dict[str, dict[bytes, list[NodeId]]] = {}
    for node in forest.named_nodes:
        field = forest.field_of(node)
        if field in kinds.TYPES and forest.field_of(forest.parents[node]) not in kinds.TYPES:
            places.setdefault(field, {}).setdefault(forest.text(node), []).append(node)
    for field, texts in places.items():
        short = min(texts, key=lambda text: (len(text), text))
        longer = sorted(texts, key=lambda text: (-len(text) * len(texts[text]), text))
        for text in longer[:MOST_TYPES]:
            if len(text) > len(short):
                runs = (forest.span(node) for node in texts[text])
                found = rewrite(f"{field} like another", [Patch(*run, short) for run in runs])
                if found is not None:
                    yield found


def library_types(forest: Forest) -> Iterator[Rewrite]:
    """Put what is built in for all mentions of a type of a library."""
    if not any(language.library_types for _, language in forest.languages):
        return
    places: dict[tuple[bytes, bytes], list[TokenId]] = {}
    for token, leaf in forest.token_leaves:
        word = forest.word(token)
        instead = forest.language(leaf).library_types.get(word.lower())
        if instead is not None:
            places.setdefault((word, instead), []).append(token)
    for (_, instead), tokens in places.items():
        runs = (forest.between(token, TokenId(token + 1)) for token in tokens)
        done = rewrite(
            "built-in for a library's", [replacement(forest, run, instead) for run in runs]
        )
        if done is not None:
            yield done


def defined_types(forest: Forest) -> Iterator[Rewrite]:
    """Put the plainest type for all mentions of one that is defined, which goes."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    for node in islice(_definitions(forest), MOST_DEFINED):
        name, plain = _name(forest, node), forest.language(node).plain_type
        if name is None:
            continue
        tokens = mentions(forest).get(forest.word(name), ())
        outside = [token for token in tokens if not forest.holds(node, token)]
        if not 0 < len(outside) <= MOST_MENTIONS:
            continue
        gone = member_around(forest, node)
        if any(forest.holds(gone, token) for token in outside):
            gone = node
        patches = [
            replacement(forest, forest.span(_use(forest, token)), plain) for token in outside
        ]
        done = rewrite("built-in for a type", [*removal(forest, gone), *patches])
        if done is not None:
            yield done


def _definitions(forest: Forest) -> Iterator[NodeId]:
    for node in forest.named_nodes:
        kind = forest.kind(node)
        is_record = kinds.is_class(kind) and kind in forest.language(node).replacements
        if forest.language(node).plain_type and (
            kinds.defines_type(kind) or (is_record and forest.child(node, "body"))
        ):
            yield node


def _use(forest: Forest, token: TokenId) -> NodeId:
    """Return where a type is named: with a word such as ``struct``, if that is before it."""
    leaf = forest.leaves[token]
    return forest.parents[leaf] if kinds.is_class(forest.kind(forest.parents[leaf])) else leaf


def _name(forest: Forest, node: NodeId) -> TokenId | None:
    """Return the name of the type that is defined; None: it has none, or more than that."""
    for field in ("name", "type"):
        child = forest.child(node, field)
        if child and forest.ends[child] - forest.firsts[child] == 1:
            return forest.firsts[child]
    first = next(iter(forest.named(node)), ROOT_NODE)
    is_name = first and forest.ends[first] - forest.firsts[first] == 1
    return forest.firsts[first] if is_name else None
