"""Commits made of the pieces between two releases: in what order, on which branches."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from benchmarks.histories.cases import Case
from benchmarks.histories.pieces import Difference, Piece
from benchmarks.histories.states import BAD, GOOD, UNBUILT, States

_TRIES = 60
"""So often a place for a side branch is looked for."""

Pieces = frozenset[Piece]


class Node(NamedTuple):
    """A commit: what of the difference is in, and after which commits of the same release."""

    pieces: Pieces
    parents: tuple[int, ...]
    """Numbers of nodes; -1: the release before."""
    own: Pieces
    """What it adds itself."""


@dataclass
class Splitter:
    """Makes commits of one difference."""

    difference: Difference
    case: Case
    states: States
    chance: Random
    guilty: Sequence[Pieces]
    """What makes it fail, once all of it is in; empty if this is not the difference that does."""
    is_bad: bool
    """Whether it fails already before."""
    breaks: int
    """How often it may be left so that it cannot be imported."""
    _applied: Pieces = frozenset()
    _order: list[Pieces] = field(default_factory=list)

    def wanted(self, pieces: Pieces) -> int:
        """Return what the test ought to say with these pieces put in."""
        guilty = bool(self.guilty) and all(each <= pieces for each in self.guilty)
        return BAD if self.is_bad or guilty else GOOD

    def verdict(self, pieces: Pieces) -> int:
        """Return what the test says with these pieces put in."""
        return self.states.verdict(self.difference.tree(pieces))

    def fits(self, pieces: Pieces) -> bool:
        """Tell whether it does."""
        return self.verdict(pieces) == self.wanted(pieces)

    def order(self, count: int) -> list[Pieces]:
        """Return what each commit adds, one after the other, in about so many commits.

        What would break the package waits until it does not, or goes along with what it needs.
        """
        pending = self._groups(count)
        while pending:
            for group in list(pending):
                if group in pending and self._take(group, pending):
                    pending.remove(group)
            self._squash(pending)
        return self._order

    def _take(self, group: Pieces, pending: list[Pieces]) -> bool:
        if self.fits(self._applied | group):
            self._add(group)
            return True
        if not self.breaks or any(each & group for each in self.guilty):
            return False
        partner = self._partner(group, pending)
        if partner is None:
            return False
        # The package is broken until the partner comes, and something else goes on meanwhile.
        self.breaks -= 1
        self._add(group)
        pending.remove(partner)
        for other in [each for each in pending if each != group][: self.chance.randrange(3)]:
            between = self._applied | other
            safe = not any(each & other for each in self.guilty)
            if safe and self.verdict(between) == UNBUILT and self.fits(between | partner):
                self._add(other)
                pending.remove(other)
        self._add(partner)
        return True

    def _partner(self, group: Pieces, pending: list[Pieces]) -> Pieces | None:
        """Return something without which the group does not build, if one thing is enough."""
        if self.verdict(self._applied | group) != UNBUILT:
            return None
        for other in pending:
            is_guilty = any(each & other for each in self.guilty)
            if other != group and not is_guilty and self.fits(self._applied | group | other):
                return other
        return None

    def _add(self, group: Pieces) -> None:
        self._order.append(group)
        self._applied |= group

    def _squash(self, pending: list[Pieces]) -> None:
        """Make one commit of as many of the groups that wait as are needed."""
        if not pending:
            return
        together: Pieces = frozenset()
        for group in list(pending):
            together |= group
            pending.remove(group)
            if self.fits(self._applied | together):
                break
        self._add(together)

    def _groups(self, count: int) -> list[Pieces]:
        """Cut the pieces into groups: neighbours in a file, the files in any order."""
        pieces = set(self.difference.pieces)
        first = frozenset(piece for piece in pieces if piece.kind == "move")
        apart = [self._widened(each) for each in self.guilty]
        if self.guilty and self.case.guilty == "move":
            apart = [first | apart[0]]
        elif first:
            apart.append(first)
        pieces -= frozenset().union(*apart)
        files = sorted({piece.path for piece in pieces})
        self.chance.shuffle(files)
        line = [piece for path in files for piece in sorted(pieces) if piece.path == path]
        cuts = (
            sorted(self.chance.sample(range(1, len(line)), min(count, len(line)) - 1))
            if line
            else []
        )
        groups = [
            frozenset(line[start:stop])
            for start, stop in zip([0, *cuts], [*cuts, len(line)], strict=True)
        ]
        for each in apart:
            # Names change first: what comes after is about the new ones.
            place = 0 if each == first else self.chance.randrange(1, len(groups) + 1)
            groups.insert(place, each)
        return [group for group in groups if group]

    def _widened(self, guilty: Pieces) -> Pieces:
        """Return the guilty pieces with others, of their file first, as the case asks for."""
        marked = frozenset().union(*self.guilty)
        path = next(iter(guilty)).path
        others = [
            piece
            for piece in self.difference.pieces
            if piece.kind == "hunk" and piece not in marked
        ]
        self.chance.shuffle(others)
        others.sort(key=lambda piece: piece.path != path)
        return guilty | frozenset(others[: max(0, self.case.hunks - len(guilty))])

    def line(self, order: Iterable[Pieces]) -> list[Node]:
        """Return the commits as one line."""
        nodes: list[Node] = []
        applied: Pieces = frozenset()
        for number, own in enumerate(order):
            applied |= own
            nodes.append(Node(applied, (number - 1,), own))
        return nodes

    def branched(self, order: Sequence[Pieces], *, guilty: str) -> list[Node] | None:
        """Return the commits with one side branch in it, if there is a place for one.

        ``guilty`` says what is to be on the branch: see `Case`; empty: nothing of that kind.
        """
        known = {node.pieces for node in self.line(order)}
        for _ in range(_TRIES):
            found = self._try_branch(list(order), guilty)
            if found and all(node.pieces in known or self.fits(node.pieces) for node in found):
                return found
        return None

    def _try_branch(self, order: list[Pieces], guilty: str) -> list[Node] | None:
        kinds = [[n for n, own in enumerate(order) if each & own] for each in self.guilty]
        evil: Pieces = frozenset()
        if guilty == "merge":
            evil = order.pop(kinds[0][0])
        side_size, main_size = self.chance.randint(2, 5), self.chance.randint(1, 4)
        room = len(order) - side_size - main_size
        if room < 0:
            return None
        start = self.chance.randint(0, room)
        if evil:
            start = min(kinds[0][0], room)
        side = order[start : start + side_size]
        main = order[start + side_size : start + side_size + main_size]
        if guilty == "side" and not any(self.guilty[0] & own for own in side):
            at = kinds[0][0]
            start = min(max(0, at - self.chance.randrange(side_size)), room)
            side = order[start : start + side_size]
            main = order[start + side_size : start + side_size + main_size]
        if guilty == "together":
            one, two = sorted(each[0] for each in kinds)
            other = order.pop(two)
            start = max(0, one - self.chance.randrange(side_size))
            side = order[start : start + side_size]
            main = [*order[start + side_size : start + side_size + main_size - 1], other]
            self.chance.shuffle(main)
            rest = [*side, *main]
            order = [*order[:start], *rest, *[each for each in order[start:] if each not in rest]]
        return self._fork(order, start, len(side), len(main), evil)

    def _fork(
        self, order: list[Pieces], start: int, side_size: int, main_size: int, evil: Pieces
    ) -> list[Node]:
        """Return the commits, some of them on a branch; half of the time main is merged into it."""
        nodes = self.line(order[:start])
        base = nodes[-1].pieces if nodes else frozenset()
        fork = len(nodes) - 1
        tips = {"main": (base, fork), "side": (base, fork)}

        def add(branch: str, own: Pieces, *merged: int) -> None:
            pieces, tip = tips[branch]
            pieces = pieces.union(own, *(nodes[each].pieces for each in merged))
            nodes.append(Node(pieces, (tip, *merged), own))
            tips[branch] = pieces, len(nodes) - 1

        side = order[start : start + side_size]
        main = order[start + side_size : start + side_size + main_size]
        crosses = self.chance.random() < 0.5
        add("main", main[0])
        for number, own in enumerate(side):
            add("side", own)
            if crosses and number == 0:
                add("side", frozenset(), tips["main"][1])
        for own in main[1:]:
            add("main", own)
        add("main", evil, tips["side"][1])
        for own in order[start + side_size + main_size :]:
            add("main", own)
        return nodes
