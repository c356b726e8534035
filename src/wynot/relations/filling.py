"""Bytes that are filled up to a multiple of some unit, as in RIFF and ar."""

from collections.abc import Mapping

from wynot.core.splice import Splice, spliced
from wynot.relations.moves import Moves
from wynot.relations.relation import Relation, Span

MOST_FILLING_ROUNDS = 16
"""How often it is looked again: what is inside of others makes these longer."""


def filled_up(
    content: bytes, known: dict[int, Relation]
) -> tuple[bytes, dict[int, Relation], set[int], set[int]]:
    """Return a text with as much filling as it needs, where its relations are, and two sets.

    These are the relations whose scopes have changed by that, and those that were filled.
    """
    touched: set[int] = set()
    filled: set[int] = set()
    for _ in range(MOST_FILLING_ROUNDS):
        needed = fillings(content, known)
        if not needed:
            break
        filled |= {*needed}
        splices = sorted(needed.values())
        content, moves = spliced(content, splices), Moves(splices)
        touched |= moves.touched(known)
        known = {
            number: _moved(moves, each, is_own=number in needed) for number, each in known.items()
        }
    return content, known, touched, filled


def fillings(content: bytes, relations: Mapping[int, Relation]) -> dict[int, Splice]:
    """Return which relations need other filling; of those that end at one place, the innermost."""
    taken: set[int] = set()
    needed: dict[int, Splice] = {}
    filled = [number for number, each in relations.items() if each.unit > 1 and each.whole]
    for number in sorted(filled, key=lambda number: -relations[number].scope.start):
        each = relations[number]
        assert each.whole is not None  # noqa: S101 - that is what it was chosen by
        filling = Span(each.scope.stop, each.whole.stop)
        wanted = (each.scope.start - each.scope.stop) % each.unit
        missing = wanted - (filling.stop - filling.start)
        # The last one of a text may do without.
        if missing and filling != (len(content), len(content)) and not taken & {*filling}:
            taken |= {*filling}
            needed[number] = Splice(*filling, each.filling * wanted)
    return needed


def _moved(moves: Moves, relation: Relation, *, is_own: bool) -> Relation:
    """Return where a relation is: filling is behind what it is of, and before all that follows."""

    def moved(span: Span) -> Span:
        return Span(moves.behind(span.start), moves.behind(span.stop))

    scope = moved(relation.scope)
    if is_own:
        start, stop = relation.scope
        end = moves.stop(stop)
        scope = Span(moves.behind(start) if start < stop else end, end)
    return relation._replace(
        at=moved(relation.at),
        scope=scope,
        beside=relation.beside and moved(relation.beside),
        members=tuple(map(moved, relation.members)),
        whole=relation.whole and moved(relation.whole),
    )
