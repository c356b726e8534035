"""What every tree keeps, a text of every language, and searches run on trees by the engine."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from domain import Shuffled
from wynot.core.case import ItemsCase
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.texts.tree import FLAW, TOKEN, Nodes, Tree
from wynot.engine.budget import Budget
from wynot.engine.memo import ByContent
from wynot.engine.recorder import Recorder
from wynot.engine.session import Session, SessionResult
from wynot.formats.language_table import BY_NAME
from wynot.oracle.function_test import FunctionTest
from wynot.runners.runner import Inline, Pool, Runner
from wynot.search.combinators import Minimizer

SAMPLES = {
    path.stem: path
    for path in sorted((Path(__file__).parent / "samples").iterdir())
    if path.is_file()
}
"""A file for each language of which the grammar is there when the tests run."""


def assert_is_tree(tree: Tree, content: bytes) -> None:
    """See that nodes nest, in order, and that only white space is outside of tokens."""
    assert len(tree) > 0
    assert (tree.starts[0], tree.stops[0], tree.subtree_ends[0]) == (0, len(content), len(tree))
    reached = list(tree.starts)
    """Where in each node its last child stops."""
    for node in range(1, len(tree)):
        start, stop, parent = tree.starts[node], tree.stops[node], tree.parents[node]
        assert parent < node < tree.subtree_ends[node] <= tree.subtree_ends[parent], node
        assert reached[parent] <= start <= stop <= tree.stops[parent], node
        reached[parent] = stop
    for node in range(len(tree)):
        assert bool(tree.flags[node] & TOKEN) == (tree.subtree_ends[node] == node + 1), node
        assert all(tree.parents[child] == node for child in tree.children(node))
    at = 0
    for token in tree.tokens:
        assert not content[at : tree.starts[token]].strip(), at
        at = tree.stops[token]
    assert not content[at:].strip()


def shape(tree: Tree, content: bytes, node: int = 0) -> str:
    """Return a tree as one line: tokens as they are written, the rest as ``kind(…)``."""
    if tree.flags[node] & TOKEN:
        return tree.text(node, content).decode("utf-8", "replace")
    inside = " ".join(shape(tree, content, child) for child in tree.children(node))
    mark = "!" if tree.flags[node] & FLAW else ""
    return f"{mark}{tree.kind(node)}({inside})"


def sample(name: str) -> bytes:
    """Return the text of a language."""
    assert name in BY_NAME
    return SAMPLES[name].read_bytes()


def nodes_of(root: Sequence[Any]) -> tuple[Nodes, list[str]]:
    """Return the nodes of nested lists, and their tokens; a string is text of the node itself."""
    starts: list[int] = []
    stops: list[int] = []
    subtree_ends: list[int] = []
    tokens: list[str] = []

    def add(node: Sequence[Any]) -> None:
        number = len(starts)
        starts.append(len(tokens))
        stops.append(0)
        subtree_ends.append(0)
        for each in node:
            if isinstance(each, str):
                tokens.extend(each.split())
            else:
                add(each)
        stops[number], subtree_ends[number] = len(tokens), len(starts)

    add(root)
    return Nodes(starts, stops, subtree_ends), tokens


class Found(NamedTuple):
    """What a search has found, by which questions."""

    items: list[Any]
    all: list[Edit]
    """Every edit that was asked about, in order, also if the answer was known."""
    accepted: list[Edit]
    tests: int


def run(
    search: Minimizer,
    items: Sequence[Any],
    fails: Callable[[list[Any]], object],
    *,
    width: int = 1,
    seed: int = 0,
) -> Found:
    """Run a search by the engine; with more than one worker, tests end in a random order."""
    case = ItemsCase(list(items))
    if width == 1:
        return _run(search, case, Inline(FunctionTest(fails)))
    with Shuffled(seed) as workers:
        return _run(search, case, Pool(workers, width, FunctionTest(fails)))


def _run(search: Minimizer, case: ItemsCase[Any], runner: Runner) -> Found:
    recorder = Recorder(case, NONE, case.deltas)
    session: Session[Deltas, SessionResult[Deltas]] = Session(
        case=case,
        runner=runner,
        memo=ByContent(),
        budget=Budget(),
        pick="in-order",
        checks=(),
        observe=lambda _event: None,
        result=lambda outcome: outcome,
    )
    outcome = session.run(partial(search, case.deltas), recorder)
    assert outcome.found is not None
    trace = recorder.trace
    accepted = [edit for step, edit in enumerate(trace.edits) if step in trace.accepted]
    return Found(case.written(outcome.found), trace.edits, accepted, outcome.tally.tests)
