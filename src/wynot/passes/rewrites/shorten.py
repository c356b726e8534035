"""Shorter texts: of a kind of node, of a name, of the links of a chain.

A node can be a shorter one of its kind, from the language's table or from the file itself; a link
of a chain can be like the simplest one, which is all that a deep nest needs. Every name can have
one letter: which it has tells nothing to the program, mostly, so one bulk try comes first.
"""

import re
from collections.abc import Iterator
from itertools import count, islice, product
from string import ascii_lowercase, ascii_uppercase

from wynot.core.texts.rewrites import Patch, Rewrite
from wynot.formats.language import Language
from wynot.passes.rewrites.tree_queries import LARGE_FOREST, is_binding, value_around
from wynot.passes.trees import kinds
from wynot.passes.trees.drop_links import Link, chains_of, links_of
from wynot.passes.trees.forest import ROOT_NODE, Forest, NodeId, TokenId

_ANY_TYPE = b"class"
MOST_PAIRS = 100
"""How many names there may be for all expressions to try each."""
MOST_NAMES = 60
"""Names of a text that is small enough to try a number for each."""
LINKS_ALIKE = "links alike"
_NAME = re.compile(rb"([^A-Za-z_\x80-\xff]*)(.*?)([\"']*)", re.DOTALL)


def by_table(forest: Forest) -> Iterator[Rewrite]:
    """Put the short text that the language's table has for a kind of node."""
    for node in forest.named_nodes:
        kind = forest.kind(node)
        for text in forest.language(node).replacements.get(kind, ()):
            path, start, stop = forest.span(node)
            if len(text) < stop - start:
                yield Rewrite(f"{kind} to {text.decode()}", (Patch(path, start, stop, text),))


def by_example(forest: Forest) -> Iterator[Rewrite]:
    """Put the shortest text that the file itself has for a kind of node."""
    if len(forest.kinds) > LARGE_FOREST:
        return  # so many proposals would take more memory than the text by far
    shortest: dict[tuple[int, int], bytes] = {}
    for node in forest.named_nodes:
        key = forest.kinds[node], forest.fields[node]
        best = shortest.get(key)
        if best is None or forest.weight(node) < len(best):
            text = forest.text(node)
            if best is None or len(text) < len(best):
                shortest[key] = text
    for node in forest.named_nodes:
        if forest.parents[node] == ROOT_NODE:
            continue
        text = shortest[forest.kinds[node], forest.fields[node]]
        path, start, stop = forest.span(node)
        if len(text) < stop - start:
            kind = forest.kind(node)
            yield Rewrite(f"{kind} like another", (Patch(path, start, stop, text),))


def by_class(forest: Forest) -> Iterator[Rewrite]:
    """Put any type for one that must be of some sort: ``template <class T>`` for a concept."""
    for node in forest.named_nodes:
        if forest.field_of(node) == "type":
            above = forest.parents[node]
            is_parameter = kinds.is_type_parameters(forest.kind(forest.parents[above]))
            if is_parameter and forest.weight(node) > len(_ANY_TYPE):
                path, start, stop = forest.span(node)
                yield Rewrite("constraint to class", (Patch(path, start, stop, _ANY_TYPE),))


def by_number(forest: Forest) -> Iterator[Rewrite]:
    """Put a number where a name is used: no shorter, but it needs no declaration any more."""
    if sum(1 for _ in islice(forest.names_given, MOST_NAMES + 1)) > MOST_NAMES:
        return
    for token in forest.names_given:
        if not is_binding(forest, token):
            text = _number(forest.language(forest.leaves[token]))
            yield Rewrite(f"name to {text.decode()}", (Patch(*forest.span_of_token(token), text),))


def by_name(forest: Forest) -> Iterator[Rewrite]:
    """Put any other name where an expression is: one of them may be of the same type."""
    names = dict.fromkeys(forest.word(token) for token in islice(forest.names_given, MOST_NAMES))
    expressions = [
        node
        for node in forest.nodes
        if forest.has_tokens(node)
        and node + 1 < forest.subtree_ends[node]
        and _number(forest.language(node))
        in forest.language(node).replacements.get(forest.kind(node), ())
    ]
    if len(names) * len(expressions) > MOST_PAIRS:
        return
    for node in expressions:
        path, start, stop = forest.span(node)
        for name in names:
            if len(name) < stop - start:
                category = f"{forest.kind(node)} to a name"
                yield Rewrite(category, (Patch(path, start, stop, name),))


def _number(language: Language) -> bytes:
    """Return the plainest number of a language."""
    kinds = (kind for kind in (*language.numbers, "literal") if kind in language.replacements)
    return next((language.replacements[kind][0] for kind in sorted(kinds)), b"0")


def alike(forest: Forest) -> Iterator[Rewrite]:
    """Propose the text of the simplest link for every other one of its chain."""
    for chain in chains_of(forest):
        links = list(links_of(forest, chain))
        ranks = [_link_rank(link) for link in links]
        best = min(ranks)
        simplest = links[ranks.index(best)]
        for link, rank in zip(links, ranks, strict=True):
            if rank != best:
                yield Rewrite(LINKS_ALIKE, tuple(_link_patches(link, simplest)))


def _link_rank(link: Link) -> tuple[int, bytes, bytes]:
    """Return what is less for a simpler link."""
    left, right = link.bare
    return len(left) + len(right), left, right


def _link_patches(link: Link, other: Link) -> Iterator[Patch]:
    """Return what makes a link like another; white space next to what is in it stays."""
    left = other.left.rstrip() + link.left[len(link.left.rstrip()) :]
    right = link.right[: len(link.right) - len(link.right.lstrip())] + other.right.lstrip()
    if left != link.left:
        yield Patch(link.path, *link.before, left)
    if right != link.right:
        yield Patch(link.path, *link.behind, right)


def renames(forest: Forest) -> Iterator[Rewrite]:
    """Give each name the shortest one that is free, in the order of first mention."""
    mentions: dict[bytes, list[TokenId]] = {}
    for token, leaf in forest.token_leaves:
        language = forest.language(leaf)
        is_name = forest.kind(leaf) in language.names
        if is_name or (not language.names and _is_value(forest, leaf)):
            mentions.setdefault(forest.word(token), []).append(token)
    taken = set(forest.words)
    free = {letters: fresh(letters) for letters in (ascii_lowercase, ascii_uppercase)}
    for name, places in mentions.items():
        match = _NAME.fullmatch(name)
        before, bare, after = match.groups() if match else (b"", b"", b"")
        if len(bare) < 2:  # noqa: PLR2004 - it is one letter already
            continue
        letters = ascii_uppercase if bare[:1].isupper() else ascii_lowercase
        short = next(
            whole for word in free[letters] if (whole := before + word + after) not in taken
        )
        if len(short) < len(name):
            patches = tuple(Patch(*forest.span_of_token(place), short) for place in places)
            yield Rewrite("rename", patches)


def _is_value(forest: Forest, leaf: NodeId) -> bool:
    """Tell whether a node of data is a string that is a value, not a key."""
    is_string = forest.kind(leaf) in forest.language(leaf).strings
    return is_string and value_around(forest, leaf) is not None


def fresh(letters: str) -> Iterator[bytes]:
    """Return all words, the shortest first."""
    for length in count(1):
        for each in product(letters, repeat=length):
            yield "".join(each).encode()
