"""Outwards: what belongs to a function or a class stands before it, and belongs to nobody.

Nothing gets shorter by that, but what was bound is free: the function, or the class, can go now.
So these are pumps, mostly. (C-Reduce's ``local-to-global``, ``param-to-global``,
``param-to-local``, ``member-to-global``.)
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from wynot.core.rewrites import Patch, Rewrite, rewritten
from wynot.passes import kinds
from wynot.passes.forest import ByteRange, Forest
from wynot.passes.ids import ROOT_NODE, NodeId, TokenId
from wynot.passes.rewrites.columns import elements
from wynot.passes.rewrites.functions import (
    Function,
    called,
    functions,
    is_member,
    last_name,
    uses_inside,
)
from wynot.passes.rewrites.tree_queries import (
    LARGE_FOREST,
    is_list,
    mentions,
    put,
    removal,
    rewrite,
)

MOST_FUNCTIONS = 60
MOST_MOVES = 60
MOST_USES = 60


def locals_outwards(forest: Forest) -> Iterator[Rewrite]:
    """Declare a variable of a function before it."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    for function in islice(functions(forest), MOST_FUNCTIONS):
        if not function.body:
            continue
        for node in range(function.body, forest.subtree_ends[function.body]):
            at = NodeId(node)
            if forest.has_tokens(at) and kinds.is_local(forest.kind(at)):
                around = forest.parents[at]
                whole = around if kinds.is_local(forest.kind(around)) else at
                yield from _local(forest, function, at, whole)


def _local(forest: Forest, function: Function, node: NodeId, whole: NodeId) -> Iterator[Rewrite]:
    """Return each variable of a declaration, declared before the function."""
    declared = [
        child
        for child in forest.named(node)
        if forest.field_of(child) == "declarator" or kinds.is_declarator(forest.kind(child))
    ]
    last = list(forest.children(whole))[-1]
    end = b";" if forest.text(last) == b";" else b""
    for child in declared:
        name = last_name(forest, child)
        if name is None:
            continue
        word = forest.word(name)
        own = _new_name(forest, function, word)
        head = forest.between(forest.firsts[node], forest.firsts[declared[0]])
        gone = removal(forest, whole) if len(declared) == 1 else removal(forest, child)
        uses = [token for token in uses_inside(forest, function.body, word) if token != name]
        text = _between(forest, head) + b" " + _renamed(forest, forest.span(child), name, own)
        patches = [put(forest, forest.between(token, token + 1), own) for token in uses[:MOST_USES]]
        yield from _told(
            "local outwards", [*gone, *patches, _before(forest, function.node, text + end)]
        )


def parameters_outwards(forest: Forest) -> Iterator[Rewrite]:
    """Declare a parameter before its function, or in it; no call has an argument for it."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    by_name: dict[bytes, list[Function]] = {}
    for function in islice(functions(forest), MOST_FUNCTIONS):
        by_name.setdefault(forest.word(function.name), []).append(function)
    for name, alike in by_name.items():
        defined = [each for each in alike if each.body]
        if not defined:
            continue
        function = defined[0]
        declared = {each.name for each in alike}
        calls = [
            call.arguments
            for token in mentions(forest).get(name, ())[:MOST_USES]
            if token not in declared and (call := called(forest, token))
        ]
        lists = [*(each.parameters for each in alike), *calls]
        for place, parameter in enumerate(forest.named(function.parameters)):
            if forest.child(parameter, "type"):
                gone = [patch for node in lists for patch in _taken(forest, node, place)]
                yield from _parameter(forest, function, parameter, gone)


def _taken(forest: Forest, node: NodeId, place: int) -> Iterator[Patch]:
    """Return what takes an element out of a list, if there is one at a place."""
    runs = elements(forest, node)
    if place >= len(runs):
        return
    path, start, stop = runs[place]
    if place + 1 < len(runs):
        yield Patch(path, start, runs[place + 1].start)
    else:
        yield Patch(path, runs[place - 1].stop if place else start, stop)


def _parameter(
    forest: Forest, function: Function, parameter: NodeId, gone: Sequence[Patch]
) -> Iterator[Rewrite]:
    given = forest.child(parameter, "declarator") or forest.child(parameter, "name")
    name = last_name(forest, given) if given else None
    if name is None or forest.firsts[parameter] == name:
        return  # the type comes last: nothing can be said of other languages
    word = forest.word(name)
    own = _new_name(forest, function, word)
    span = forest.span(parameter)
    uses = uses_inside(forest, function.body, word)[:MOST_USES]
    patches = [put(forest, forest.between(token, token + 1), own) for token in uses]
    text = _renamed(forest, span, name, own).partition(b"=")[0].rstrip()
    yield from _told(
        "parameter outwards", [*gone, *patches, _before(forest, function.node, text + b";")]
    )
    path, start, stop = forest.span_of_token(forest.firsts[function.body])
    if forest.contents[path][start:stop] == b"{":
        text, _, default = map(bytes.strip, _between(forest, span).partition(b"="))
        is_plain = kinds.is_plain_type(forest.kind(forest.child(parameter, "type")))
        value = b" = " + (default or b"0") if default or is_plain else b""
        for init in dict.fromkeys((value, b"")):
            inside = Patch(path, stop, stop, b" " + text + init + b";")
            yield from _told("parameter inwards", [*gone, inside])


def members_outwards(forest: Forest) -> Iterator[Rewrite]:
    """Put a member of a class before it."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    count = 0
    for node in forest.named_nodes:
        body = forest.child(node, "body") if kinds.is_class(forest.kind(node)) else ROOT_NODE
        given = forest.child(node, "name") if body else ROOT_NODE
        if not given or forest.word(forest.firsts[body]) != b"{":
            continue
        owner = forest.word(forest.firsts[given])
        for member in forest.named(body):
            for done in _member(forest, node, owner, member):
                yield done
                count += 1
        if count > MOST_MOVES:
            return


