"""Unified: what is declared in one place and defined in another is said once.

The definition moves to where the declaration is; a member's, into its class. (C-Reduce's
``move-definition-to-declaration`` and ``unify-function-decl``.)
"""

from collections.abc import Iterator
from itertools import islice

from wynot.core.rewrites import Patch, Rewrite, rewritten
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE, NodeId
from wynot.passes.rewrites.functions import Function, functions, last_name
from wynot.passes.rewrites.tree_queries import (
    LARGE_FOREST,
    behind,
    is_list,
    is_mark,
    put,
    rewrite,
)

MOST_FUNCTIONS = 200
_STATIC = b"static"
_EXTERN = b"extern"


def unified(forest: Forest) -> Iterator[Rewrite]:
    """Return each definition where its declaration is."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    declared: dict[bytes, Function] = {}
    for function in islice(functions(forest), MOST_FUNCTIONS):
        name = forest.word(function.name)
        if not function.body:
            declared.setdefault(name, function)
        elif name in declared:
            yield from _moved(forest, declared[name].node, function.node, function)
    variables: dict[bytes, NodeId] = {}
    for node in forest.named_nodes:
        if kinds.is_local(forest.kind(node)):
            yield from _variable(forest, node, variables)
    yield from _types(forest)


def _types(forest: Forest) -> Iterator[Rewrite]:
    """Return each type with a body where it is named first."""
    types: dict[bytes, NodeId] = {}
    for node in forest.named_nodes:
        given = forest.child(node, "name") if kinds.is_class(forest.kind(node)) else ROOT_NODE
        if not given:
            continue
        name = forest.text(given)
        if not forest.child(node, "body"):
            if is_list(forest, forest.parents[_statement(forest, node)]):
                types.setdefault(name, node)
        elif name in types:
            yield from _moved(forest, types[name], node, None)


def _variable(forest: Forest, node: NodeId, declared: dict[bytes, NodeId]) -> Iterator[Rewrite]:
    """Return a variable where it is said to be defined elsewhere."""
    given = forest.child(node, "declarator")
    name = last_name(forest, given) if given else None
    if name is None or "function" in forest.kind(given):
        return
    word = forest.word(name)
    if forest.word(forest.firsts[node]) == _EXTERN:
        declared.setdefault(word, node)
    elif word in declared and forest.parents[declared[word]] == forest.parents[node]:
        here = forest.span(declared[word])
        patches = [Patch(*here, forest.text(node)), put(forest, forest.span(node))]
        done = rewrite("definition where it is declared", patches)
        if done is not None:
            yield done


def _statement(forest: Forest, node: NodeId) -> NodeId:
    while kinds.is_class_around(forest.kind(forest.parents[node])):
        node = forest.parents[node]
    return node


def _moved(
    forest: Forest, declared: NodeId, defined: NodeId, function: Function | None
) -> Iterator[Rewrite]:
    here, there = _statement(forest, declared), _statement(forest, defined)
    if here == there or not is_list(forest, forest.parents[here]):
        return
    own, text = forest.span(here), forest.text(there)
    gone = [put(forest, forest.span(there))]
    stop = own.stop
    if function is None:
        end = behind(forest, there)
        if end and is_mark(forest, end) and forest.text(end) == b";":
            path, start, _ = forest.span(there)
            gone = [Patch(path, start, forest.span(end).stop)]
    else:
        text = _unqualified(forest, _with_heads_of(forest, declared, defined), function)
        done = rewrite("static definition alone", _static(forest, here, there))
        if done is not None:
            yield done
        follows = behind(forest, here)
        if follows and forest.text(follows) == b";":
            stop = forest.span(follows).stop
    here_now = Patch(own.path, own.start, stop, text)
    done = rewrite("definition where it is declared", [here_now, *gone])
    if done is not None:
        yield done


def _with_heads_of(forest: Forest, declared: NodeId, defined: NodeId) -> NodeId:
    """Return a definition with as many heads of templates as its declaration has.

    Outside of its class a member has those of the class, too.
    """
    heads = 0
    while kinds.is_class_around(forest.kind(forest.parents[declared])):
        declared = forest.parents[declared]
        heads += kinds.is_template(forest.kind(declared))
    while kinds.is_class_around(forest.kind(forest.parents[defined])):
        above = forest.parents[defined]
        heads -= kinds.is_template(forest.kind(above))
        if heads < 0:
            break
        defined = above
    return defined


def _unqualified(forest: Forest, node: NodeId, function: Function) -> bytes:
    """Return the text of a function whose name is not qualified."""
    path, start, stop = forest.span(node)
    around = forest.parents[function.parameters]
    named = forest.child(around, "declarator") or forest.child(around, "name")
    begin = forest.span(named).start
    name = forest.span_of_token(function.name)[1]
    text = forest.contents[path][start:stop]
    return rewritten(text, [Patch(path, begin - start, name - start)])


def _static(forest: Forest, declared: NodeId, defined: NodeId) -> list[Patch]:
    """Return what takes a static declaration away, and makes the definition static."""
    if forest.word(forest.firsts[declared]) != _STATIC:
        return []
    path, start, _ = forest.span(defined)
    word = b"" if forest.word(forest.firsts[defined]) == _STATIC else _STATIC + b" "
    return [put(forest, forest.span(declared)), Patch(path, start, start, word)]
