"""Results: a function gives nothing any more.

Its type says so, its returns only do what they did, or go; and where the result was used, the call
stands alone. Each of them alone is refused by a compiler. (C-Reduce's ``return-void``, for every
language whose tree shows what a function returns.)
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes import kinds
from wynot.passes.forest import ByteRange, Forest
from wynot.passes.ids import ROOT_NODE, NodeId, TokenId
from wynot.passes.rewrites.functions import (
    Function,
    called,
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
    put,
    removal,
    rewrite,
)

MOST_FUNCTIONS = 200
MOST_USES = 40
_RESULTS = ("type", "returns", "return_type", "result")
_MARKS = frozenset({b"->", b":"})
_NOTHING = frozenset({b"void", b"()", b"None", b"Unit"})


def results(forest: Forest) -> Iterator[Rewrite]:
    """Return for each function how it gives nothing."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    found = list(islice(functions(forest), MOST_FUNCTIONS))
    owner = inside_functions(forest, found)
    returns: dict[TokenId, list[NodeId]] = {}
    for node, function in owner.items():
        if forest.is_named(node) and kinds.is_return(forest.kind(node)):
            returns.setdefault(function.name, []).append(node)
    by_name: dict[bytes, list[Function]] = {}
    for function in found:
        by_name.setdefault(forest.word(function.name), []).append(function)
    for name, alike in by_name.items():
        types = [patch for function in alike for patch in _type(forest, function)]
        given = [
            node
            for function in alike
            for node in returns.get(function.name, ())
            if forest.named(node)
        ]
        if types or given:
            yield from _ways(forest, name, [*types], given, {function.name for function in alike})


def _ways(
    forest: Forest,
    name: bytes,
    types: list[Patch],
    given: Sequence[NodeId],
    declared: set[TokenId],
) -> Iterator[Rewrite]:
    """Return what becomes of the returns: what they evaluate, or nothing; and then of the uses."""
    kept = [_without_word(forest, node) for node in given]
    done = rewrite("gives nothing", [*types, *kept])
    if done is not None:
        yield done
    gone = [patch for node in given for patch in _without(forest, node)]
    uses = [token for token in mentions(forest).get(name, ()) if token not in declared]
    alone = [patch for token in uses[:MOST_USES] for patch in _alone(forest, token)]
    done = rewrite("gives nothing, and nothing is done with it", [*types, *gone, *alone])
    if done is not None and (given or alone):
        yield done


def _type(forest: Forest, function: Function) -> Iterator[Patch]:
    """Return what says that nothing is given; nothing if that is said already."""
    of_type = next(
        (child for field in _RESULTS if (child := forest.child(function.node, field))), ROOT_NODE
    )
    if of_type == ROOT_NODE or forest.text(of_type) in _NOTHING:
        return
    if forest.firsts[of_type] < function.name:
        first = of_type
        while (left := before(forest, first)) and kinds.is_type_qualifier(forest.kind(left)):
            first = left
        start = _first_of_name(forest, function)
        path, begin, _ = forest.span(first)
        stop = forest.span_of_token(start)[1]
        text = b"void " if forest.firsts[function.parameters] > function.name else b""
        yield Patch(path, begin, stop, text)
        return
    left = before(forest, of_type)
    first = left if left and forest.text(left) in _MARKS else of_type
    yield put(forest, forest.between(forest.firsts[first], forest.ends[of_type]))


def _first_of_name(forest: Forest, function: Function) -> TokenId:
    """Return the first token of a name, with what it is qualified by."""
    around = forest.parents[function.parameters]
    named = forest.child(around, "declarator") or forest.child(around, "name")
    return forest.firsts[named] if named else function.name


def _without_word(forest: Forest, node: NodeId) -> Patch:
    """Return the patch that only takes the word ``return`` away."""
    path, start, _ = forest.span(node)
    stop = forest.span_of_token(TokenId(forest.firsts[node] + 1))[1]
    return Patch(path, start, stop)


def _without(forest: Forest, node: NodeId) -> Sequence[Patch]:
    """Return what takes a return away; where a statement is needed, what it returns."""
    at = node
    if kinds.is_statement(forest.kind(forest.parents[at])):
        at = forest.parents[at]
    above = forest.parents[at]
    is_bare = forest.word(forest.firsts[above]) not in OPENING
    if not is_list(forest, above) or (is_bare and len(forest.named(above)) == 1):
        return (_without_word(forest, node),)
    return removal(forest, at)


def _alone(forest: Forest, token: TokenId) -> Iterator[Patch]:
    """Return what leaves only the call of the statement around it."""
    call = called(forest, token)
    if call is None:
        return
    node, arguments = call
    first = forest.firsts[node] if is_member(forest, token) else token
    at = node
    while at != ROOT_NODE and not is_list(forest, forest.parents[at]):
        at = forest.parents[at]
        if forest.child(at, "body"):
            return
    if at in {ROOT_NODE, node}:
        return
    inner = forest.named(at)
    last = list(forest.children(at))[-1]
    end = forest.text(last) if is_mark(forest, last) and forest.text(last) == b";" else b""
    if inner == [node] and forest.firsts[at] == forest.firsts[node]:
        return
    run: ByteRange = forest.between(first, forest.ends[arguments])
    yield put(forest, forest.span(at), forest.contents[run.path][run.start : run.stop] + end)
