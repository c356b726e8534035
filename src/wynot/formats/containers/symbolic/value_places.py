"""Which of the values that are there are which of those wanted."""

NO_PLACE = -1
"""The place of a value that is not wanted."""
_MAX_COMPARISONS = 10_000


def last_places(given: str, wanted: str) -> list[int]:
    """Return the same, but of values that are alike the last."""
    found = places_of(given[::-1], wanted[::-1])[::-1]
    return [place if place == NO_PLACE else len(wanted) - 1 - place for place in found]


def places_of(given: str, wanted: str) -> list[int]:
    """Return for each value which of those wanted it is; as many as can be, in order."""
    if len(given) * len(wanted) > _MAX_COMPARISONS:
        same = next(
            (at for at, pair in enumerate(zip(given, wanted, strict=False)) if pair[0] != pair[1]),
            min(len(given), len(wanted)),
        )
        return [*range(same), *([NO_PLACE] * (len(given) - same))]
    longest = [[0] * (len(wanted) + 1) for _ in range(len(given) + 1)]
    for row in reversed(range(len(given))):
        for column in reversed(range(len(wanted))):
            longest[row][column] = (
                longest[row + 1][column + 1] + 1
                if given[row] == wanted[column]
                else max(longest[row + 1][column], longest[row][column + 1])
            )
    places, column = [], 0
    for row, letter in enumerate(given):
        at = wanted.find(letter, column)
        if at >= 0 and longest[row + 1][at + 1] + 1 == longest[row][column]:
            places.append(at)
            column = at + 1
        else:
            places.append(NO_PLACE)
    return places
