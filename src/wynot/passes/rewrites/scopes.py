"""Scopes: what is in a namespace or a module stands outside, and nobody says where it is from.

Neither can be done alone: the names would not be found, or be found nowhere. Other names for the
scope go with it; what it has in common with what is around it is told apart by its name.
"""

from collections.abc import Iterator, Sequence

from wynot.core.texts.rewrites import Patch, Rewrite
from wynot.passes.rewrites.definitions import (
    Definition,
    definition,
    is_member,
    last_name,
    uses_inside,
)
from wynot.passes.rewrites.tree_queries import (
    ACCESS,
    OPENING,
    is_bracket,
    member_around,
    mentions,
    removal,
    replacement,
    rewrite,
)
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, Forest, NodeId, TokenId

MOST_USES = 200
MAX_LEVELS = 40
"""How many nodes may be between a scope and the one around it."""


def scopes(forest: Forest) -> Iterator[Rewrite]:
    """Return each name that is only ever a scope, taken out of what it scopes."""
    yield from _nameless(forest)
    for name, tokens in mentions(forest).items():
        if len(tokens) > MOST_USES:
            continue
        found = [definition(forest, token) or _nested(forest, token) for token in tokens]
        tags = [each for each in found if each is not None and each.category == "tag"]
        if not tags or len({forest.kinds[each.node] for each in tags}) > 1:
            continue
        given = {each.name for each in tags}
        uses = [token for token in tokens if token not in given]
        around: dict[bytes, list[Definition]] = {}
        for tag in tags:
            around.setdefault(_scope_around(forest, tag.node), []).append(tag)
        for outer, alike in around.items():
            own = uses if len(around) == 1 else _of_scope(forest, uses, outer)
            yield from _unwrapped(forest, name, alike, own)


def _nested(forest: Forest, token: TokenId) -> Definition | None:
    """Return the scope that a name is given to as one of several: ``namespace a::b``."""
    at = forest.parents[forest.leaves[token]]
    while kinds.is_nested_scope(forest.kind(at)):
        at = forest.parents[at]
        if kinds.is_namespace(forest.kind(at)):
            return Definition(token, at, at, "tag")
    return None


def _unwrapped(
    forest: Forest, name: bytes, tags: Sequence[Definition], uses: Sequence[TokenId]
) -> Iterator[Rewrite]:
    kind = forest.kind(tags[0].node)
    patches = _patches(forest, tags, uses)
    done = rewrite(f"{kind} unwrapped", patches)
    if not patches or done is None or not (uses or kinds.is_namespace(kind)):
        return
    yield done
    if kinds.is_namespace(kind):
        told_apart = _told_apart(forest, name, tags, uses)
        renamed = rewrite(f"{kind} unwrapped, names told apart", [*patches, *told_apart])
        if told_apart and renamed is not None:
            yield renamed


def _nameless(forest: Forest) -> Iterator[Rewrite]:
    """Return the scopes that have no name, without their braces."""
    for node in forest.named_nodes:
        kind = forest.kind(node)
        if kinds.is_namespace(kind) and not forest.child(node, "name"):
            patches = _braces(forest, node)
            done = rewrite(f"{kind} unwrapped", patches)
            if patches and done is not None:
                yield done


def _braces(forest: Forest, node: NodeId) -> list[Patch]:
    """Return what takes away a head with its braces; nothing if there are none."""
    body = forest.child(node, "body")
    if body == ROOT_NODE:
        return []
    first, last = forest.firsts[body], forest.last(body)
    if OPENING.get(forest.word(first)) != forest.word(last) or last != forest.last(node):
        return []
    path, start, _ = forest.span(node)
    inside = forest.span_of_token(TokenId(first + 1))[1]
    return [Patch(path, start, inside), replacement(forest, forest.between(last, last + 1))]


def _patches(forest: Forest, tags: Sequence[Definition], uses: Sequence[TokenId]) -> list[Patch]:
    """Return what takes away the braces and the name; nothing if it is used otherwise."""
    patches: list[Patch] = []
    for tag in tags:
        found = _unqualified(forest, tag.name) or _braces(forest, tag.node)
        if not found:
            return []
        patches += found
    is_namespace = kinds.is_namespace(forest.kind(tags[0].node))
    for use in uses:
        member = member_around(forest, forest.leaves[use])
        qualified = _unqualified(forest, use)
        if kinds.is_using(forest.kind(member)) and not _is_longer(forest, member, use):
            patches += removal(forest, member)
        elif kinds.is_namespace_alias(forest.kind(member)) and is_namespace:
            patches += qualified or _alias(forest, member)
        elif qualified:
            patches += qualified
        elif not is_namespace or kinds.is_namespace_name(forest.kind(forest.leaves[use])):
            return []
    return patches


