"""Bodies: functions without a body, with the shortest one, or with one that returns nothing.

A function that is only declared, or left to the compiler, has no body (C-Reduce's
``replace-function-def-with-decl``). What can stand for a body is in the table of the language:
nothing but the mark that ends a declaration, mostly; in C++ also ``= default`` for what the
compiler can write itself, and ``= delete``.

A function that returns nothing (C-Reduce's ``return-void``, for every language whose tree shows
what a function returns) has the type ``void``; its returns only evaluate what they returned, or
go; and where the result was used, the call stands alone. Each of them alone is refused by a
compiler.
"""

from collections.abc import Iterator
from itertools import islice

from wynot.core.texts.rewrites import Patch, Rewrite
from wynot.passes.large.source_units import function_bodies
from wynot.passes.large.unused_code import MIN_LARGE_TOKENS
from wynot.passes.rewrites.definitions import (
    Function,
    call_of,
    functions,
    inside_functions,
    is_member,
)
from wynot.passes.rewrites.tree_queries import (
    LARGE_FOREST,
    OPENING,
    before,
    is_list,
    is_mark,
    mentions,
    removal,
    replacement,
    rewrite,
)
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, Forest, NodeId, TokenId

MOST_FUNCTIONS = 200
"""How many functions of a source that is not large are looked at."""
EMPTIED = "body emptied"
MIN_EMPTIED_BYTES = 24
"""Bytes from which on a body is worth it."""


def declarations(forest: Forest) -> Iterator[Rewrite]:
    """Return each function without a body, of a source that is not large."""
    if len(forest.leaves) < MIN_LARGE_TOKENS:
        for function in islice(functions(forest), MOST_FUNCTIONS):
            yield from _bodiless(forest, function)


def all_bodies(forest: Forest) -> Iterator[Rewrite]:
    """Return each function of a large source without a body: that frees most of what it needs."""
    if len(forest.leaves) >= MIN_LARGE_TOKENS:
        for function in functions(forest):
            yield from _bodiless(forest, function)


def _bodiless(forest: Forest, function: Function) -> Iterator[Rewrite]:
    body, node = function.body, function.node
    if body == ROOT_NODE or forest.last(body) != forest.last(node):
        return
    is_plain = forest.child(node, "type") == ROOT_NODE  # as constructors and destructors are
    path, start, stop = forest.span(body)
    for child in forest.named(node):
        if kinds.is_initializers(forest.kind(child)):
            start = forest.span(child).start
    for text in forest.language(node).bodiless:
        if len(text) < stop - start and (is_plain or b"default" not in text):
            words = text.decode().strip("=; ") or "declared"
            yield Rewrite(f"function only {words}", (Patch(path, start, stop, text),))


def emptied(forest: Forest) -> Iterator[Rewrite]:
    """Return each function with the shortest body that its language has for any."""
    for body in function_bodies(forest):
        language = forest.language(body)
        texts = language.replacements.get(forest.kind(body), ())
        text = language.any_body or next(iter(texts), b"")
        if texts and forest.weight(body) >= len(text) + MIN_EMPTIED_BYTES:
            yield Rewrite(EMPTIED, (Patch(*forest.span(body), text),))


MOST_USES = 40
_RETURN_TYPES = ("type", "returns", "return_type", "result")
_MARKS = frozenset({b"->", b":"})
_VOIDS = frozenset({b"void", b"()", b"None", b"Unit"})


def return_void(forest: Forest) -> Iterator[Rewrite]:
    """Return how the functions of each name return nothing."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    found = list(islice(functions(forest), MOST_FUNCTIONS))
    returns: dict[TokenId, list[NodeId]] = {}
    for node, function in inside_functions(forest, found).items():
        is_return = forest.is_named(node) and kinds.is_return(forest.kind(node))
        if is_return and forest.named(node):
            returns.setdefault(function.name, []).append(node)
    by_name: dict[bytes, list[Function]] = {}
    for function in found:
        by_name.setdefault(forest.word(function.name), []).append(function)
    for name, alike in by_name.items():
        types = [patch for function in alike for patch in _void(forest, function)]
        values = [node for function in alike for node in returns.get(function.name, ())]
        names = {function.name for function in alike}
        uses = [token for token in mentions(forest).get(name, ()) if token not in names]
        kept = [_value_alone(forest, node) for node in values]
        gone = [patch for node in values for patch in _without(forest, node)]
        calls = [patch for token in uses[:MOST_USES] for patch in _call_alone(forest, token)]
        for category, patches in (
            ("return void", [*types, *kept]),
            ("return void, and use no result", [*types, *gone, *calls]),
        ):
            done = rewrite(category, patches) if types or values else None
            if done is not None:
                yield done


def _void(forest: Forest, function: Function) -> Iterator[Patch]:
    """Return what makes the type of a function void; nothing if it is."""
    of_type = next(
        (child for field in _RETURN_TYPES if (child := forest.child(function.node, field))),
        ROOT_NODE,
    )
    if of_type == ROOT_NODE or forest.text(of_type) in _VOIDS:
        return
    left = before(forest, of_type)
    if forest.firsts[of_type] > function.name:
        first = left if left and forest.text(left) in _MARKS else of_type
        yield replacement(forest, forest.between(forest.firsts[first], forest.ends[of_type]))
        return
    first = of_type
    while left and kinds.is_type_qualifier(forest.kind(left)):
        first, left = left, before(forest, left)
    around = forest.parents[function.parameters]
    named = forest.child(around, "declarator") or forest.child(around, "name")
    stop = forest.span(named).start if named else forest.span_of_token(function.name)[1]
    text = b"void " if forest.firsts[function.parameters] > function.name else b""
    path, start, _ = forest.span(first)
    yield Patch(path, start, stop, text)


def _value_alone(forest: Forest, node: NodeId) -> Patch:
    """Return the patch that takes the word ``return`` away."""
    path, start, _ = forest.span(node)
    return Patch(path, start, forest.span_of_token(TokenId(forest.firsts[node] + 1))[1])


def _without(forest: Forest, node: NodeId) -> Iterator[Patch]:
    """Return what takes a return away; where a statement is needed, only the word."""
    at = node
    if kinds.is_statement(forest.kind(forest.parents[at])):
        at = forest.parents[at]
    above = forest.parents[at]
    is_bare = forest.word(forest.firsts[above]) not in OPENING
    if not is_list(forest, above) or (is_bare and len(forest.named(above)) == 1):
        yield _value_alone(forest, node)
    else:
        yield from removal(forest, at)


def _call_alone(forest: Forest, token: TokenId) -> Iterator[Patch]:
    """Return what leaves only the call of the statement around it."""
    call = call_of(forest, token)
    if call is None:
        return
    at = call.node
    while at != ROOT_NODE and not is_list(forest, forest.parents[at]):
        at = forest.parents[at]
        if forest.child(at, "body"):
            return
    is_alone = forest.named(at) == [call.node] and forest.firsts[at] == forest.firsts[call.node]
    if at in {ROOT_NODE, call.node} or is_alone:
        return
    last = list(forest.children(at))[-1]
    end = b";" if is_mark(forest, last) and forest.text(last) == b";" else b""
    first = forest.firsts[call.node] if is_member(forest, token) else token
    run = forest.between(first, forest.ends[call.arguments])
    yield replacement(
        forest, forest.span(at), forest.contents[run.path][run.start : run.stop] + end
    )
