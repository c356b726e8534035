"""Operators: what a program says an operator does becomes a function, and is called.

``a + b`` is ``a.f(b)`` or ``f(a, b)`` then, wherever it is known that the first of them is of the
type that the operator is for. The name is shorter than ``operator+``, and a function can be
inlined, lose its parameters, or go. (C-Vise's ``rename-operator``.)
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from wynot.core.rewrites import Rewrite
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import ROOT_NODE, NodeId, TokenId
from wynot.passes.rewrites.shorten import fresh
from wynot.passes.rewrites.tree_queries import LARGE_FOREST, put, rewrite

MAX_LEVELS = 6
"""How many nodes may be between an operator and its parameters, or its class."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_MARK = re.compile(rb"operator\s*([-+*/%^&|~!<>=]+|\(\s*\)|\[\s*\])")
_KEPT_MARKS = frozenset({b"=", b"&", b"->"})
"""What a class has anyway, or what is rarely that of the class."""
_NAME = re.compile(rb"[^\W\d]\w*")
_ACCESS = (b".", b"->")


class Operator(NamedTuple):
    """An operator of a type."""

    mark: bytes
    operands: int
    of_type: bytes
    is_member: bool


class Applied(NamedTuple):
    """Where an operator is applied to something."""

    node: NodeId
    first: NodeId
    """The first operand."""
    mark: NodeId
    """The operator, or what is behind the operand in brackets."""


@dataclass(slots=True)
class TokenEdit:
    """What is written for a token: of a chain of operators several calls begin or end there."""

    before: bytes = b""
    word: bytes | None = None
    """None: itself."""
    behind: bytes = b""


def operators(forest: Forest) -> Iterator[Rewrite]:
    """Return each operator that is defined as a function."""
    if len(forest.kinds) > LARGE_FOREST:
        return
    names, mentioned = _named(forest)
    if not names:
        return
    types, uses = _types(forest), _uses(forest)
    words = set(forest.words)
    free = (word for word in fresh(_LETTERS) if word not in words)
    alone = {mark for mark in mentioned if sum(each.mark == mark for each in names) == 1}
    for operator, nodes in names.items():
        name = next(free)
        more = mentioned[operator.mark] if operator.mark in alone else []
        patches = [put(forest, forest.span(node), name) for node in (*nodes, *more)]
        edits: defaultdict[TokenId, TokenEdit] = defaultdict(TokenEdit)
        for use in uses.get((operator.mark, operator.operands), ()):
            if operator.of_type in types.get(_first_name(forest, use.first), ()):
                _call(forest, operator, use, name, edits)
        for token, edit in edits.items():
            word = forest.word(token) if edit.word is None else edit.word
            text = edit.before + word + edit.behind
            patches.append(put(forest, forest.between(token, token + 1), text))
        done = rewrite("operator as a function", patches)
        if done is not None:
            yield done


def _named(forest: Forest) -> tuple[dict[Operator, list[NodeId]], dict[bytes, list[NodeId]]]:
    """Return where each operator is defined, and where it is only named."""
    names: dict[Operator, list[NodeId]] = {}
    mentioned: dict[bytes, list[NodeId]] = {}
    for node in forest.named_nodes:
        if not kinds.is_operator_name(forest.kind(node)):
            continue
        match = _MARK.fullmatch(forest.text(node))
        mark = b"".join(match[1].split()) if match else b""
        if mark and mark not in _KEPT_MARKS:
            found = _defined(forest, node, mark)
            if found is None:
                mentioned.setdefault(mark, []).append(node)
            else:
                names.setdefault(found, []).append(node)
    return names, mentioned


