"""Inlining: what a name stands for takes the place of the name, and its definition goes.

C-Reduce (Regehr et al. 2012) has this as a dozen transformations of C; LPR (Zhang et al. 2024)
finds that most of what a language-specific step adds comes from it. Here it is one, for every
language whose tree has definitions.
"""

from collections.abc import Iterator, Sequence

from wynot.core.rewrites import Patch, Rewrite, rewritten
from wynot.passes.rewrites import definitions
from wynot.passes.rewrites.tree_queries import (
    LARGE_FOREST,
    OPENING,
    before,
    behind,
    mentions,
    put,
    removal,
    rewrite,
    widest,
)
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, ByteRange, Forest, NodeId, TokenId, tokens_between

MOST_USES = 12
"""How often a name may be used for all its uses to be replaced."""


def inlined(forest: Forest) -> Iterator[Rewrite]:
    """Return what can be inlined: what is used once, and what gets shorter by it."""
    most = 2 if len(forest.kinds) > LARGE_FOREST else MOST_USES + 1
    gone: list[ByteRange] = []
    for found, uses in definitions.defined_once(forest, mentions(forest), most):
        at = definitions.alone(forest, found.node, uses)
        if at == ROOT_NODE or any(forest.holds(at, use) for use in uses):
            continue
        taken = removal(forest, at)
        for plan in _plans(forest, found, uses):
            done = rewrite(plan.category, [*taken, *plan.patches])
            if done is None:
                continue
            # A name that is used in what another one stands for has to wait for that one.
            later = any(_is_in(patch, run) for patch in done.patches for run in gone[-100:])
            yield done._replace(category=done.category + " in turn") if later else done
        gone.append(forest.span(at))


def _is_in(patch: Patch, run: ByteRange) -> bool:
    return patch.path == run.path and run.start <= patch.start and patch.stop <= run.stop


def _plans(
    forest: Forest, found: definitions.Definition, uses: Sequence[TokenId]
) -> Iterator[Rewrite]:
    """Return the ways to put a definition in the place of its uses."""
    kind = forest.kind(found.node)
    if found.category == "tag":
        yield from _tags(forest, found, uses, kind)
    elif found.category == "type":
        text = _type_text(forest, found)
        patches = [
            put(
                forest,
                forest.between(use, use + 1),
                _fit(forest, found.value, text, forest.leaves[use]),
            )
            for use in uses
        ]
        yield Rewrite(f"inline {kind}", tuple(patches))
    elif found.category == "body":
        yield from _bodies(forest, found, uses, kind)
    else:
        yield from _values(forest, found, uses, kind, found.value)


def _tags(
    forest: Forest, found: definitions.Definition, uses: Sequence[TokenId], kind: str
) -> Iterator[Rewrite]:
    """Return the ways to define a type where it is first used."""
    _, start, stop = forest.span_of_token(found.name)
    text, first = forest.text(found.node), forest.span(found.node).start
    nameless = text[: start - first].rstrip() + text[stop - first :]
    at = forest.leaves[uses[0]]
    if forest.kinds[forest.parents[at]] == forest.kinds[found.node]:  # struct A
        at = forest.parents[at]
    yield Rewrite(f"{kind} where it is used", (put(forest, forest.span(at), text),))
    if len(uses) == 1:
        yield Rewrite(f"{kind} without its name", (put(forest, forest.span(at), nameless),))


def _type_text(forest: Forest, found: definitions.Definition) -> bytes:
    """Return a type, with the stars that stand before the name if it is the last thing there is."""
    value = forest.span(found.value)
    path, name, _ = forest.span_of_token(found.name)
    if value.stop <= name:
        between_them = forest.contents[path][value.stop : name].strip()
        if between_them and not between_them.strip(b"*& \t\n"):
            return forest.contents[path][value.start : name].rstrip()
    return forest.text(found.value)


