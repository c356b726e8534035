"""Calls: the arguments alone, or a value, stand for a call; or it is made before.

``f(a, b)`` becomes ``(a, b)`` where a comma puts one after the other; a call that gives something
large becomes a variable of that type; and a call inside of another one is made first. (C-Reduce's
``simplify-callexpr``, ``callexpr-to-value`` and ``remove-nested-function``.)
"""

from collections.abc import Iterator
from itertools import islice

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE, NodeId
from wynot.passes.rewrites.functions import Function, functions, last_name
from wynot.passes.rewrites.shorten import fresh
from wynot.passes.rewrites.tree_queries import LARGE_FOREST, is_list, put, rewrite

MOST_CALLS = 100
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_COMMA = "comma_expression"


def calls(forest: Forest) -> Iterator[Rewrite]:
    """Return what can stand for each call."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    found = {forest.word(each.name): each for each in functions(forest)}
    words: set[bytes] = set()
    for node in islice(_calls(forest), MOST_CALLS):
        arguments = forest.child(node, "arguments")
        has_comma = _COMMA in forest.language(node).replacements
        texts = [forest.text(child) for child in forest.named(arguments)]
        if has_comma and len(texts) > 1:
            yield Rewrite("arguments of a call", (_put(forest, node, b",".join(texts)),))
        name = last_name(forest, forest.child(node, "function"))
        function = found.get(forest.word(name)) if name is not None else None
        if has_comma and function is not None:
            of_type = _type(forest, function)
            zeros = [b"0"] * (len(texts) + (of_type not in {b"", b"void"}))
            if len(zeros) > 1:
                done = rewrite("zeros for a call", [_put(forest, node, b",".join(zeros))])
                if done is not None:
                    yield done
            words = words or set(forest.words)
            free = next(word for word in fresh(_LETTERS) if word not in words)
            yield from _before(forest, node, of_type, free)


def _calls(forest: Forest) -> Iterator[NodeId]:
    for node in forest.named_nodes:
        is_call = kinds.is_call(forest.kind(node)) and forest.child(node, "arguments")
        if is_call and forest.child(node, "function"):
            yield node


def _put(forest: Forest, node: NodeId, text: bytes) -> Patch:
    return put(forest, forest.span(node), b"(" + text + b")")


def _type(forest: Forest, function: Function) -> bytes:
    """Return the type that a function gives; empty: it cannot be told."""
    of_type = forest.child(function.node, "type")
    if not of_type:
        return b""
    path, start, stop = forest.span(of_type)
    around = forest.parents[function.parameters]
    between = forest.contents[path][stop : forest.span(around).start].strip()
    return forest.contents[path][start:stop] + (b" " + between if between else b"")


def _before(forest: Forest, node: NodeId, of_type: bytes, free: bytes) -> Iterator[Rewrite]:
    """Return a call as a variable, which may be given what it gives."""
    statement, member = node, ROOT_NODE
    while statement != ROOT_NODE and not is_list(forest, forest.parents[statement]):
        statement = forest.parents[statement]
    at = statement
    while forest.parents[at] != ROOT_NODE:
        member = at if is_list(forest, forest.parents[at]) else member
        at = forest.parents[at]
    if of_type in {b"", b"void"} or statement in {ROOT_NODE, member}:
        return
    is_alone = forest.parents[node] == statement and kinds.is_statement(forest.kind(statement))
    path, start, _ = forest.span(statement)
    value = b" = " + forest.text(node)
    places = [] if is_alone else [("call before its statement", start, value)]
    if not kinds.is_number_type(of_type.decode(errors="replace")):
        places.append(("variable for a call", forest.span(member).start, b""))
    for category, place, given in places:
        text = of_type + b" " + free + given + b"; "
        patches = [Patch(path, place, place, text), put(forest, forest.span(node), free)]
        done = rewrite(category, patches)
        if done is not None:
            yield done
