"""Branches: of a choice, a loop or an attempt only what is done stays, once.

A single one can be hoisted; here all of a sort go at once, which a large program has hundreds of,
and the braces go with them where a list of statements is around.
"""

from collections.abc import Iterator

from wynot.core.texts.rewrites import Patch, Rewrite
from wynot.passes.rewrites.definitions import between_brackets
from wynot.passes.rewrites.tree_queries import is_list, margin_at, replacement
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, ByteRange, Forest, NodeId


def branches(forest: Forest) -> Iterator[Rewrite]:
    """Return what can be put for each choice and each loop, and for a block among statements."""
    for node in forest.named_nodes:
        kind = forest.kind(node)
        above = forest.parents[node]
        if kinds.is_choice(kind):
            for which, branch in _branches(forest, node):
                patch = _instead(forest, node, branch)
                if patch is not None:
                    yield Rewrite(f"{kind} to its {which}", (patch,))
        elif kinds.is_block(kind) and above != ROOT_NODE and kinds.is_block(forest.kind(above)):
            patch = _instead(forest, node, node)
            if patch is not None:
                yield Rewrite(f"{kind} unwrapped", (patch,))


def _branches(forest: Forest, node: NodeId) -> Iterator[tuple[str, NodeId]]:
    """Return the first body of a choice, and its first other branch."""
    body = other = ROOT_NODE
    for child in forest.named(node):
        field, kind = forest.field_of(child), forest.kind(child)
        if not body and (field in kinds.BODIES or (not field and kinds.is_block(kind))):
            body = child
        elif not other and (field in kinds.OTHERS or (not field and kinds.is_clause(kind))):
            other = child
    if body:
        yield "body", _first_case(forest, body)
    if other:
        yield "other branch", _clause_body(forest, other)


def _first_case(forest: Forest, body: NodeId) -> NodeId:
    """Return what is done in the first case, if that is what a body is made of."""
    first = next(iter(forest.named(body)), ROOT_NODE)
    if first and kinds.is_clause(forest.kind(first)) and "statement" not in forest.kind(first):
        return _clause_body(forest, first)
    return body


def _clause_body(forest: Forest, clause: NodeId) -> NodeId:
    """Return what is behind ``else`` or ``catch (…)``."""
    if not kinds.is_clause(forest.kind(clause)):
        return clause
    inside = forest.named(clause)
    bodies = [child for child in inside if forest.field_of(child) in kinds.BODIES]
    blocks = [child for child in inside if kinds.is_block(forest.kind(child))]
    return next(iter(bodies or blocks or inside[-1:]), clause)


def _instead(forest: Forest, node: NodeId, branch: NodeId) -> Patch | None:
    """Return the patch that leaves only a branch, without its braces if they are not needed."""
    run, inside = forest.span(node), forest.span(branch)
    if kinds.is_block(forest.kind(branch)) and _is_among_statements(forest, node):
        first, last = between_brackets(forest, branch)
        if first >= last:
            return replacement(forest, run)
        inside = forest.between(first, last)
    if inside == run:
        return None
    text = forest.contents[inside.path][inside.start : inside.stop]
    patch = replacement(forest, run, _moved(forest, run, inside, text))
    return patch if len(patch.instead) < patch.stop - patch.start else None


def _is_among_statements(forest: Forest, node: NodeId) -> bool:
    above = forest.parents[node]
    if "expression_statement" in forest.kind(above):
        above = forest.parents[above]
    return is_list(forest, above)


def _moved(forest: Forest, to: ByteRange, run: ByteRange, text: bytes) -> bytes:
    """Return lines of a text, indented as where they come to stand."""
    here, there = (margin_at(forest.contents[each.path], each.start) for each in (to, run))
    if not there.startswith(here):
        return text
    return text.replace(b"\n" + there, b"\n" + here)
