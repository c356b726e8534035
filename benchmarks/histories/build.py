"""A history made of the releases of a package, and what is true about it.

Every commit is a part of a real difference between two releases. The test is run on each state
once, so that the one commit that makes it fail is known, and which of its hunks do it.
"""

import json
import re
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.histories.branches import Node, Pieces, line
from benchmarks.histories.cases import Case
from benchmarks.histories.commits import Splitter
from benchmarks.histories.pieces import Difference, Piece
from benchmarks.histories.releases import HOME, release
from benchmarks.histories.repository import History, Unsuitable
from benchmarks.histories.states import BAD, UNBUILT, States

MADE = 2
"""To be raised when histories are made in another way, so that old ones are not used."""
_MOST_BREAKS = 3
"""Between two releases."""


def built(name: str, case: Case) -> tuple[Path, dict[str, Any]]:
    """Return the folder of a case and what is true about it; both are made if need be."""
    folder = HOME / "histories" / name
    key = sha256(repr((MADE, case)).encode()).hexdigest()
    truth = folder / "truth.json"
    if truth.exists():
        found: dict[str, Any] = json.loads(truth.read_text())
        if found["key"] == key:
            return folder, found
    found = {"key": key, **_build(folder, case)}
    truth.write_text(json.dumps(found, indent=1))
    return folder, found


def _build(folder: Path, case: Case) -> dict[str, Any]:
    states = States(folder, case)
    history = History(states)
    chance = Random(case.seed)
    versions = case.releases.split()
    trees = [release(case.package, version, case.paths.split()) for version in versions]
    differences = [Difference(one, two) for one, two in pairwise(trees)]
    counts = _shares(case.commits, [len(each.pieces) for each in differences])
    tip = history.add(trees[0], (), f"{case.package} {versions[0]}")
    sides, breaks = case.sides, case.breaks
    for difference, count, version in zip(differences, counts, versions[1:], strict=True):
        is_bad = states.verdict(difference.old) == BAD
        turns = not is_bad and states.verdict(difference.tree(difference.pieces)) == BAD
        guilty = _marked(difference, case) if turns else []
        allowed = min(_MOST_BREAKS, breaks)
        splitter = Splitter(difference, case, states, chance, guilty, is_bad, allowed)
        order = splitter.order(count)
        breaks -= allowed - splitter.breaks
        nodes = None
        if turns and case.guilty in {"side", "merge", "together"}:
            nodes = splitter.branched(order, case.guilty)
            if not nodes:
                raise Unsuitable(f"there is no place for a branch before {version}")
        elif sides and len(order) > 4:
            nodes = splitter.branched(order, "")
            sides -= bool(nodes)
        name = f"{case.package} {version}"
        tip = _add(history, splitter, nodes or line(order), tip, name)
    return _truth(history, states, folder)


def _add(history: History, splitter: Splitter, nodes: Sequence[Node], tip: int, name: str) -> int:
    """Add the commits of one release; return the last."""
    numbers = {-1: tip}
    for number, node in enumerate(nodes):
        tree = splitter.difference.tree(node.pieces)
        parents = [numbers[each] for each in node.parents]
        numbers[number] = history.add(tree, parents, _subject(node, name))
    return numbers[len(nodes) - 1]


def _subject(node: Node, name: str) -> str:
    files = sorted({piece.to or piece.path for piece in node.own})
    if len(node.parents) > 1:
        return f"Merge a branch for {name}"
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return f"{name}: {files[0]}{more}"


def _shares(total: int, sizes: Sequence[int]) -> list[int]:
    """Share commits out: large differences get more, but not as many more as they are larger."""
    weights = [size**0.6 for size in sizes]
    return [
        max(1, min(size, round(total * weight / sum(weights))))
        for size, weight in zip(sizes, weights, strict=True)
    ]


def _marked(difference: Difference, case: Case) -> list[Pieces]:
    """Return the pieces that are known to matter."""
    back = {to: path for path, to in difference.moves.items()}
    found = []
    for path, text in case.marks:
        at = back.get(path, path)
        lines = difference.old[at].splitlines(keepends=True)
        found.append(
            frozenset(
                piece
                for piece in difference.pieces
                if (piece.path, piece.kind) == (at, "hunk")
                and re.search(text, b"".join(lines[piece.start : piece.stop]) + piece.text)
            )
        )
    if not all(found):
        raise Unsuitable(f"no hunk has one of the marks {case.marks}")
    return found


def _truth(history: History, states: States, folder: Path) -> dict[str, Any]:
    guilty = history.guilty
    before = history.trees[history.parents[guilty][0]]
    difference = Difference(before, history.trees[guilty])
    pieces = frozenset(difference.pieces)
    needed = [
        each
        for each in pieces
        if each.kind == "hunk" and states.verdict(difference.tree(pieces - {each})) != BAD
    ]
    ids = history.write(folder / "repository")
    return {
        "good": ids[0],
        "bad": ids[-1],
        "guilty": ids[guilty],
        "subject": history.subjects[guilty],
        "commits": len(ids) - 1,
        "merges": sum(len(parents) > 1 for parents in history.parents),
        "unbuilt": history.verdicts.count(UNBUILT),
        "pieces": len(pieces),
        "needed": [
            [each.path, difference.moves.get(each.path, each.path), *_lines(each, pieces)]
            for each in sorted(needed)
        ],
    }


def _lines(piece: Piece, pieces: Pieces) -> tuple[int, int, int, int]:
    """Return which lines a hunk is about, before and after."""
    shift = sum(
        len(each.lines) - (each.stop - each.start)
        for each in pieces
        if each.path == piece.path and each.kind == "hunk" and each.start < piece.start
    )
    start = piece.start + shift
    return piece.start + 1, piece.stop, start + 1, start + len(piece.lines)
