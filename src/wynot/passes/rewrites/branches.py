"""Branches: of a choice, a loop or an attempt only what is done stays, once.

A single one can be hoisted; here all of a sort go at once, which a large program has hundreds of,
and the braces go with them where a list of statements is around.
"""

import re
from collections.abc import Iterator

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes.forest import ROOT, Forest
from wynot.passes.rewrites.definitions import inner
from wynot.passes.rewrites.shapes import (
    Run,
    between,
    is_list,
    put,
    whole,
)

_CHOICE = re.compile(
    r"(?:^|_)(?:if|unless|while|until|for|foreach|loop|repeat|do|switch|match|select|case|try|with|"
    r"ternary|conditional|unsafe|synchronized|using|lock|checked|begin)(?:_|$)|labeled_statement"
)
_NO_CHOICE = re.compile(
    "clause|arm|definition|declaration|item|list|initializer|comprehension|pattern|specifier|type|"
    "preproc|modifier|literal|keyword|term|variant|field|match_block|switch_b|_case$|_default"
)
_BODY = frozenset({"body", "consequence", "block"})
_OTHER = frozenset({"alternative", "handler", "finalizer", "else"})
_CLAUSE = re.compile("clause|else|catch|case|arm|default|except|finally|rescue|ensure")
_BLOCK = re.compile("block|compound|suite|body")


def branches(forest: Forest) -> Iterator[Rewrite]:
    """Return what can be put for each choice and each loop, and for a block among statements."""
    for node in range(1, len(forest.kinds)):
        if not forest.is_named(node) or not forest.has_tokens(node):
            continue
        kind = forest.kind(node)
        above = forest.parents[node]
        if _CHOICE.search(kind) and not _NO_CHOICE.search(kind):
            for which, branch in _branches(forest, node):
                patch = _instead(forest, node, branch)
                if patch is not None:
                    yield Rewrite(f"{kind} to its {which}", (patch,))
        elif _BLOCK.search(kind) and above != ROOT and _BLOCK.search(forest.kind(above)):
            patch = _instead(forest, node, node)
            if patch is not None:
                yield Rewrite(f"{kind} unwrapped", (patch,))


def _branches(forest: Forest, node: int) -> Iterator[tuple[str, int]]:
    """Return the first body of a choice, and its first other branch."""
    body = other = ROOT
    for child in forest.children(node):
        if not forest.is_named(child):
            continue
        field, kind = forest.field_of(child), forest.kind(child)
        if not body and (field in _BODY or (not field and _BLOCK.search(kind))):
            body = child
        elif not other and (field in _OTHER or (not field and _CLAUSE.search(kind))):
            other = child
    if body:
        yield "body", _first_case(forest, body)
    if other:
        yield "other branch", _clause_body(forest, other)


def _first_case(forest: Forest, body: int) -> int:
    """Return what is done in the first case, if that is what a body is made of."""
    first = next((child for child in forest.children(body) if forest.is_named(child)), ROOT)
    if first and _CLAUSE.search(forest.kind(first)) and "statement" not in forest.kind(first):
        return _clause_body(forest, first)
    return body


def _clause_body(forest: Forest, clause: int) -> int:
    """Return what is behind ``else`` or ``catch (…)``."""
    if not _CLAUSE.search(forest.kind(clause)):
        return clause
    inside = [child for child in forest.children(clause) if forest.is_named(child)]
    bodies = [child for child in inside if forest.field_of(child) in _BODY]
    blocks = [child for child in inside if _BLOCK.search(forest.kind(child))]
    return next(iter(bodies or blocks or inside[-1:]), clause)


def _instead(forest: Forest, node: int, branch: int) -> Patch | None:
    """Return the patch that leaves only a branch, without its braces if they are not needed."""
    run, inside = whole(forest, node), whole(forest, branch)
    if _BLOCK.search(forest.kind(branch)) and _is_among_statements(forest, node):
        first, last = inner(forest, branch)
        if first >= last:
            return put(forest, run)
        inside = between(forest, first, last)
    if inside == run:
        return None
    text = forest.contents[inside.path][inside.start : inside.stop]
    patch = put(forest, run, _moved(forest, run, inside, text))
    return patch if len(patch.instead) < patch.stop - patch.start else None


def _is_among_statements(forest: Forest, node: int) -> bool:
    above = forest.parents[node]
    if "expression_statement" in forest.kind(above):
        above = forest.parents[above]
    return is_list(forest, above)


def _moved(forest: Forest, to: Run, run: Run, text: bytes) -> bytes:
    """Return lines of a text, indented as where they come to stand."""
    here, there = _margin(forest, to), _margin(forest, run)
    if not there.startswith(here):
        return text
    return text.replace(b"\n" + there, b"\n" + here)


def _margin(forest: Forest, run: Run) -> bytes:
    """Return the white space at the start of a line."""
    content = forest.contents[run.path]
    line = content[content.rfind(b"\n", 0, run.start) + 1 :]
    return line[: len(line) - len(line.lstrip(b" \t"))]
