"""What to take and what to bring back, going by what a program complains of.

A source is left out but for the places that its failure is about. What is missing then is
complained of, in one of two ways. If what complains can go, it does: a member of a class, a
statement, what a class is derived from. If not, since the failure is there or something needs it,
what it names comes back. That is done again for what has come back, and so on. Nobody is asked what
a name means; the program says what it misses.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, repeat
from typing import NamedTuple

from wynot.passes import kinds
from wynot.passes.complaint_places import Located
from wynot.passes.forest import Forest
from wynot.passes.ids import NodeId, TokenId
from wynot.passes.repaired import Repaired, Run
from wynot.passes.returning import Returning
from wynot.passes.source_units import NO_UNIT

WORDS_BEFORE, WORDS_AFTER = 3, 1
"""How many tokens around a place may be what is missed there, if no word is quoted."""
WORDS_AROUND = 60
"""The same, if nothing else helps."""


class Missing(NamedTuple):
    """A complaint of something that stays: what it misses comes back."""

    unit: int
    names: tuple[int, ...]
    """Names that are given somewhere."""
    alone: int
    """The one that is quoted alone, also if something with that name is there; -1: none."""
    run: Run
    """The part that complains."""
    near: tuple[int, ...]
    """Those that stand there."""
    words: frozenset[bytes]
    """All that was quoted."""


class Repairs:
    """The rules, over one source."""

    def __init__(self, forest: Forest) -> None:
        self._source = Returning(forest)

    def begun(self, places: Iterable[Located]) -> Repaired:
        """Return the units that a failure is in, and nothing else."""
        count = len(self._source.words)
        found = Repaired(bytearray(count), bytearray(count))
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

    def go_on(self, state: Repaired, said: Sequence[Located]) -> bool:
        """Do something about what was said; tell whether anything has changed."""
        errors = [each for each in said if each.kind == "error"]
        if not errors:
            return self._in_silence(state, said)
        cuts, missing = self._sorted(state, errors)
        changed = self._find(state, _first_of_each(missing))
        for unit, start, stop in cuts:
            changed |= state.take(unit, start, stop)
        changed |= any(self._help(state, each) for each in _first_of_each(missing))
        tries = chain.from_iterable(repeat(missing, len(self._helps)))
        changed = changed or any(self._help(state, each) for each in tries)
        return changed or self._in_silence(state, said)

    def _in_silence(self, state: Repaired, said: Sequence[Located]) -> bool:
        """Do something where nothing is said to be wrong, or nothing helps: too much is gone."""
        doubts = [each for each in said if each.kind == "warning"]
        missing = [self._missing(state, self._source.owners[each.token], each) for each in doubts]
        return (
            self._find(state, missing)
            or self._source.bring_all(state, sorted(state.wanted))
            or self._source.put_back(state, sorted(state.needed))
            or self._source.put_back(state, sorted(state.cut))
        )

    def _help(self, state: Repaired, missing: Missing) -> bool:
        """Do something about a complaint that has come again; more each time that it does."""
        key = missing.unit, missing.names, missing.alone
        times = state.times.get(key, 0)
        state.times[key] = times + 1
        return any(help_with(state, missing) for help_with in self._helps[:times])

    @property
    def _helps(self) -> Sequence[Callable[[Repaired, Missing], bool]]:
        """What is done about a complaint that has come again, the second time and then."""
        put_back = self._put_back_named, self._put_back_further
        return *put_back, self._find_alone, self._find_around, self._find_all, self._cut_anyway

    def _put_back_named(self, state: Repaired, missing: Missing) -> bool:
        units = [*self._source.sources_of(missing.names), missing.unit]
        return self._source.put_back(state, units)

    def _put_back_further(self, state: Repaired, missing: Missing) -> bool:
        """Put back what was cut out of what is mentioned by what is named, such as its bases."""
        found: set[int] = set()
        for unit in self._source.sources_of(missing.names):
            tokens = (token for run in self._source.own[unit] for token in range(*run))
            found |= self._source.units.mentioned(unit, tokens)
        return self._source.put_back(state, self._source.sources_of(sorted(found)))

    def _find_alone(self, state: Repaired, missing: Missing) -> bool:
        others = set(missing.names) - {missing.alone}
        alone = self._source.sources[missing.alone] if missing.alone >= 0 else ()
        return self._source.bring_all(state, [each for each in alone if self._is_in(each, others)])

    def _find_around(self, state: Repaired, missing: Missing) -> bool:
        start, stop = missing.run
        words = set(self._source.words[start : min(stop, start + WORDS_AROUND)])
        names = sorted(
            self._source.units.numbers[word] for word in words if word in self._source.units.numbers
        )
        gone = [name for name in names if self._source.is_gone(state, name)]
        return self._source.bring_all(state, self._source.sources_of(gone))

    def _find_all(self, state: Repaired, missing: Missing) -> bool:
        return self._source.bring_all(
            state, self._source.sources_of((*missing.names, *missing.near))
        )

    def _cut_anyway(self, state: Repaired, missing: Missing) -> bool:
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
        self, state: Repaired, errors: Sequence[Located]
    ) -> tuple[list[tuple[int, int, int]], list[Missing]]:
        """Return what is to go of what complains, and what the rest of it misses."""
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

    def _stays(self, state: Repaired, unit: int) -> bool:
        return unit in state.needed or unit in state.wanted

    def _spare(self, state: Repaired, errors: Sequence[Located]) -> set[int]:
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

    def _is_later(self, state: Repaired, unit: int, givers: Iterable[int]) -> bool:
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

    def _missing(self, state: Repaired, unit: int, said: Located) -> Missing:
        """Return what a complaint misses: what it quotes, or what stands there and is gone."""
        words = [word.encode("utf-8", "replace") for word in said.names]
        around = self._source.words[
            max(said.token - WORDS_BEFORE, 0) : said.token + WORDS_AFTER + 1
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
        alone = self._source.units.numbers.get(said.missing.encode("utf-8", "replace"), -1)
        run = self._around(said.token)[2]
        return Missing(unit, tuple(dict.fromkeys(names)), alone, run, near, frozenset(words))

    def _find(self, state: Repaired, missing: Iterable[Missing]) -> bool:
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

    def _has_class(self, state: Repaired, names: Iterable[int], but: int) -> bool:
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
    """Return the first complaint in each unit: the others often follow from it."""
    return list({each.unit: each for each in reversed(list(missing))}.values())[::-1]


def _can_go(forest: Forest, node: NodeId) -> bool:
    """Tell whether what is around a node makes sense without it."""
    return kinds.is_extra(forest.kind(node)) or kinds.is_block(forest.kind(forest.parents[node]))
