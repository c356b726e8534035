"""Commits as a line, and with a side branch that is merged."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from benchmarks.histories.pieces import Piece

Pieces = frozenset[Piece]


class Node(NamedTuple):
    """A commit: what of the difference is in, and after which commits of the same release."""

    pieces: Pieces
    parents: tuple[int, ...]
    """Numbers of nodes; -1: the release before."""
    own: Pieces
    """What it adds itself."""


class Fork(NamedTuple):
    """What each commit adds, where some of them are on a side branch."""

    before: Sequence[Pieces]
    side: Sequence[Pieces]
    main: Sequence[Pieces]
    evil: Pieces
    """What the merge brings by itself."""
    after: Sequence[Pieces]
    crosses: bool
    """Whether the main line is once merged into the side branch, too."""


def line(order: Iterable[Pieces]) -> list[Node]:
    """Return commits that follow one another."""
    nodes: list[Node] = []
    applied: Pieces = frozenset()
    for number, own in enumerate(order):
        applied |= own
        nodes.append(Node(applied, (number - 1,), own))
    return nodes


def forked(fork: Fork) -> list[Node]:
    """Return commits of which some are on a side branch."""
    nodes = line(fork.before)
    base = nodes[-1].pieces if nodes else frozenset()
    tips = dict.fromkeys(("main", "side"), (base, len(nodes) - 1))

    def add(branch: str, own: Pieces, *merged: int) -> None:
        pieces, tip = tips[branch]
        pieces = pieces.union(own, *(nodes[each].pieces for each in merged))
        nodes.append(Node(pieces, (tip, *merged), own))
        tips[branch] = pieces, len(nodes) - 1

    first, *others = fork.main
    add("main", first)
    for number, own in enumerate(fork.side):
        add("side", own)
        if fork.crosses and number == 0:
            add("side", frozenset(), tips["main"][1])
    for own in others:
        add("main", own)
    add("main", fork.evil, tips["side"][1])
    for own in fork.after:
        add("main", own)
    return nodes
