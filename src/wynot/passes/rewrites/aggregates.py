"""Aggregates: a field or an element of a variable becomes a variable of its own.

What is left of the aggregate can go then. Where only one field is ever used, the variable is that
field. (C-Reduce's ``aggregate-to-scalar``.)
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from wynot.core.quantities import bounded_integer
from wynot.core.rewrites import Patch, Rewrite
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE, NodeId, TokenId
from wynot.passes.rewrites.functions import last_name
from wynot.passes.rewrites.tree_queries import (
    LARGE_FOREST,
    is_list,
    mentions,
    put,
    rewrite,
    widest,
)

MOST_VARIABLES = 100
ARRAY_BRACKETS = b"[10]"
"""Of an array that stands for a container: so large that most things fit."""
MAX_DEPTH = 4
"""How many fields and elements in turn are looked at."""


class AggregateField(NamedTuple):
    """A field of a type."""

    place: int
    of_type: bytes
    """What is written before its name, and behind it."""
    behind: bytes


class FieldAccess(NamedTuple):
    """Where a field or an element is used."""

    node: NodeId
    path: tuple[bytes, ...]


def aggregates(forest: Forest) -> Iterator[Rewrite]:
    """Return each field that is used as a variable of its own."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    types = _types(forest)
    for node in islice(_variables(forest), MOST_VARIABLES):
        of_type = forest.child(node, "type")
        name = _type_name(forest, of_type)
        for declared in forest.named(node):
            given = _declared(forest, declared)
            if given is not None:
                yield from _scalars(forest, node, given, types, name)


def _variables(forest: Forest) -> Iterator[NodeId]:
    """Return the declarations of variables."""
    for node in forest.named_nodes:
        if kinds.is_local(forest.kind(node)) and forest.child(node, "type"):
            yield node


class DeclaredVariable(NamedTuple):
    """A variable with what it is given."""

    name: TokenId
    value: NodeId
    is_array: bool


def _declared(forest: Forest, node: NodeId) -> DeclaredVariable | None:
    if forest.field_of(node) != "declarator":
        return None
    value = forest.child(node, "value")
    at = forest.child(node, "declarator") if value else node
    name = last_name(forest, at or node)
    if name is None or "function" in forest.kind(at):
        return None
    return DeclaredVariable(name, value, "array" in forest.kind(at))


def _types(forest: Forest) -> dict[bytes, dict[bytes, AggregateField]]:
    """Return the fields of each type that has some, by their names."""
    found: dict[bytes, dict[bytes, AggregateField]] = {}
    for node in forest.named_nodes:
        body = forest.child(node, "body") if kinds.is_class(forest.kind(node)) else ROOT_NODE
        if body:
            fields = found.setdefault(_type_name(forest, node), {})
            for member in forest.named(body):
                _add_fields(forest, member, fields)
    return found


def _add_fields(forest: Forest, member: NodeId, fields: dict[bytes, AggregateField]) -> None:
    of_type = forest.child(member, "type")
    if not of_type:
        return
    for child in forest.named(member):
        name = last_name(forest, child) if forest.field_of(child) == "declarator" else None
        if name is None or "function" in forest.kind(child):
            continue
        path, start, stop = forest.span_of_token(name)
        own = forest.span(child)
        content = forest.contents[path]
        body = forest.child(of_type, "body")
        end = forest.span(body).start if body else forest.span(of_type).stop
        head = content[forest.span(of_type).start : end].strip()
        before = head + b" " + content[own.start : start]
        fields[forest.word(name)] = AggregateField(len(fields), before, content[stop : own.stop])


def _type_name(forest: Forest, node: NodeId) -> bytes:
    """Return what a type is known by: its name, or all of it."""
    if node == ROOT_NODE:
        return b""
    named = forest.child(node, "name")
    return forest.text(named) if named else forest.text(node)


def _scalars(
    forest: Forest,
    node: NodeId,
    variable: DeclaredVariable,
    types: dict[bytes, dict[bytes, AggregateField]],
    of_type: bytes,
) -> Iterator[Rewrite]:
    by_path: dict[tuple[bytes, ...], list[NodeId]] = {}
    name = forest.word(variable.name)
    for token in mentions(forest).get(name, ()):
        if token != variable.name:
            for access in _accesses(forest, token):
                by_path.setdefault(access.path, []).append(access.node)
    for path, nodes in by_path.items():
        found = _resolved(path, types, of_type, variable)
        if found is None:
            continue
        places, before, behind, is_pointed_at = found
        own = b"_".join((name, *(str(place).encode() for place in places)))
        steps = list(zip(path, places, strict=True))
        value = b"" if is_pointed_at else _value(forest, variable.value, steps)
        text = before + own + behind + (b" = " + value if value else b"") + b";"
        at = node if is_list(forest, forest.parents[node]) else forest.parents[node]
        run = forest.span(at)
        patches = [
            *(put(forest, forest.span(each), own) for each in nodes),
            Patch(run.path, run.stop, run.stop, b" " + text),
        ]
        done = rewrite("field as a variable", patches)
        if done is not None:
            yield done
    yield from _only_field(forest, node, variable, by_path, types.get(of_type, {}))


