"""Inlining: what a name stands for takes the place of the name, and its definition goes.

C-Reduce (Regehr et al. 2012) has this as a dozen transformations of C; LPR (Zhang et al. 2024)
finds that most of what a language-specific step adds comes from it. Here it is one, for every
language whose tree has definitions.

`inline_calls` puts the statements of a function where it is called, line by line. A method's
receiver becomes what the method is called on; what is returned at the end stands for the call.
Arguments replace parameters by scope: only inside of the function, and not members of the same
name. A local name of the function is renamed where its caller has one like it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from wynot.core.texts.rewrites import Patch, Rewrite, rewritten
from wynot.passes.rewrites.definitions import (
    Call,
    Definition,
    Function,
    Use,
    between_brackets,
    call_of,
    defined_once,
    functions,
    inside_functions,
    is_member,
    parameter_names,
    plain_call,
    removable_definition,
    returned_value,
    uses_inside,
)
from wynot.passes.rewrites.methods import class_around, receivers
from wynot.passes.rewrites.tree_queries import (
    LARGE_FOREST,
    OPENING,
    before,
    behind,
    is_binding,
    is_list,
    margin_at,
    mentions,
    outermost_equal,
    removal,
    replacement,
    rewrite,
)
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, ByteRange, Forest, NodeId, TokenId, tokens_between

MOST_USES = 12
"""How often a name may be used for all its uses to be replaced."""


def inlined(forest: Forest) -> Iterator[Rewrite]:
    """Return what can be inlined: what is used once, and what gets shorter by it."""
    most = 2 if len(forest.kinds) > LARGE_FOREST else MOST_USES + 1
    gone: list[ByteRange] = []
    for found, uses in defined_once(forest, mentions(forest), most):
        at = removable_definition(forest, found.node, uses)
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


def _plans(forest: Forest, found: Definition, uses: Sequence[TokenId]) -> Iterator[Rewrite]:
    """Return the ways to put a definition in the place of its uses."""
    kind = forest.kind(found.node)
    if found.category == "tag":
        yield from _tags(forest, found, uses, kind)
    elif found.category == "type":
        text = _type_text(forest, found)
        patches = [
            replacement(
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
    forest: Forest, found: Definition, uses: Sequence[TokenId], kind: str
) -> Iterator[Rewrite]:
    """Return the ways to define a type where it is first used."""
    _, start, stop = forest.span_of_token(found.name)
    text, first = forest.text(found.node), forest.span(found.node).start
    nameless = text[: start - first].rstrip() + text[stop - first :]
    at = forest.leaves[uses[0]]
    if forest.kinds[forest.parents[at]] == forest.kinds[found.node]:  # struct A
        at = forest.parents[at]
    yield Rewrite(f"{kind} where it is used", (replacement(forest, forest.span(at), text),))
    if len(uses) == 1:
        yield Rewrite(f"{kind} without its name", (replacement(forest, forest.span(at), nameless),))


def _type_text(forest: Forest, found: Definition) -> bytes:
    """Return a type, with the stars that stand before the name if it is the last thing there is."""
    value = forest.span(found.value)
    path, name, _ = forest.span_of_token(found.name)
    if value.stop <= name:
        between_them = forest.contents[path][value.stop : name].strip()
        if between_them and not between_them.strip(b"*& \t\n"):
            return forest.contents[path][value.start : name].rstrip()
    return forest.text(found.value)


def _values(
    forest: Forest, found: Definition, uses: Sequence[TokenId], kind: str, value: NodeId
) -> Iterator[Rewrite]:
    """Return the ways to put a value for a name, or for the calls of one with parameters."""
    parameters = parameter_names(forest, found.parameters)
    if parameters is None:
        return
    span = _in_brackets(forest, value)
    text = forest.contents[span.path][span.start : span.stop]
    patches: list[Patch] = []
    for use in uses:
        place = Use(forest.leaves[use])
        if parameters or found.category == "body":
            called = plain_call(forest, use)
            if called is None or len(called.arguments) != len(parameters):
                return
            place = called
            tokens = forest.firsts[value], forest.ends[value]
            text = _filled(forest, tokens, parameters, called.arguments)
        patches.append(
            replacement(forest, forest.span(place.node), _fit(forest, value, text, place.node))
        )
    yield Rewrite(f"inline {kind}", tuple(patches))
    if "cte" in kind:
        # What is selected from may need its name: the others only say which one is meant.
        name = forest.word(found.name)
        places = [use for use in uses if not kinds.is_qualified(_around(forest, use))]
        if places:
            runs = [forest.between(use, use + 1) for use in places]
            yield Rewrite(
                f"inline {kind} with its name",
                tuple(replacement(forest, run, text + b" " + name) for run in runs),
            )


def _around(forest: Forest, token: TokenId) -> str:
    """Return the kind of the node that has more than this token."""
    return forest.kind(forest.parents[outermost_equal(forest, forest.leaves[token])])


def _in_brackets(forest: Forest, node: NodeId) -> ByteRange:
    """Return the bytes of a node with the brackets around it, if there are any: a subquery's."""
    left, right = before(forest, node), behind(forest, node)
    if left and right and forest.text(left) == b"(" and forest.text(right) == b")":
        return ByteRange(*forest.span(left)[:2], forest.span(right)[2])
    return forest.span(node)


