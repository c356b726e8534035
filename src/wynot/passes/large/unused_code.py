"""What of a large source nothing else needs: deletions that follow from others.

A string that is a single word may be the name of a member; one that ends with a low line, or goes
on with something that is put in, may be how the names of several begin.

From all that stays, whatever it mentions is needed, and what that mentions, in turn: a template
with its specialisations, a class with its members elsewhere, all overloads of a name. The rest can
go at once, however much it is, and leaves no name without what gives it. (C-Reduce's
``remove-unused-function`` takes one at a time; a linker's ``--gc-sections`` all, as here.)
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, auto
from hashlib import sha256
from typing import TypeAlias, cast

from wynot.core.deltas import NONE, Deltas
from wynot.core.system.recent import Recent
from wynot.passes.large.source_units import NO_MENTION, NO_UNIT, OF_MEMBER, PLAIN, SourceUnits
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import ROOT_NODE, Forest, NodeId
from wynot.search.largest import Segment

_QUOTED_NAME = re.compile(rb"""[a-zA-Z]{0,2}["'`]{0,3}([^\W\d]\w*)(%s|\{\w*\})?["'`]{0,3}""")


def names_in_strings(forest: Forest, numbers: Mapping[bytes, int]) -> dict[int, list[int]]:
    """Return of strings that are a word the names, by number, that they are or begin."""
    names = sorted(numbers)
    found: dict[int, list[int]] = {}
    for (token, leaf), word in zip(forest.token_leaves, forest.words, strict=True):
        kind = forest.kind(leaf)
        if kind not in forest.language(leaf).strings and not kinds.is_string_piece(kind):
            continue
        match = _QUOTED_NAME.fullmatch(word)
        if match is None:
            continue
        name = match[1]
        if match[2] or name.endswith(b"_"):
            first = bisect_left(names, name)
            last = bisect_left(names, name + b"\xff", first)
            found[token] = [numbers[each] for each in names[first:last]]
        elif name in numbers:
            found[token] = [numbers[name]]
    return found


def fingerprint_of(segment: Segment, texts: Iterable[bytes]) -> str:
    """Return what tells a segment that is about some texts from others."""
    return "#" + sha256(b"\0".join((segment.category.encode(), *texts))).hexdigest()[:16]


MIN_LARGE_TOKENS = 10_000
"""Tokens from which on a source is large enough for this to be worth the tests."""
MIN_LARGE_BYTES = 32 << 10
"""Bytes from which on."""
Mention: TypeAlias = tuple[int, int]
"""A name by number, and whether it says which member of something is meant."""
KEPT_ANSWERS = 64
"""How many answers are remembered: each is asked for to see what it is worth, and to try it."""


class Care(IntEnum):
    """How much may go: each leaves out less than the one before."""

    BY_SCOPE = auto()
    """A name of a member, a parameter or a local variable mentions nothing else of that name."""
    BY_SPELLING = auto()
    """Whatever is written like a name mentions it."""
    WHOLE_CLASSES = auto()
    """Members stay with their classes."""


@dataclass(slots=True)
class Needed:
    """Finds out what is needed."""

    forest: Forest
    units: SourceUnits = field(init=False)
    _needs: dict[tuple[int, bool], frozenset[Mention]] = field(default_factory=dict)
    """Of units the names in them, while all of them is kept; by scope or by spelling."""
    inner_givers: frozenset[int] = frozenset()
    """The units in which something gives names, as an import does."""
    _in_strings: Mapping[int, list[int]] = field(default_factory=dict)
    """Of strings the names that they say."""
    _roles: bytearray = field(default_factory=bytearray)
    """What each token is, by scope."""
    _answers: Recent[tuple[tuple[NodeId, ...], int, Care], Deltas] = field(
        default_factory=lambda: Recent(KEPT_ANSWERS)
    )

    def __post_init__(self) -> None:
        self.units = SourceUnits(self.forest)
        self._roles = self.units.scopes.roles(self.units.names)
        self._in_strings = names_in_strings(self.forest, self.units.numbers)
        for token in self.units.giving:
            self._roles[token] = NO_MENTION
        self.inner_givers = frozenset(self.units.giving.values())

    def useless(self, nodes: Sequence[NodeId], kept: Deltas, care: Care) -> Deltas:
        """Return the tokens of what is in some nodes, and is not needed by what is outside of them.

        Of a class that is needed, members may be useless too.
        """
        inside = [
            (bisect_left(self.units.nodes, node), bisect_left(self.units.nodes, end))
            for node, end in ((node, self.forest.subtree_ends[node]) for node in nodes)
        ]
        if not any(start < stop for start, stop in inside):
            return NONE
        key = tuple(nodes), kept.key, care
        return self._answers.get(key, lambda: self._useless(inside, kept, care))

    def _useless(self, inside: Iterable[tuple[int, int]], kept: Deltas, care: Care) -> Deltas:
        reached = bytearray(b"\1" * len(self.units.nodes))
        for start, stop in inside:
            reached[start:stop] = bytes(stop - start)
        marks = self.forest.marks(kept)
        _Reaching(self, marks, reached, care).finish()
        return self._tokens(map(int(False).__eq__, reached), kept)

    def _span(self, unit: int) -> tuple[int, int]:
        return self.forest.firsts[self.units.nodes[unit]], self.units.stops[unit]

    def _tokens(self, gone: Iterable[bool], kept: Deltas) -> Deltas:
        """Return the tokens of some units; what is inside of them goes with them."""
        runs: list[tuple[int, int]] = []
        for unit, is_gone in enumerate(gone):
            start, stop = self._span(unit)
            if is_gone and (not runs or start >= runs[-1][1]):
                runs.append((start, stop))
        return Deltas.covering(runs).common(kept)

    def needs(self, unit: int, marks: bytes, *, by_scope: bool) -> frozenset[Mention]:
        """Return the names that are mentioned in a unit, as far as it is kept."""
        runs = list(self.units.own_runs(unit))
        if any(marks.find(0, *run) >= 0 for run in runs):
            tokens = (each for run in runs for each in range(*run) if marks[each])
            return self._mentioned(unit, tokens, by_scope=by_scope)
        found = self._needs.get((unit, by_scope))
        if found is None:
            tokens = (each for run in runs for each in range(*run))
            found = self._mentioned(unit, tokens, by_scope=by_scope)
            self._needs[unit, by_scope] = found
        return found

    def brings_all(self, unit: int) -> bool:
        """Tell whether a unit is an import that does not say of what."""
        forest, node = self.forest, self.units.nodes[unit]
        nodes = map(NodeId, range(node, forest.subtree_ends[node]))
        return unit not in self.inner_givers and any(
            kinds.is_import(forest.kind(each)) for each in nodes
        )

    def _mentioned(self, unit: int, tokens: Iterable[int], *, by_scope: bool) -> frozenset[Mention]:
        if not by_scope:
            return frozenset((name, PLAIN) for name in self.units.mentioned(unit, tokens))
        names, roles, several = self.units.names, self._roles, self.units.several
        found = set()
        for token in tokens:
            if names[token] >= 0 and roles[token] != NO_MENTION:
                found.add((names[token], roles[token]))
            found.update((name, PLAIN) for name in several.get(token, ()))
            found.update((name, OF_MEMBER) for name in self._in_strings.get(token, ()))
        return frozenset(found)


class _Reaching:
    """One walk from what stays to all that it needs."""

    def __init__(self, needed: Needed, marks: bytes, reached: bytearray, care: Care) -> None:
        self._needed = needed
        self._units = needed.units
        self._marks = marks
        self._reached = reached
        self._care = care
        self._mentioned = bytearray(len(needed.units.givers))
        self._followed: set[Mention] = set()
        self._queue = [unit for unit, is_reached in enumerate(reached) if is_reached]

    def finish(self) -> None:
        """Mark all that is needed by what was reached from the start."""
        self._follow()
        for unit in self._nameless():
            if self._stays(unit):
                self._reach(unit)
        for unit, opener in self._units.closers.items():
            if self._reached[opener]:
                self._reach(unit)
        self._follow()

    def _needs(self, unit: int) -> frozenset[Mention]:
        return self._needed.needs(unit, self._marks, by_scope=self._care == Care.BY_SCOPE)

    def _reach(self, unit: int) -> None:
        while unit != NO_UNIT and not self._reached[unit]:
            self._reached[unit] = 1
            self._queue.append(unit)
            unit = self._units.parents[unit]

    def _follow(self) -> None:
        """Go from what was reached to what it mentions, until there is nothing new."""
        units = self._units
        while self._queue:
            unit = self._queue.pop()
            if units.is_class[unit]:
                for member in range(unit + 1, units.ends[unit]):
                    given = units.given[member]
                    if self._care == Care.WHOLE_CLASSES or (
                        units.classes[member] == unit
                        and (not given or any(map(self._mentioned.__getitem__, given)))
                    ):
                        self._reach(member)
                self._fill(unit)
            for mention in self._needs(unit) - self._followed:
                self._followed.add(mention)
                name, role = mention
                self._mentioned[name] = 1
                for giver in (*units.givers[name], *self._inner_givers(name)):
                    around = units.classes[giver]
                    is_there = around == NO_UNIT or self._reached[around]
                    if is_there and (role == PLAIN or units.parents[giver] != NO_UNIT):
                        self._reach(giver)

    def _inner_givers(self, name: int) -> Iterable[int]:
        """Return the units in which something gives a name, and which have to be mentioned."""
        found = self._units.inner_givers.get(name, ())
        if self._care == Care.BY_SCOPE:
            return found
        return (unit for unit in found if self._units.given[unit])

    def _fill(self, unit: int) -> None:
        """Have something stay in a class where lines mean something: it cannot be empty."""
        forest, units = self._needed.forest, self._units
        inside = range(unit + 1, units.ends[unit])
        if inside and forest.language(units.nodes[unit]).newline_sensitive:
            sizes = (forest.weight(units.nodes[each]) for each in inside)
            self._reach(min(zip(sizes, inside, strict=True))[1])

    def _nameless(self) -> Iterator[int]:
        """Yield the units that nothing can mention: they stay if all that they mention does."""
        units, forest = self._units, self._needed.forest
        for unit, names in enumerate(units.given):
            if names or self._reached[unit] or units.ends[unit] > unit + 1:
                continue
            around = units.classes[unit]
            is_there = around == NO_UNIT or self._reached[around]
            is_idle = kinds.is_instantiation(forest.kind(units.nodes[unit]))
            if is_there and not is_idle and unit not in units.closers:
                yield unit

    def _stays(self, unit: int) -> bool:
        """Tell whether a unit that nothing can mention stays: if all that it mentions does."""
        known = [self._is_known(name) for name, role in self._needs(unit) if role == PLAIN]
        if self._care != Care.BY_SCOPE or self._needed.brings_all(unit):
            return all(known)
        return bool(known) and all(known) and unit not in self._needed.inner_givers

    def _is_known(self, name: int) -> bool:
        """Tell whether a name is given by something that is needed."""
        givers, inner = self._units.givers[name], self._units.inner_givers.get(name, ())
        if self._care != Care.BY_SCOPE:
            return not givers or any(map(self._reached.__getitem__, givers))
        return any(self._reached[each] for each in (*givers, *inner))


LAST_ONES = (1, 4, 16)
"""How many of the last parts are tried as all that is not to be touched: what a program does stands
behind what it needs for that."""
LEAST_SHARE = 64
"""Parts that are smaller than one in so many are not looked at alone."""
CHECKED_SHARE = 0.9
"""How much may be left by scope, of what is left by spelling, if a compiler looks at all names,
used or not: scopes are guessed, and a single wrong guess spoils all."""


@dataclass(slots=True)
class UselessUnits:
    """Proposes all that nothing needs: but for the last parts, then for one half and the other."""

    forest: Forest
    needed: Needed = field(init=False)

    def __post_init__(self) -> None:
        self.needed = Needed(self.forest)

    def begin(self) -> Sequence[Segment]:
        """Start with all but the last parts."""
        parts = self.forest.named(self.forest.innermost(ROOT_NODE))
        kept = Deltas.first(len(self.forest.leaves))
        found = [self._segment(parts[:-count], kept) for count in LAST_ONES if len(parts) > count]
        return [each for each in found if each.weight]

    def ways(self, segment: Segment, kept: Deltas) -> Iterator[Deltas]:
        """Return what to take out: by scope, by spelling, or without members of classes."""
        nodes = cast("tuple[NodeId, ...]", segment.items)
        by_scope, by_spelling = (
            self.needed.useless(nodes, kept, care) for care in (Care.BY_SCOPE, Care.BY_SPELLING)
        )
        is_checked = any(language.bodiless for _, language in self.forest.languages)
        share = CHECKED_SHARE if is_checked else 1.0
        if self._left_of(by_scope, kept) < share * self._left_of(by_spelling, kept):
            yield by_scope
        yield by_spelling
        yield self.needed.useless(nodes, kept, Care.WHOLE_CLASSES)

    def _left_of(self, gone: Deltas, kept: Deltas) -> int:
        return self.forest.bytes_of(kept.toggle(gone))

    def finer(self, segment: Segment, kept: Deltas) -> Iterator[Segment]:
        """Have one half of it stay, or the other."""
        items = cast("tuple[NodeId, ...]", segment.items)
        middle = len(items) // 2
        for half in (items[:middle], items[middle:]):
            if half and middle:
                found = self._segment(half, kept)
                if found.weight * LEAST_SHARE > self.forest.byte_offsets[-1]:
                    yield found

    def fingerprint(self, segment: Segment) -> str:
        """Return the text of what it is about."""
        nodes = cast("tuple[NodeId, ...]", segment.items)
        return fingerprint_of(segment, map(self.forest.text, nodes))

    def _segment(self, items: Sequence[NodeId], kept: Deltas) -> Segment:
        found = self.needed.useless(items, kept, Care.BY_SCOPE)
        weight = self.forest.bytes_of(found)
        return Segment(weight, "what nothing needs", tuple(items))
