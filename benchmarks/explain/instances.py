"""Fresh instances of a pattern: drawn by what an explanation says, not by what has found it."""

from collections.abc import Callable, Sequence
from random import Random

from wynot.core.explanation import FreePart
from wynot.core.files import Files
from wynot.explaining.value_classes import SHORT_NAMES

LOWER = "bcdfghjklmnpqrstvwxz"


def instance(case: Files, free: Sequence[FreePart], seed: int) -> Files:
    """Return a case of the pattern: drawn here, not by what has found the pattern."""
    random = Random(seed)
    [(path, content)] = case.contents.items()
    puts: list[tuple[int, int, bytes]] = []
    for part in free:
        if part.together:
            text = drawn(part, random).encode("utf-8", "surrogateescape")
            puts += [(place.start, place.stop, text) for place in part.places]
    for start, stop, text in sorted(puts, reverse=True):
        content = content[:start] + text + content[stop:]
    return Files({path: content})


def drawn(part: FreePart, random: Random) -> str:
    """Return a text that a part may be, as the explanation has it."""
    if part.choices:
        return random.choice(part.choices)
    if part.content:
        return (DRAWN.get(part.kind) or DRAWN[part.kind.partition(" of ")[0]])(part, random)
    size = _size(part, random)
    if part.scale == "depth":
        return part.text[0] * size + part.text[-1] * size
    if part.scale == "repeats":
        return part.text * size
    quote = part.text[-1] if part.text[-1] in "\"'" else ""
    inner = part.text.strip(quote) if quote else part.text
    return quote + ((inner or "a") * (size + 1))[:size] + quote


def _integer(part: FreePart, random: Random) -> str:
    low, high = part.low, part.high
    if not part.scale:
        return str(random.randint(-(10**6), 10**6))
    least = low if low is not None else (high or 0) - 10**6
    return str(random.randint(least, high if high is not None else least + 10**6))


def _word(part: FreePart, random: Random) -> str:
    return "".join(random.choice(LOWER + LOWER.upper()) for _ in range(_size(part, random)))


def _string(part: FreePart, random: Random) -> str:
    quote = part.text[-1]
    return part.text[: part.text.index(quote) + 1] + _word(part, random) + quote


def _list(part: FreePart, random: Random) -> str:
    own = {"list of strings": ['"v"', '"w"'], "parameters": [], "object": []}
    atoms = own.get(part.kind, ["17", "-4", "0"])
    items = [random.choice(atoms) if atoms else f"key{at}" for at in range(_size(part, random))]
    if part.kind == "object":
        items = [f'"{each}": 3' for each in items]
    return part.text[0] + ", ".join(items) + part.text[-1]


def _size(part: FreePart, random: Random) -> int:
    least = 1 if part.kind in {"word", "line", "name"} else 0
    most = 20 if part.kind in {"string", "word", "name", "line", "field"} else 4
    if part.scale not in {"length", "count", "depth", "repeats"}:
        return random.randint(least, most)
    low = part.low if part.low is not None else least
    return random.randint(low, part.high if part.high is not None else low + 12)


DRAWN: dict[str, Callable[[FreePart, Random], str]] = {
    "integer": _integer,
    **dict.fromkeys(
        ("number", "decimal number"), lambda _part, random: f"{random.uniform(-1e4, 1e4):.3f}"
    ),
    "name": lambda part, random: f"w{_word(part, random)[:12]}",
    SHORT_NAMES: lambda _part, random: random.choice(LOWER) + random.choice(LOWER.upper()),
    **dict.fromkeys(("word", "line", "field"), _word),
    "string": _string,
    **dict.fromkeys(("list", "tuple", "sequence", "arguments", "parameters", "object"), _list),
    "scalar": lambda _part, random: random.choice(["0", "31", "-8", '"w"', '""', "77"]),
    "value": lambda _part, random: random.choice(["0", "31", "-8", '"w"', '""', "[]", "[5]"]),
}
