"""Bytes that are filled up to a multiple of some unit, as in RIFF and ar."""

from collections.abc import Iterator, Sequence

from wynot.core.splice import Splice, spliced
from wynot.relations.moves import Moves
from wynot.relations.relation import Relation, Span

MOST_FILLING_ROUNDS = 16
"""How often it is looked again: what is inside of others makes these longer."""


def filled_up(
    content: bytes, relations: Sequence[Relation]
) -> tuple[bytes, list[Relation], list[bool]]:
    """Return a text with as much filling as it needs, and which scopes have changed by that."""
    known, touched = list(relations), [False] * len(relations)
    for _ in range(MOST_FILLING_ROUNDS):
        fillings = dict(_fillings(content, known))
        if not fillings:
            break
        splices = sorted(fillings.values())
        content, moves = spliced(content, splices), Moves(splices)
        touched = [was or moves.touch(each.scope) for was, each in zip(touched, known, strict=True)]
        known = [
            _moved(moves, each, is_own=number in fillings) for number, each in enumerate(known)
        ]
    return content, known, touched


def _fillings(content: bytes, relations: list[Relation]) -> Iterator[tuple[int, Splice]]:
    """Return which relations need other filling; of those that end at one place, the innermost."""
    taken: set[int] = set()
    filled = [number for number, each in enumerate(relations) if each.unit > 1 and each.whole]
    for number in sorted(filled, key=lambda number: -relations[number].scope.start):
        each = relations[number]
        assert each.whole is not None  # noqa: S101 - that is what it was chosen by
        filling = Span(each.scope.stop, each.whole.stop)
        wanted = (each.scope.start - each.scope.stop) % each.unit
        missing = wanted - (filling.stop - filling.start)
        # The last one of a text may do without.
        if missing and filling != (len(content), len(content)) and not taken & {*filling}:
            taken |= {*filling}
            yield number, Splice(*filling, each.filling * wanted)


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
