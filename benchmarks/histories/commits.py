"""Commits made of the pieces between two releases: in what order, on which branches."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from benchmarks.histories.branches import Fork, Node, Pieces, forked, line
from benchmarks.histories.cases import Case
from benchmarks.histories.pieces import Difference
from benchmarks.histories.states import BAD, GOOD, UNBUILT, States

_TRIES = 60
"""So often a place for a side branch is looked for."""
_CROSSING = 0.5
"""How likely the main line is merged into a side branch."""


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
        """Return the guilty pieces with others, of their file first, as the case asks for.

        They go together, unless the guilty ones need something that comes before them.
        """
        is_alone = self.fits(guilty)
        marked = frozenset().union(*self.guilty)
        path = next(iter(guilty)).path
        others = [
            piece
            for piece in self.difference.pieces
            if piece.kind == "hunk" and piece not in marked
        ]
        self.chance.shuffle(others)
        others.sort(key=lambda piece: piece.path != path)
        for other in others:
            if len(guilty) >= self.case.hunks:
                break
            if not is_alone or self.fits(guilty | {other}):
                guilty |= {other}
        return guilty

    def branched(self, order: Sequence[Pieces], kind: str) -> list[Node] | None:
        """Return the commits with one side branch in it, if there is a place for one.

        ``kind`` says what of the guilty is to be on the branch: see `Case`; empty: it is all one.
        """
        known = {node.pieces for node in line(order)}
        for _ in range(_TRIES):
            fork = self._fork(list(order), kind)
            nodes = forked(fork) if fork else []
            if nodes and all(node.pieces in known or self.fits(node.pieces) for node in nodes):
                return nodes
        return None

    def _fork(self, order: list[Pieces], kind: str) -> Fork | None:
        """Return some place for a side branch."""
        places = sorted(
            number for each in self.guilty for number, own in enumerate(order) if each & own
        )
        evil = order.pop(places[0]) if kind == "merge" else frozenset()
        other = order.pop(places[-1]) if kind == "together" else frozenset()
        side, main = self.chance.randint(2, 5), self.chance.randint(1, 4)
        room = len(order) - side - main
        if room < 0:
            return None
        start = self.chance.randint(0, room)
        if kind:
            start = max(0, min(places[0] - self.chance.randrange(side), room))
        rest = order[start + side :]
        beside = [*rest[:main], *([other] if other else [])]
        self.chance.shuffle(beside)
        crosses = self.chance.random() < _CROSSING and kind != "together"
        return Fork(order[:start], order[start : start + side], beside, evil, rest[main:], crosses)