def _accesses(forest: Forest, token: TokenId) -> Iterator[FieldAccess]:
    """Return the fields and elements that are named behind a variable, one in the other."""
    at = widest(forest, forest.leaves[token])
    path: tuple[bytes, ...] = ()
    for _ in range(MAX_DEPTH):
        above = forest.parents[at]
        field = forest.child(above, "field")
        if field and forest.firsts[above] == forest.firsts[at]:
            path = (*path, forest.text(field))
        elif "subscript" in forest.kind(above) and forest.firsts[above] == forest.firsts[at]:
            index = forest.text(forest.named(above)[-1]).strip(b"[] ")
            if not index.isdigit():
                return
            path = (*path, index)
        else:
            return
        at = above
        yield FieldAccess(at, path)


def _resolved(
    path: Sequence[bytes],
    types: dict[bytes, dict[bytes, AggregateField]],
    of_type: bytes,
    variable: DeclaredVariable,
) -> tuple[list[int], bytes, bytes, bool] | None:
    """Return the places of fields in turn, the type of the last, and if a pointer is between."""
    places: list[int] = []
    is_pointed_at = False
    before, behind = of_type + b" ", b"[]" if variable.is_array else b""
    for step in path:
        if step.isdigit():
            place = bounded_integer(step)
            if place is None:
                return None
            places.append(place)
            if not behind and before.endswith(b"*"):
                before, is_pointed_at = before[:-1], True
            behind = behind[behind.find(b"]") + 1 :]
            continue
        field = types.get(of_type.split(b" ")[-1], {}).get(step)
        if field is None:
            return None
        places.append(field.place)
        before, behind = field.of_type, field.behind
        of_type = before.strip().removeprefix(b"struct ").removeprefix(b"union ")
    return places, before, behind, is_pointed_at


def _value(forest: Forest, value: NodeId, steps: Sequence[tuple[bytes, int]]) -> bytes:
    """Return what a field is given at first, by its name or its place; empty: that is not said."""
    for name, place in steps:
        if value and place == 0 and "list" not in forest.kind(value):
            continue  # braces need not be written
        inside = forest.named(value) if value and "list" in forest.kind(value) else []
        named = [child for child in inside if forest.child(child, "designator")]
        value = inside[place] if place < len(inside) and not named else ROOT_NODE
        for child in named:
            if forest.word(forest.last(forest.child(child, "designator"))) == name:
                value = forest.child(child, "value")
    return forest.text(value) if value else b""


def _only_field(
    forest: Forest,
    node: NodeId,
    variable: DeclaredVariable,
    by_path: dict[tuple[bytes, ...], list[NodeId]],
    fields: dict[bytes, AggregateField],
) -> Iterator[Rewrite]:
    """Return the variable as the one field of it that is used."""
    if len(by_path) != 1:
        return
    ((path, nodes),) = by_path.items()
    uses = mentions(forest)[forest.word(variable.name)]
    if len(path) != 1 or path[0] not in fields or len(nodes) != len(uses) - 1:
        return
    field = fields[path[0]]
    value = _value(forest, variable.value, [(path[0], field.place)])
    patches = [put(forest, forest.span(each), forest.word(variable.name)) for each in nodes]
    of_type = forest.child(node, "type")
    start = forest.span(of_type).start
    where, name, stop = forest.span_of_token(variable.name)
    patches.append(Patch(where, start, name, field.of_type))
    if variable.value:
        end = forest.span(variable.value).stop
        patches.append(Patch(where, stop, end, field.behind + (b"=" + value if value else b"")))
    done = rewrite("variable as its one field", patches)
    if done is not None:
        yield done


def containers(forest: Forest) -> Iterator[Rewrite]:
    """Return each container of one type as an array."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    for node in _variables(forest):
        of_type = forest.child(node, "type")
        while forest.child(of_type, "name") and not forest.child(of_type, "arguments"):
            of_type = forest.child(of_type, "name")
        arguments = forest.named(forest.child(of_type, "arguments") or of_type)
        declared = [child for child in forest.named(node) if forest.field_of(child) == "declarator"]
        if len(arguments) != 1 or len(declared) != 1 or not forest.child(of_type, "arguments"):
            continue
        name = last_name(forest, declared[0])
        if name is not None and forest.firsts[declared[0]] == name:
            path, start, _ = forest.span(forest.child(node, "type"))
            text = forest.text(arguments[0]) + b" " + forest.word(name) + ARRAY_BRACKETS
            patch = Patch(path, start, forest.span(declared[0]).stop, text)
            done = rewrite("container as an array", [patch])
            if done is not None:
                yield done
