"""Which parts of a large source to cut and which to restore, by the diagnostics of the program.

The search starts with the places that the failure is about, and nothing else. The program then
prints errors about what is missing. The part that an error is about is cut where possible: a member
of a class, a statement, a base of a class. It stays if the failure is there or something needs it;
then the units that the error names are restored. The same is done for these, and so on. No rule
knows what a name means: the program reports what it misses.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import chain, repeat
from pathlib import PurePosixPath
from typing import NamedTuple, TypeAlias

from wynot.core.deltas import Deltas
from wynot.core.diagnostics import Diagnostic, Kind
from wynot.core.texts.parts import CutText
from wynot.passes.large.source_units import NO_UNIT, SourceUnits
from wynot.passes.trees import kinds
from wynot.passes.trees.forest import Forest, NodeId, TokenId

_LINE_END = re.compile(rb"\n")


class PlacedDiagnostic(NamedTuple):
    """A diagnostic, and the token that it is about."""

    token: int
    names: tuple[str, ...]
    kind: Kind
    missing: str


class WrittenPlaces:
    """The tokens of one text as a candidate has them."""

    def __init__(self, text: CutText, kept: Deltas) -> None:
        written = text.write(kept)
        runs = kept.part(kept.rank(text.first), kept.rank(text.after)).runs
        self._text = text
        self._lasts = [stop - text.first - 1 for _, stop in runs]
        self._firsts, self._shifts = written.firsts, written.shifts
        self._offsets = [
            text.starts[first] + shift
            for first, shift in zip(self._firsts, self._shifts, strict=True)
        ]
        self._lines = [0, *(match.end() for match in _LINE_END.finditer(written.content))]
        self._end = len(written.content)

    def token(self, line: int, column: int) -> int | None:
        """Return the token that stands at a place, or before it; None: there is no such line."""
        if line > len(self._lines) or not self._offsets:
            return None
        start = self._lines[line - 1]
        after = self._lines[line] - 1 if line < len(self._lines) else self._end
        at = min(start + max(column - 1, 0), after)
        run = max(bisect_right(self._offsets, at) - 1, 0)
        there = bisect_right(self._text.starts, at - self._shifts[run]) - 1
        return self._text.first + min(max(there, self._firsts[run]), self._lasts[run])


def placed_diagnostics(
    diagnostics: Iterable[Diagnostic], texts: Sequence[CutText], kept: Deltas
) -> Iterator[PlacedDiagnostic]:
    """Yield the diagnostics that are about a token of a candidate, and ignore all others.

    ``kept`` is what the candidate consists of.
    """
    written: dict[str, WrittenPlaces] = {}
    for path, line, column, names, kind, missing in diagnostics:
        text = _text_at(path, texts)
        if text is None:
            continue
        if text.path not in written:
            written[text.path] = WrittenPlaces(text, kept)
        token = written[text.path].token(line, column)
        if token is not None:
            yield PlacedDiagnostic(token, names, kind, missing)


def _text_at(path: str, texts: Sequence[CutText]) -> CutText | None:
    """Return the text that a path means, as seen from some folder; None: it is not clear."""
    parts = PurePosixPath(path).parts
    found = [text for text in texts if _ends_alike(parts, PurePosixPath(text.path).parts)]
    exact = [text for text in found if text.path == path]
    return (exact or found)[0] if len(exact or found) == 1 else None


def _ends_alike(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    common = min(len(one), len(other))
    return common > 0 and one[-common:] == other[-common:]


_KEPT_TOKENS = re.compile(rb"\x01+")

Run: TypeAlias = tuple[int, int]
"""Tokens, from one up to before another."""


@dataclass(slots=True)
class PartialSource:
    """A part of a source, and what was found out about it so far."""

    kept: bytearray
    """Of each token whether it is there."""
    fixed: bytearray
    """Of each token whether it must stay though an error is about it."""
    wanted: set[int] = field(default_factory=set)
    """Units that have come back: each is needed, unless another one gives the same name."""
    needed: set[int] = field(default_factory=set)
    """Units that stay in any case: the failure is in them, or they were missed more than once."""
    cut: dict[int, tuple[Run, ...]] = field(default_factory=dict)
    """What was cut out of units, since an error was about it."""
    roots: set[int] = field(default_factory=set)
    """The tokens that the failure is about."""
    given_up: set[Run] = field(default_factory=set)
    """What was cut though it seemed to be needed: that is done once."""
    times: dict[Hashable, int] = field(default_factory=dict)
    """How often something was done about the same diagnostic."""

    def fork(self) -> "PartialSource":
        """Return the same, to go on from in another way."""
        other = copy(self)
        other.kept, other.fixed = bytearray(self.kept), bytearray(self.fixed)
        other.wanted, other.needed = set(self.wanted), set(self.needed)
        other.cut, other.times = dict(self.cut), dict(self.times)
        other.given_up = set(self.given_up)
        return other

    @property
    def deltas(self) -> Deltas:
        """The tokens that are there."""
        return Deltas.covering(match.span() for match in _KEPT_TOKENS.finditer(self.kept))

    def put(self, runs: Iterable[Run]) -> bool:
        """Bring tokens back; tell whether any was gone."""
        found = False
        for start, stop in runs:
            found = found or self.kept.find(0, start, stop) >= 0
            self.kept[start:stop] = b"\1" * (stop - start)
        return found

    def take(self, unit: int, start: int, stop: int) -> bool:
        """Cut tokens out of a unit; tell whether any was there."""
        found = self.kept.find(1, start, stop) >= 0
        if found:
            self.kept[start:stop] = bytes(stop - start)
            self.cut[unit] = (*self.cut.get(unit, ()), (start, stop))
        return found


class UnitRestorer:
    """Brings back units of a source, and what was cut out of them."""

    def __init__(self, forest: Forest) -> None:
        self.forest = forest
        self.units = SourceUnits(forest, values=False)
        self.owners = self.units.owners()
        self.words = list(forest.words)
        self.stops = list(map(self._stop, range(len(self.units.nodes))))
        self.own = [list(self.units.own_runs(unit)) for unit in range(len(self.units.nodes))]
        """Of each unit the tokens that are in none inside of it."""
        self.sources = self._with_users()
        self._closers: dict[int, list[int]] = {}
        for closer, opener in self.units.closers.items():
            self._closers.setdefault(opener, []).append(closer)

    def _with_users(self) -> list[list[int]]:
        """Return of each name what gives it, and what makes it known elsewhere."""
        found = [list(units) for units in self.units.givers]
        for unit, node in enumerate(self.units.nodes):
            if not self.units.given[unit] and kinds.is_using(self.forest.kind(node)):
                tokens = (token for run in self.own[unit] for token in range(*run))
                names = [name for name in map(self.units.names.__getitem__, tokens) if name >= 0]
                for name in names[-1:]:
                    found[name].append(unit)
        return found

    def _stop(self, unit: int) -> int:
        """Return the token after a unit, and after the colon of one that is only a mark."""
        stop = self.units.stops[unit]
        is_mark = not self.units.given[unit] and self.words[stop : stop + 1] == [b":"]
        return stop + is_mark

    def sources_of(self, names: Iterable[int]) -> list[int]:
        """Return what gives some names, but for namespaces: these come with what is in them."""
        found = (unit for name in names for unit in self.sources[name])
        return [unit for unit in found if not self.is_namespace(unit)]

    def put_back(self, state: PartialSource, units: Iterable[int]) -> bool:
        """Put back what was cut out of some units, for good."""
        found = [self.fix(state, unit, run) for unit in units for run in state.cut.get(unit, ())]
        return any(found)

    def fix(self, state: PartialSource, unit: int, run: Run) -> bool:
        """Put a part of a unit back for good, if the unit is there; tell whether it was gone."""
        state.cut[unit] = tuple(each for each in state.cut[unit] if each != run)
        if unit != NO_UNIT and not self.is_there(state, unit):
            return False
        state.fixed[run[0] : run[1]] = b"\1" * (run[1] - run[0])
        return state.put([run])

    def bring_all(self, state: PartialSource, units: Iterable[int]) -> bool:
        """Bring back units that are gone, if what they are members of is there."""
        changed = False
        for unit in units:
            around = self.units.classes[unit]
            is_reached = around == NO_UNIT or self.is_there(state, around)
            if is_reached and not self.is_there(state, unit):
                changed |= self.bring(state, unit)
                if unit in state.wanted:
                    state.needed.add(unit)
                state.wanted.add(unit)
        return changed

    def bring(self, state: PartialSource, unit: int) -> bool:
        """Bring a unit back with what is inside of it, and as much as it takes of what is around.

        Of a namespace nothing comes with it.
        """
        units, changed = self.units, False
        queue = [unit]
        for each in queue:
            whole = [(self.forest.firsts[units.nodes[each]], self.stops[each])]
            changed |= state.put(self.own[each] if self.is_namespace(each) else whole)
            for closer in self._closers.get(each, ()):
                changed |= state.put(self.own[closer])
            around = units.parents[each]
            while around != NO_UNIT and not self.is_there(state, around):
                changed |= state.put(self.own[around])
                changed |= state.put(self._marks(around))
                queue += self._first_opened(around)
                around = units.parents[around]
        return changed

    def _first_opened(self, unit: int) -> Iterator[int]:
        """Yield where a namespace is first opened: the first one declares what it is like."""
        units = self.units
        kind = self.forest.kind(units.nodes[unit])
        for name in units.given[unit] if self.is_namespace(unit) else ():
            first = units.givers[name][0]
            if first != unit and self.forest.kind(units.nodes[first]) == kind:
                yield first

    def _marks(self, unit: int) -> Iterator[Run]:
        """Return the members of a class that say nothing of their own, such as ``public:``."""
        units = self.units
        for member in range(unit + 1, units.ends[unit]) if units.is_class[unit] else ():
            is_own = units.parents[member] == unit and not units.given[member]
            if is_own and not units.inside(member):
                yield self.forest.firsts[units.nodes[member]], self.stops[member]

    def is_namespace(self, unit: int) -> bool:
        """Tell whether a unit is only around others."""
        return self.units.ends[unit] > unit + 1 and not self.units.is_class[unit]

    def is_there(self, state: PartialSource, unit: int) -> bool:
        """Tell whether anything of a unit itself is there."""
        return any(state.kept.find(1, *run) >= 0 for run in self.own[unit])

    def is_gone(self, state: PartialSource, name: int) -> bool:
        """Tell whether nothing is there that gives a name."""
        return not any(self.is_there(state, unit) for unit in self.units.givers[name])


WORDS_BEFORE, WORDS_AFTER = 3, 1
"""How many tokens around a place may be what is missed there, if no word is quoted."""
WORDS_AROUND = 60
"""The same, if nothing else helps."""


class Missing(NamedTuple):
    """An error about a part that stays: what the part misses is restored."""

    unit: int
    names: tuple[int, ...]
    """Names that are given somewhere."""
    alone: int
    """The one that is quoted alone, also if something with that name is there; -1: none."""
    run: Run
    """The part that the error is about."""
    near: tuple[int, ...]
    """Those that stand there."""
    words: frozenset[bytes]
    """All that was quoted."""


class RestoreRules:
    """The rules, over one source."""

    def __init__(self, forest: Forest) -> None:
        self._source = UnitRestorer(forest)

    def start(self, places: Iterable[PlacedDiagnostic]) -> PartialSource:
        """Return the units that a failure is in, and nothing else."""
        count = len(self._source.words)
        found = PartialSource(bytearray(count), bytearray(count))
        for place in (each for each in places if each.kind != "warning"):
            token, unit = place.token, self._source.owners[place.token]
            if unit == NO_UNIT:
                continue
            found.fixed[token] = 1
            found.roots.add(token)
            self._source.bring(found, unit)
            while unit != NO_UNIT:
                found.needed.add(unit)
                unit = self._source.units.parents[unit]
        return found

    def go_on(self, state: PartialSource, diagnostics: Sequence[PlacedDiagnostic]) -> bool:
        """Act on diagnostics; tell whether anything has changed."""
        errors = [each for each in diagnostics if each.kind == "error"]
        if not errors:
            return self._without_errors(state, diagnostics)
        cuts, missing = self._sorted(state, errors)
        changed = self._find(state, _first_of_each(missing))
        for unit, start, stop in cuts:
            changed |= state.take(unit, start, stop)
        changed |= any(self._help(state, each) for each in _first_of_each(missing))
        tries = chain.from_iterable(repeat(missing, len(self._helps)))
        changed = changed or any(self._help(state, each) for each in tries)
        return changed or self._without_errors(state, diagnostics)

    def _without_errors(
        self, state: PartialSource, diagnostics: Sequence[PlacedDiagnostic]
    ) -> bool:
        """Restore more where there are no errors, or nothing helps: too much is gone."""
        doubts = [each for each in diagnostics if each.kind == "warning"]
        missing = [self._missing(state, self._source.owners[each.token], each) for each in doubts]
        return (
            self._find(state, missing)
            or self._source.bring_all(state, sorted(state.wanted))
            or self._source.put_back(state, sorted(state.needed))
            or self._source.put_back(state, sorted(state.cut))
        )

    def _help(self, state: PartialSource, missing: Missing) -> bool:
        """Act on an error that has come again; more each time that it does."""
        key = missing.unit, missing.names, missing.alone
        times = state.times.get(key, 0)
        state.times[key] = times + 1
        return any(help_with(state, missing) for help_with in self._helps[:times])

    @property
    def _helps(self) -> Sequence[Callable[[PartialSource, Missing], bool]]:
        """The actions on an error that has come again, in order."""
        put_back = self._put_back_named, self._put_back_further
        return *put_back, self._find_alone, self._find_around, self._find_all, self._cut_anyway

    def _put_back_named(self, state: PartialSource, missing: Missing) -> bool:
        units = [*self._source.sources_of(missing.names), missing.unit]
        return self._source.put_back(state, units)

    def _put_back_further(self, state: PartialSource, missing: Missing) -> bool:
        """Put back what was cut out of what is mentioned by what is named, such as its bases."""
        found: set[int] = set()
        for unit in self._source.sources_of(missing.names):
            tokens = (token for run in self._source.own[unit] for token in range(*run))
            found |= self._source.units.mentioned(unit, tokens)
        return self._source.put_back(state, self._source.sources_of(sorted(found)))

    def _find_alone(self, state: PartialSource, missing: Missing) -> bool:
        others = set(missing.names) - {missing.alone}
        alone = self._source.sources[missing.alone] if missing.alone >= 0 else ()
        return self._source.bring_all(state, [each for each in alone if self._is_in(each, others)])

    def _find_around(self, state: PartialSource, missing: Missing) -> bool:
        start, stop = missing.run
        words = set(self._source.words[start : min(stop, start + WORDS_AROUND)])
        names = sorted(
            self._source.units.numbers[word] for word in words if word in self._source.units.numbers
        )
        gone = [name for name in names if self._source.is_gone(state, name)]
        return self._source.bring_all(state, self._source.sources_of(gone))

    def _find_all(self, state: PartialSource, missing: Missing) -> bool:
        return self._source.bring_all(
            state, self._source.sources_of((*missing.names, *missing.near))
        )

    def _cut_anyway(self, state: PartialSource, missing: Missing) -> bool:
        unit, run = missing.unit, missing.run
        is_root = any(run[0] <= token < run[1] for token in state.roots)
        if is_root or run in state.given_up:
            return False
        state.given_up.add(run)
        return state.take(self._owner(unit, run), *run)

    def _owner(self, unit: int, run: Run) -> int:
        """Return the unit that a part is cut out of: a whole one out of the class around it."""
        is_whole = (
            unit != NO_UNIT and run[0] == self._source.forest.firsts[self._source.units.nodes[unit]]
        )
        return self._source.units.classes[unit] if is_whole else unit

    def _sorted(
        self, state: PartialSource, errors: Sequence[PlacedDiagnostic]
    ) -> tuple[list[tuple[int, int, int]], list[Missing]]:
        """Return the parts to cut, and what the other parts with errors miss."""
        cuts, missing = [], []
        spare = self._spare(state, errors)
        for each in errors:
            unit, node, run = self._around(each.token)
            whole = unit != NO_UNIT and node == self._source.units.nodes[unit]
            is_kept = unit == NO_UNIT or state.fixed.find(1, *run) >= 0
            is_kept = is_kept or not self._is_closed(node)
            if is_kept or (whole and unit not in spare and self._stays(state, unit)):
                missing.append(self._missing(state, unit, each))
            else:
                cuts.append((self._owner(unit, run), *run))
        return cuts, missing

    def _stays(self, state: PartialSource, unit: int) -> bool:
        return unit in state.needed or unit in state.wanted

    def _spare(self, state: PartialSource, errors: Sequence[PlacedDiagnostic]) -> set[int]:
        """Return the units that have come back and can go: earlier ones give the same names."""
        spare = set()
        for each in errors:
            unit, node, _ = self._around(each.token)
            if unit in state.wanted - state.needed and node == self._source.units.nodes[unit]:
                givers = (
                    self._source.units.givers[name] for name in self._source.units.given[unit]
                )
                if all(self._is_later(state, unit, several) for several in givers):
                    spare.add(unit)
        return spare

    def _is_later(self, state: PartialSource, unit: int, givers: Iterable[int]) -> bool:
        """Tell whether something that gives the same name is there before a unit."""
        return any(each < unit and self._source.is_there(state, each) for each in givers)

    def _around(self, token: int) -> tuple[int, NodeId, Run]:
        """Return the unit that a token is in, the least part that can go with it, its tokens."""
        forest, unit = self._source.forest, self._source.owners[token]
        node = forest.leaves[TokenId(token)]
        if unit == NO_UNIT:
            return unit, node, (token, token + 1)
        top = self._source.units.nodes[unit]
        while node != top and not (_can_go(forest, node) and self._is_closed(node)):
            node = forest.parents[node]
        stop = self._source.stops[unit] if node == top else forest.ends[node]
        return unit, node, (forest.firsts[node], stop)

    def _is_closed(self, node: NodeId) -> bool:
        """Tell whether a node has as many closing brackets as it opens."""
        return not self._source.units.opened(
            self._source.forest.firsts[node], self._source.forest.ends[node]
        )

    def _missing(self, state: PartialSource, unit: int, diagnostic: PlacedDiagnostic) -> Missing:
        """Return what an error misses: the names it quotes, or those there that are gone."""
        words = [word.encode("utf-8", "replace") for word in diagnostic.names]
        around = self._source.words[
            max(diagnostic.token - WORDS_BEFORE, 0) : diagnostic.token + WORDS_AFTER + 1
        ]
        near = tuple(
            self._source.units.numbers[word]
            for word in around
            if word in self._source.units.numbers
        )
        names = [
            self._source.units.numbers[word] for word in words if word in self._source.units.numbers
        ]
        names += (name for name in near if self._source.is_gone(state, name))
        alone = self._source.units.numbers.get(diagnostic.missing.encode("utf-8", "replace"), -1)
        run = self._around(diagnostic.token)[2]
        return Missing(unit, tuple(dict.fromkeys(names)), alone, run, near, frozenset(words))

    def _find(self, state: PartialSource, missing: Iterable[Missing]) -> bool:
        """Bring back what is missed, and was not there under any of its names."""
        changed = False
        for unit, names, alone, _, _, words in missing:
            for start, stop in state.cut.get(unit, ()):
                if words.intersection(self._source.words[start:stop]):
                    changed |= self._source.fix(state, unit, (start, stop))
            for name in names:
                if self._source.is_gone(state, name):
                    givers = self._source.sources[name]
                    if name == alone and self._has_class(state, names, name):
                        givers = [each for each in givers if self._is_in(each, set(names))]
                    changed |= self._source.bring_all(state, givers)
        return changed

    def _has_class(self, state: PartialSource, names: Iterable[int], but: int) -> bool:
        """Tell whether one of some names is that of a class that is there: it is missed in it."""
        givers = self._source.sources_of(name for name in names if name != but)
        return any(
            self._source.units.is_class[each] and self._source.is_there(state, each)
            for each in givers
        )

    def _is_in(self, unit: int, names: set[int]) -> bool:
        """Tell whether a unit is a member of a class that one of some names is given to."""
        around = self._source.units.parents[unit]
        is_member = around != NO_UNIT and bool(self._source.units.is_class[around])
        return is_member and not names.isdisjoint(self._source.units.given[around])


def _first_of_each(missing: Iterable[Missing]) -> list[Missing]:
    """Return the first error in each unit: the others often follow from it."""
    return list({each.unit: each for each in reversed(list(missing))}.values())[::-1]


def _can_go(forest: Forest, node: NodeId) -> bool:
    """Tell whether what is around a node makes sense without it."""
    return kinds.is_extra(forest.kind(node)) or kinds.is_block(forest.kind(forest.parents[node]))