def _unqualified(forest: Forest, token: TokenId) -> list[Patch]:
    """Return what takes a scope away before a name, or behind a larger scope."""
    path, start, stop = forest.span_of_token(token)
    member = forest.kind(member_around(forest, forest.leaves[token]))
    if token + 2 < len(forest.leaves) and forest.word(TokenId(token + 1)) in ACCESS:
        return [Patch(path, start, forest.span_of_token(TokenId(token + 2))[1])]
    if is_member(forest, token) and (
        kinds.is_namespace(member) or kinds.is_namespace_alias(member) or kinds.is_using(member)
    ):
        return [Patch(path, forest.span_of_token(TokenId(token - 1))[1], stop)]
    return []


def _is_longer(forest: Forest, statement: NodeId, use: TokenId) -> bool:
    """Tell whether a statement that names a scope says more of where something is from."""
    if use > 1 and forest.holds(statement, TokenId(use - 2)) and is_member(forest, use):
        return forest.word(TokenId(use + 1)) in ACCESS
    behind = use + 3 < len(forest.leaves) and forest.holds(statement, TokenId(use + 3))
    return (
        behind
        and (
            forest.word(TokenId(use + 3)) in ACCESS or forest.word(TokenId(use - 1)) == b"namespace"
        )
        and forest.word(TokenId(use + 1)) in ACCESS
    )


def _alias(forest: Forest, alias: NodeId) -> list[Patch]:
    """Return what takes another name for a scope away, with its uses."""
    name = last_name(forest, forest.child(alias, "name"))
    patches = list(removal(forest, alias))
    uses = mentions(forest).get(forest.word(name), ()) if name is not None else ()
    for use in uses:
        if use == name:
            continue
        member = member_around(forest, forest.leaves[use])
        if kinds.is_using(forest.kind(member)) and not _is_longer(forest, member, use):
            patches += removal(forest, member)
        else:
            patches += _unqualified(forest, use)
    return patches


def _scope_around(forest: Forest, node: NodeId) -> bytes:
    """Return the name of the scope around a node."""
    at = forest.parents[node]
    for _ in range(MAX_LEVELS):
        if at == ROOT_NODE:
            break
        name = forest.child(at, "name")
        if name and forest.child(at, "body"):
            return forest.word(forest.last(name))
        at = forest.parents[at]
    return b""


def _of_scope(forest: Forest, uses: Sequence[TokenId], outer: bytes) -> list[TokenId]:
    """Return the uses of a name that mean the one in a certain scope."""
    found = []
    for use in uses:
        if use > 1 and is_member(forest, use):
            scope = forest.word(TokenId(use - 2))
        else:
            scope = _scope_around(forest, forest.leaves[use])
        if scope == outer:
            found.append(use)
    return found


def _told_apart(
    forest: Forest, name: bytes, tags: Sequence[Definition], uses: Sequence[TokenId]
) -> list[Patch]:
    """Return what gives another name to what is declared in a scope and around it, too."""
    around = {
        word
        for above in {forest.parents[tag.node] for tag in tags}
        for word in _declared_in(forest, above)
    }
    inside = {
        word
        for tag in tags
        for word in _declared_in(forest, forest.child(tag.node, "body"))
        if word in around
    }
    tokens = [
        token
        for word in inside
        for tag in tags
        for token in uses_inside(forest, forest.child(tag.node, "body"), word)
    ]
    tokens += [
        token
        for use in uses
        if use + 2 < len(forest.leaves) and forest.word(TokenId(use + 2)) in inside
        for token in _named_behind(forest, use)
    ]
    return [
        Patch(*forest.span_of_token(token), name + b"_" + forest.word(token)) for token in tokens
    ]


def _named_behind(forest: Forest, use: TokenId) -> list[TokenId]:
    """Return the name behind that of a scope; of one that is made known, all its uses."""
    named = TokenId(use + 2)
    member = member_around(forest, forest.leaves[use])
    if kinds.is_using(forest.kind(member)) and not _is_longer(forest, member, use):
        return uses_inside(forest, forest.parents[member], forest.word(named))
    return [named]


def _declared_in(forest: Forest, node: NodeId) -> Iterator[bytes]:
    """Return the names that are declared right in a node, but for those of scopes."""
    for child in forest.named(node):
        kind = forest.kind(child)
        is_scope = kinds.is_namespace(kind) or kinds.is_namespace_alias(kind)
        if kinds.is_using(kind) or is_scope:
            continue
        at = child
        for _ in range(MAX_LEVELS):
            inner = forest.child(at, "declarator") or forest.child(at, "name")
            inner = inner or forest.child(at, "type")
            if inner == ROOT_NODE:
                named = [each for each in forest.named(at) if not is_bracket(forest, each)]
                if not kinds.is_template(forest.kind(at)) or not named:
                    break
                inner = named[-1]
            at = inner
        token = last_name(forest, at)
        if token is not None:
            yield forest.word(token)
