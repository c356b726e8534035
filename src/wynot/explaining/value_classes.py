"""Kinds of values, and which of them fail.

Each kind has samples, at the edges and ordinary ones, all of which must fail before a part is
called free; and a way to draw more of them, for variants in which several parts differ at once.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from wynot.explaining.thresholds import ScaleLimits
from wynot.explaining.value_kinds import ListForm, QuotedText

Draw = Callable[[Random], bytes]

LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
PLAIN = LETTERS + b"0123456789 _.-"
ANY_LENGTH = 24
"""Characters of a drawn text, at most, if nothing limits it."""
ANY_COUNT = 5
SHORT_NAMES = "name of one or two letters"
SHORT_NAME_SAMPLES = (b"a", b"Z", b"y", b"qx", b"Ab", b"uU", b"k", b"vw", b"H", b"mN", b"jq", b"r")
MAX_DIGITS = 10
"""How many digits a drawn number has, at most, if nothing limits it."""
NO_LIMITS = ScaleLimits(None, None)

INTEGERS = (0, 1, -1, 2, 3, 7, 10, 64, 100, 255, 1000, 65_536, 2_147_483_648, 10**12)
LENGTHS = (0, 1, 2, 3, 7, 8, 16, 40, 100, 300)
COUNTS = (0, 1, 2, 3, 4, 7)
SAMPLE_WORDS = (
    b"a",
    b"b",
    b"Z",
    b"foo",
    b"Bar",
    b"x1",
    b"hello",
    b"lorem",
    b"q7w",
    b"abcdefghijklmnop",
)
TEXTS = (b"", b"a", b"b", b"Z", b"ab", b"foo bar", b"12", b"x-y_z.w", b"Hello World", b"a" * 60)


class ValueClass(NamedTuple):
    """What a part could be, by samples and by drawing."""

    kind: str
    samples: tuple[bytes, ...]
    draw: Draw


def integers(limits: ScaleLimits = NO_LIMITS) -> ValueClass:
    """Return whole numbers within limits."""
    low, high = limits.low, limits.high
    near = [
        limit + way * far
        for limit, way in ((low, 1), (high, -1))
        if limit is not None
        for far in (0, 1, 2, 5, 17)
    ]
    chosen = [value for value in dict.fromkeys((*INTEGERS, *near)) if limits.holds(value)]

    def draw(random: Random) -> bytes:
        if low is not None and high is not None:
            return b"%d" % random.randint(low, high)
        size = random.randint(0, 10 ** random.randint(1, MAX_DIGITS))
        if low is None and high is None:
            return b"%d" % (size if random.random() < 0.75 else -size)  # noqa: PLR2004
        return b"%d" % (low + size if low is not None else (high or 0) - size)

    return ValueClass("integer", tuple(b"%d" % value for value in chosen), draw)


def decimals() -> list[ValueClass]:
    """Return numbers with a fraction and without; and those with one."""
    broken = (b"0.5", b"-1.5", b"0.0", b"1.0", b"3.14", b"100.25", b"123456.75", b"-0.125")

    def draw_broken(random: Random) -> bytes:
        return b"%.*f" % (random.randint(1, 4), random.uniform(-1000, 1000))

    def draw(random: Random) -> bytes:
        return b"%d" % random.randint(-1000, 1000) if random.random() < 0.5 else draw_broken(random)  # noqa: PLR2004

    return [
        ValueClass("number", (b"2", b"0", *broken, b"1e9"), draw),
        ValueClass("decimal number", broken, draw_broken),
    ]


def strings(form: QuotedText, limits: ScaleLimits = NO_LIMITS) -> ValueClass:
    """Return string literals whose length is within limits."""
    texts = [text for text in TEXTS if limits.holds(len(text))]
    texts += [_mixed(length) for length in _sizes(LENGTHS, limits)]
    other = {b'"': b"'", b"'": b'"'}.get(form.quote)
    chosen = [form.holding(text) for text in dict.fromkeys(texts)]
    if other and texts:
        chosen.append(form._replace(quote=other).holding(texts[0] or b"a"))

    def draw(random: Random) -> bytes:
        return form.holding(_drawn(random, PLAIN, _length(random, limits, 0)))

    return ValueClass("string", tuple(chosen), draw)


def word_list(limits: ScaleLimits = NO_LIMITS) -> ValueClass:
    """Return words of letters and digits whose length is within limits."""
    texts = [text for text in SAMPLE_WORDS if limits.holds(len(text))]
    texts += [_mixed(length).replace(b" ", b"x") for length in _sizes(LENGTHS[1:], limits)]

    def draw(random: Random) -> bytes:
        return _drawn(random, LETTERS, _length(random, limits, 1))

    return ValueClass("word", tuple(dict.fromkeys(texts)), draw)


def names(excluded: frozenset[bytes]) -> ValueClass:
    """Return names that are not taken."""
    found = (*SAMPLE_WORDS, b"y", b"name_1", b"_u", b"someLongerName")
    samples = tuple(word for word in found if word not in excluded)

    def draw(random: Random) -> bytes:
        while True:
            word = _drawn(random, LETTERS, 1) + _drawn(random, LETTERS + b"0123456789_", 7)
            if word not in excluded:
                return word

    return ValueClass("name", samples, draw)


def short_names(excluded: frozenset[bytes]) -> ValueClass:
    """Return names so short that they may stand for those in the message of a failure.

    A test that has learned its failure from a message with names in it takes these, but no others:
    those might be names that something else is wrong with.
    """
    samples = tuple(word for word in SHORT_NAME_SAMPLES if word not in excluded)

    def draw(random: Random) -> bytes:
        while True:
            word = _drawn(random, LETTERS, 1) + _drawn(random, LETTERS, random.randint(0, 1))
            # In messages N stands for a number, and reserved words may be in upper case.
            if word != b"N" and not {word, word.lower()} & excluded:
                return word

    return ValueClass(SHORT_NAMES, samples, draw)


def fields() -> ValueClass:
    """Return what may be between two commas of a table."""
    samples = (b"", b"0", b"1", b"-5", b"3.5", b"a", b"foo", b"x y", b"Zed", b"q" * 40)

    def draw(random: Random) -> bytes:
        if random.random() < 0.3:  # noqa: PLR2004
            return b"%d" % random.randint(-999, 9999)
        return _drawn(random, LETTERS + b" ", random.randint(0, 12)).strip()

    return ValueClass("field", samples, draw)


def lines(seen: Sequence[bytes]) -> ValueClass:
    """Return lines of plain text, those that were seen elsewhere among them."""
    own = (
        b"a",
        b"foo bar",
        b"1 2 3",
        b"Hello, World",
        b"x = y",
        b"-",
        b"lorem ipsum dolor",
        b"(q)",
    )

    def draw(random: Random) -> bytes:
        count = random.randint(1, 6)
        return b" ".join(_drawn(random, LETTERS, random.randint(1, 9)) for _ in range(count))

    return ValueClass("line", tuple(dict.fromkeys((*own, *seen))), draw)


def lists(form: ListForm, limits: ScaleLimits = NO_LIMITS) -> list[ValueClass]:
    """Return lists of other items, as many as the limits allow: any, whole numbers, or strings."""
    atoms = [*dict.fromkeys((*form.atoms, *form.items))]
    found = [_lists_of(form, chosen(form.kind, atoms), limits)]
    if not form.is_distinct and any(atom.isdigit() for atom in atoms):
        whole = integers()._replace(kind=f"{form.kind} of integers")
        found.append(_lists_of(form, whole, limits))
    quoted = next(filter(None, map(QuotedText.of, atoms)), None)
    if not form.is_distinct and quoted is not None:
        texts = strings(quoted)._replace(kind=f"{form.kind} of strings")
        found.append(_lists_of(form, texts, limits))
    return found


def _lists_of(form: ListForm, items: ValueClass, limits: ScaleLimits) -> ValueClass:
    atoms = items.samples

    def of(count: int, first: int) -> bytes:
        if form.is_distinct:
            return form.of([form.added(number + first) for number in range(count)])
        return form.of([atoms[(first + number) % len(atoms)] for number in range(count)])

    sizes = _sizes(COUNTS, limits)
    samples = [of(count, first) for first in range(3) for count in sizes]
    samples += [form.of([atom]) for atom in atoms[:4] if limits.holds(1) and not form.is_distinct]

    def draw(random: Random) -> bytes:
        high = limits.high if limits.high is not None else (limits.low or 0) + ANY_COUNT
        count = random.randint(limits.low or 0, high)
        if form.is_distinct:
            return of(count, random.randint(0, 99))
        return form.of([items.draw(random) for _ in range(count)])

    return ValueClass(items.kind, tuple(dict.fromkeys(samples)), draw)


def chosen(kind: str, texts: Sequence[bytes]) -> ValueClass:
    """Return some texts, and nothing else."""
    return ValueClass(kind, tuple(texts), lambda random: random.choice(texts))


def values(atoms: Sequence[bytes], kind: str) -> ValueClass:
    """Return values of any kind; a scalar is a number, a string or a word."""
    whole, quoted = (
        integers(),
        next((form for atom in atoms if (form := QuotedText.of(atom))), None),
    )

    def draw(random: Random) -> bytes:
        pick = random.randint(0, 2)
        if pick == 0:
            return whole.draw(random)
        if pick == 1 and quoted is not None:
            return strings(quoted).draw(random)
        return random.choice(atoms)

    return ValueClass(kind, tuple(atoms), draw)


def _sizes(usual: Sequence[int], limits: ScaleLimits) -> list[int]:
    near = [limit for limit in (limits.low, limits.high) if limit is not None]
    found = [size for size in (*usual, *near, *(each + 1 for each in near)) if limits.holds(size)]
    return [*dict.fromkeys(found)]


def _length(random: Random, limits: ScaleLimits, least: int) -> int:
    low = max(least, limits.low or 0)
    return random.randint(low, limits.high if limits.high is not None else low + ANY_LENGTH)


def _drawn(random: Random, letters: bytes, length: int) -> bytes:
    return bytes(random.choice(letters) for _ in range(length))


def _mixed(length: int) -> bytes:
    """Return a text of so many different characters."""
    return (PLAIN * (length // len(PLAIN) + 1))[:length].rstrip(b" ").ljust(length, b"z")
