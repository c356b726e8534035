"""Types: without what only qualifies them, and short ones for long ones."""

from collections.abc import Iterator

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import NodeId, TokenId
from wynot.passes.rewrites.tree_queries import is_mark, join, rewrite

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
    gap = b" " if join(content[start - 1 : start], content[end : end + 1]) else b""
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