def _bodies(
    forest: Forest, found: Definition, uses: Sequence[TokenId], kind: str
) -> Iterator[Rewrite]:
    """Return the ways to put for a call what the function returns, or what it does."""
    value = returned_value(forest, found.value)
    if value != ROOT_NODE:
        yield from _values(forest, found, uses, kind, value)
    parameters = parameter_names(forest, found.parameters)
    if value != ROOT_NODE or parameters is None:
        return
    first, last = between_brackets(forest, found.value)
    newline_sensitive = forest.language(found.node).newline_sensitive
    if first >= last or (newline_sensitive and b"\n" in forest.text(found.value)):
        return
    patches = []
    for use in uses:
        called = plain_call(forest, use)
        if called is None or len(called.arguments) != len(parameters):
            return
        statement = forest.parents[called.node]
        if not _is_statement(forest, statement, called.node):
            return
        text = _filled(forest, (first, last), parameters, called.arguments)
        patches.append(replacement(forest, forest.span(statement), text))
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


MOST_FUNCTIONS = 100
MOST_CALLS = 3
_THIS = (b"this", b"self")


class Place(NamedTuple):
    """A call that a function is to be put for."""

    call: Call
    statement: NodeId
    receiver: bytes
    """What it is called on; empty: nothing."""


def inline_calls(forest: Forest) -> Iterator[Rewrite]:
    """Return each function that is called a few times, put where it is called."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    found = list(islice(functions(forest), MOST_FUNCTIONS))
    owner = inside_functions(forest, found)
    for function in found:
        if not function.body:
            continue
        tokens = mentions(forest).get(forest.word(function.name), [])
        uses = [
            token
            for token in tokens
            if token != function.name and not _is_local(forest, token, tokens, owner)
        ]
        if not 1 <= len(uses) <= MOST_CALLS or any(forest.holds(function.node, u) for u in uses):
            continue
        if len(uses) > 1:
            for use in uses:
                once = rewrite("inline a function here", _patches(forest, function, [use]))
                if once is not None:
                    yield once
        patches = _patches(forest, function, uses)
        at = removable_definition(forest, function.node, uses)
        if patches and at != ROOT_NODE:
            done = rewrite("inline all of a function", [*_gone(forest, at), *patches])
            if done is not None:
                yield done


def _is_local(
    forest: Forest,
    token: TokenId,
    alike: Sequence[TokenId],
    owner: Mapping[NodeId, Function],
) -> bool:
    """Tell whether a name is that of a variable of the function that it is in."""
    if is_member(forest, token) or call_of(forest, token):
        return False
    own = owner.get(forest.leaves[token])
    return own is not None and any(
        owner.get(forest.leaves[other]) == own and is_binding(forest, other) for other in alike
    )


def _gone(forest: Forest, node: NodeId) -> Sequence[Patch]:
    """Return what takes a function away; where something has to stay, what stands for it."""
    above = forest.parents[node]
    if forest.language(node).newline_sensitive and forest.named(above) == [node]:
        return (replacement(forest, forest.span(node), b"pass"),)
    return removal(forest, node)


def _patches(forest: Forest, function: Function, uses: Sequence[TokenId]) -> list[Patch]:
    names = parameter_names(forest, function.parameters)
    if names is None:
        return []
    patches = []
    skipped = receivers(forest, function, class_around(forest, function.node))
    for use in uses:
        place = _place(forest, use)
        if place is None:
            return []
        arguments = [forest.text(child) for child in forest.named(place.call.arguments)]
        if any(kinds.is_keyed(forest.kind(c)) for c in forest.named(place.call.arguments)):
            return []
        given = [place.receiver, *arguments] if skipped else arguments
        if len(given) != len(names):
            return []
        words = [forest.word(name) for name in names]
        patch = _put(forest, function, place, dict(zip(words, given, strict=True)))
        if patch is None:
            return []
        patches.append(patch)
    return patches


def _place(forest: Forest, token: TokenId) -> Place | None:
    call = call_of(forest, token)
    if call is None:
        return None
    statement = call.node
    while statement != ROOT_NODE and not is_list(forest, forest.parents[statement]):
        statement = forest.parents[statement]
        if forest.child(statement, "body"):
            return Place(call, ROOT_NODE, _receiver(forest, call, token))
    return Place(call, statement, _receiver(forest, call, token))


def _receiver(forest: Forest, call: Call, token: TokenId) -> bytes:
    """Return what something is called on."""
    if not is_member(forest, token) or forest.firsts[call.node] >= token - 1:
        return b""
    path, start, _ = forest.span(call.node)
    return forest.contents[path][start : forest.span_of_token(TokenId(token - 1))[1]].strip()


def _put(
    forest: Forest, function: Function, place: Place, given: dict[bytes, bytes]
) -> Patch | None:
    """Return what puts a function in the place of a call."""
    value = returned_value(forest, function.body)
    replaced = _replaced(forest, function, place, given)
    if value != ROOT_NODE:
        text = _text(forest, forest.firsts[value], forest.ends[value], replaced)
        loose = kinds.is_loose(forest.kind(value)) or b"\n" in text
        return replacement(
            forest, forest.span(place.call.node), b"(" + text + b")" if loose else text
        )
    first, end = between_brackets(forest, function.body)
    if place.statement == ROOT_NODE or first >= end:
        return None
    returns = [
        NodeId(node)
        for node in range(function.body, forest.subtree_ends[function.body])
        if forest.is_named(NodeId(node)) and kinds.is_return(forest.kind(NodeId(node)))
    ]
    if len(returns) > 1:
        return None
    here, own = forest.span(place.statement), forest.span(place.call.node)
    content = forest.contents[here.path]
    before, after = content[here.start : own.start], content[own.stop : here.stop]
    if returns:
        if forest.ends[returns[0]] < end - 1 or not forest.named(returns[0]):
            return None
        (value, *_) = forest.named(returns[0])
        last = _text(forest, forest.firsts[value], forest.ends[value], replaced)
        body_end = forest.firsts[returns[0]]
        text = _text(forest, first, body_end, replaced) if first < body_end else b""
        tail = before + last + after
    else:
        text = _text(forest, first, end, replaced)
        if before.strip() or after.strip(b"; \t\n"):
            return None
        tail = b""
    margin = margin_at(content, here.start)
    path, start, _ = forest.span_of_token(first)
    text = text.replace(b"\n" + margin_at(forest.contents[path], start), b"\n" + margin)
    between = b"\n" + margin if text and tail else b""
    return replacement(forest, here, text.rstrip() + between + tail)


def _replaced(
    forest: Forest, function: Function, place: Place, given: dict[bytes, bytes]
) -> dict[TokenId, bytes]:
    """Return what stands for each name in a function, where it is called."""
    found = {
        token: text
        for name, text in given.items()
        for token in uses_inside(forest, function.body, name)
    }
    for token in forest.tokens_of(function.body):
        word = forest.word(token)
        if place.receiver and word in _THIS and token not in found:
            found[token] = place.receiver
    around = place.statement
    while around != ROOT_NODE and not forest.child(around, "parameters"):
        around = forest.parents[around]
    for name, tokens in mentions(forest).items():
        if name in given or not any(forest.holds(function.body, token) for token in tokens):
            continue
        own = uses_inside(forest, function.body, name)
        others = (t for t in tokens if forest.holds(around, t) and t not in own)
        outer = around != ROOT_NODE and not forest.holds(around, function.name)
        if own and outer and any(is_binding(forest, t) for t in own) and any(others):
            new = forest.word(function.name) + b"_" + name
            found.update(dict.fromkeys(own, new))
    return found


def _text(forest: Forest, first: TokenId, end: TokenId, replaced: dict[TokenId, bytes]) -> bytes:
    path, start, stop = forest.between(first, end)
    patches = [
        Patch(path, begin - start, after - start, text)
        for token, text in replaced.items()
        if first <= token < end
        for _, begin, after in [forest.span_of_token(token)]
    ]
    return rewritten(forest.contents[path][start:stop], patches)