def _defined(forest: Forest, node: NodeId, mark: bytes) -> Operator | None:
    """Return the operator that is declared or defined here; None: it is only named."""
    at, scope = forest.parents[node], b""
    for _ in range(MAX_LEVELS):
        if forest.child(at, "parameters"):
            break
        scope = forest.word(forest.firsts[at]) if forest.child(at, "scope") else scope
        at = forest.parents[at]
    parameters = forest.child(at, "parameters")
    if parameters == ROOT_NODE or not kinds.is_declarator(forest.kind(at)):
        return None
    while kinds.is_declarator(forest.kind(at)):
        at = forest.parents[at]
    if forest.child(at, "type") == ROOT_NODE:  # a call that reads like a declaration
        return None
    given = forest.named(parameters)
    is_friend = False
    for _ in range(MAX_LEVELS):
        is_friend = is_friend or "friend" in forest.kind(at)
        if not scope and not is_friend and kinds.is_class(forest.kind(at)):
            scope = _first_name(forest, forest.child(at, "name"))
        at = forest.parents[at]
    if scope:
        return Operator(mark, len(given) + 1, scope, is_member=True)
    of_type = forest.child(given[0], "type") if given else ROOT_NODE
    return Operator(mark, len(given), _first_name(forest, of_type), is_member=False)


def _first_name(forest: Forest, node: NodeId) -> bytes:
    """Return the first name in a node, if it is not that of something with members."""
    for token in forest.tokens_of(node) if node else ():
        word = forest.word(token)
        if _NAME.fullmatch(word):
            after = TokenId(token + 1)
            has_member = forest.holds(node, after) and forest.word(after) in _ACCESS
            return b"" if has_member else word
    return b""


def _types(forest: Forest) -> dict[bytes, set[bytes]]:
    """Return of which types each name is declared to be."""
    found: dict[bytes, set[bytes]] = {}
    for node in forest.named_nodes:
        of_type = forest.child(node, "type")
        if of_type and forest.child(node, "declarator"):
            name = _first_name(forest, forest.child(of_type, "name") or of_type)
            for child in forest.named(node):
                if forest.field_of(child) == "declarator":
                    found.setdefault(_first_name(forest, child), set()).add(name)
    return found


def _uses(forest: Forest) -> dict[tuple[bytes, int], list[Applied]]:
    """Return where each operator is applied, by how many operands it has."""
    found: dict[tuple[bytes, int], list[Applied]] = {}
    for node in forest.named_nodes:
        first = forest.child(node, "left") or forest.child(node, "argument")
        mark = forest.child(node, "operator") or forest.child(node, "indices")
        arguments = forest.child(node, "arguments")
        if first and mark and forest.is_named(mark):
            found.setdefault((b"[]", 2), []).append(Applied(node, first, mark))
        elif first and mark:
            is_second = forest.child(node, "right") or forest.firsts[mark] > forest.firsts[first]
            key = forest.text(mark), 2 if is_second else 1
            found.setdefault(key, []).append(Applied(node, first, mark))
        elif arguments and forest.child(node, "function"):
            key = b"()", len(forest.named(arguments)) + 1
            applied = Applied(node, forest.child(node, "function"), arguments)
            found.setdefault(key, []).append(applied)
    return found


def _call(
    forest: Forest, operator: Operator, use: Applied, name: bytes, edits: dict[TokenId, TokenEdit]
) -> None:
    """Write the call of a function in the place of an operator."""
    first, last = forest.firsts[use.node], forest.last(use.node)
    mark = forest.firsts[use.mark]
    edit, end = edits[mark], edits[last]
    if forest.is_named(use.mark):  # a[b], a(b)
        edit.word, end.word = b"." + name + b"(", b")"
        return
    dummy = b"0" if operator.operands > 1 and mark == last else b""  # of a++
    if operator.is_member:
        edit.word = b"" if mark == first else b"." + name + b"(" + dummy
        end.behind += b"." + name + b"()" if mark == first else b")"
    elif mark == first:
        edit.word = name + b"("
        end.behind += b")"
    else:
        edits[first].before += name + b"("
        edit.word = b"," + dummy
        end.behind += b")"
