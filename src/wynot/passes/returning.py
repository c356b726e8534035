"""How units of a source come back that were left out, and what has to come with them."""

from collections.abc import Iterable, Iterator

from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.repaired import Repaired, Run
from wynot.passes.source_units import NO_UNIT, SourceUnits


class Returning:
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

    def put_back(self, state: Repaired, units: Iterable[int]) -> bool:
        """Put back what was cut out of some units, for good."""
        found = [self.fix(state, unit, run) for unit in units for run in state.cut.get(unit, ())]
        return any(found)

    def fix(self, state: Repaired, unit: int, run: Run) -> bool:
        """Put a part of a unit back for good, if the unit is there; tell whether it was gone."""
        state.cut[unit] = tuple(each for each in state.cut[unit] if each != run)
        if unit != NO_UNIT and not self.is_there(state, unit):
            return False
        state.fixed[run[0] : run[1]] = b"\1" * (run[1] - run[0])
        return state.put([run])

    def bring_all(self, state: Repaired, units: Iterable[int]) -> bool:
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

    def bring(self, state: Repaired, unit: int) -> bool:
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
        """Yield where a namespace is first opened: what it is like is said there."""
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

    def is_there(self, state: Repaired, unit: int) -> bool:
        """Tell whether anything of a unit itself is there."""
        return any(state.kept.find(1, *run) >= 0 for run in self.own[unit])

    def is_gone(self, state: Repaired, name: int) -> bool:
        """Tell whether nothing is there that gives a name."""
        return not any(self.is_there(state, unit) for unit in self.units.givers[name])