def _values(
    forest: Forest, found: definitions.Definition, uses: Sequence[TokenId], kind: str, value: NodeId
) -> Iterator[Rewrite]:
    """Return the ways to put a value for a name, or for the calls of one with parameters."""
    parameters = definitions.names_of(forest, found.parameters)
    if parameters is None:
        return
    span = _in_brackets(forest, value)
    text = forest.contents[span.path][span.start : span.stop]
    patches: list[Patch] = []
    for use in uses:
        place = definitions.Use(forest.leaves[use])
        if parameters or found.category == "body":
            called = definitions.call(forest, use)
            if called is None or len(called.arguments) != len(parameters):
                return
            place = called
            tokens = forest.firsts[value], forest.ends[value]
            text = _filled(forest, tokens, parameters, called.arguments)
        patches.append(put(forest, forest.span(place.node), _fit(forest, value, text, place.node)))
    yield Rewrite(f"inline {kind}", tuple(patches))
    if "cte" in kind:
        # What is selected from may need its name: the others only say which one is meant.
        name = forest.word(found.name)
        places = [use for use in uses if not kinds.is_qualified(_around(forest, use))]
        if places:
            runs = [forest.between(use, use + 1) for use in places]
            yield Rewrite(
                f"inline {kind} with its name",
                tuple(put(forest, run, text + b" " + name) for run in runs),
            )


def _around(forest: Forest, token: TokenId) -> str:
    """Return the kind of the node that has more than this token."""
    return forest.kind(forest.parents[widest(forest, forest.leaves[token])])


def _in_brackets(forest: Forest, node: NodeId) -> ByteRange:
    """Return the bytes of a node with the brackets around it, if there are any: a subquery's."""
    left, right = before(forest, node), behind(forest, node)
    if left and right and forest.text(left) == b"(" and forest.text(right) == b")":
        return ByteRange(*forest.span(left)[:2], forest.span(right)[2])
    return forest.span(node)


def _bodies(
    forest: Forest, found: definitions.Definition, uses: Sequence[TokenId], kind: str
) -> Iterator[Rewrite]:
    """Return the ways to put for a call what the function returns, or what it does."""
    value = definitions.result(forest, found.value)
    if value != ROOT_NODE:
        yield from _values(forest, found, uses, kind, value)
    parameters = definitions.names_of(forest, found.parameters)
    if value != ROOT_NODE or parameters is None:
        return
    first, last = definitions.inner(forest, found.value)
    newline_sensitive = forest.language(found.node).newline_sensitive
    if first >= last or (newline_sensitive and b"\n" in forest.text(found.value)):
        return
    patches = []
    for use in uses:
        called = definitions.call(forest, use)
        if called is None or len(called.arguments) != len(parameters):
            return
        statement = forest.parents[called.node]
        if not _is_statement(forest, statement, called.node):
            return
        text = _filled(forest, (first, last), parameters, called.arguments)
        patches.append(put(forest, forest.span(statement), text))
    yield Rewrite(f"inline body of {kind}", tuple(patches))


def _is_statement(forest: Forest, node: NodeId, inside: NodeId) -> bool:
    """Tell whether a node is a statement that has nothing but another node in it."""
    return kinds.is_statement(forest.kind(node)) and forest.named(node) == [inside]


def _filled(
    forest: Forest,
    tokens: tuple[TokenId, TokenId],
    parameters: Sequence[TokenId],
    arguments: Sequence[NodeId],
) -> bytes:
    """Return a part of a text, the parameters in it replaced by arguments."""
    path, start, stop = forest.between(*tokens)
    given = {
        forest.word(parameter): _fit(forest, argument, forest.text(argument), ROOT_NODE)
        for parameter, argument in zip(parameters, arguments, strict=True)
    }
    patches = []
    for token in tokens_between(*tokens):
        word = forest.word(token)
        if word in given:
            _, begin, end = forest.span_of_token(token)
            patches.append(Patch(path, begin - start, end - start, given[word]))
    return rewritten(forest.contents[path][start:stop], patches)


def _fit(forest: Forest, value: NodeId, text: bytes, place: NodeId) -> bytes:
    """Put brackets around a value where others could take a part of it."""
    loose = kinds.is_loose(forest.kind(value)) and text[:1] not in OPENING
    around = forest.kind(forest.parents[place])
    if loose and (place == ROOT_NODE or kinds.is_tight(around)):
        return b"(" + text + b")"
    return text