def _member(forest: Forest, node: NodeId, owner: bytes, member: NodeId) -> Iterator[Rewrite]:
    at = member
    for _ in range(4):
        inside = forest.child(at, "declarator") or forest.child(at, "name")
        inside = inside or forest.child(at, "type")
        if not inside:
            break
        at = inside
    name = last_name(forest, at) if at != member else None
    if name is None or forest.word(name) == owner:
        return
    text = forest.text(member)
    after = forest.span(member).stop
    path = forest.span(member).path
    if forest.contents[path][after : after + 1] == b";":
        text, after = text + b";", after + 1
    text = text.replace(b"static ", b"extern " if b"(" not in text else b"static ", 1)
    gone = Patch(path, forest.span(member).start, after)
    uses = mentions(forest).get(forest.word(name), ())[:MOST_USES]
    outside = [token for token in uses if not forest.holds(member, token)]
    unqualified = [
        Patch(*forest.between(TokenId(token - 2), token - 0)[:2], forest.span_of_token(token)[1])
        for token in outside
        if is_member(forest, token) and forest.word(TokenId(token - 2)) == owner
    ]
    accesses = [
        forest.parents[forest.leaves[token]]
        for token in outside
        if is_member(forest, token) and forest.word(TokenId(token - 2)) != owner
    ]
    before = _before(forest, node, text)
    for which in ("alone", "behind its owner") if accesses else ("alone",):
        patches = [_access(forest, access, which == "alone") for access in accesses]
        yield from _told(f"member outwards, {which}", [before, gone, *unqualified, *patches])


def _access(forest: Forest, access: NodeId, alone: bool) -> Patch:  # noqa: FBT001
    """Return what names a member without its owner, or behind it."""
    name = forest.word(forest.last(access))
    if alone:
        return put(forest, forest.span(access), name)
    owner = forest.between(forest.firsts[access], forest.ends[access] - 2)
    return Patch(*forest.span(access), b"(" + _between(forest, owner) + b"," + name + b")")


def _told(category: str, patches: Sequence[Patch]) -> Iterator[Rewrite]:
    done = rewrite(category, patches)
    if done is not None:
        yield done


def _between(forest: Forest, run: ByteRange) -> bytes:
    return forest.contents[run.path][run.start : run.stop].strip()


def _renamed(forest: Forest, run: ByteRange, name: TokenId, new: bytes) -> bytes:
    _, start, stop = forest.span_of_token(name)
    text = forest.contents[run.path][run.start : run.stop]
    return rewritten(text, [Patch(run.path, start - run.start, stop - run.start, new)])


def _new_name(forest: Forest, function: Function, word: bytes) -> bytes:
    return forest.word(function.name) + b"_" + word


def _before(forest: Forest, node: NodeId, text: bytes) -> Patch:
    """Return what puts a text before the member of a list that a node is, or is in."""
    at = node
    while forest.parents[at] and not is_list(forest, forest.parents[at]):
        at = forest.parents[at]
    path, start, _ = forest.span(at)
    content = forest.contents[path]
    margin = content[content.rfind(b"\n", 0, start) + 1 : start]
    return Patch(path, start, start, text + b"\n" + (margin if not margin.strip() else b""))
