"""Kinds of values, and which of them fail."""

import re
from collections.abc import Callable, Sequence
from enum import Enum
from random import Random
from typing import NamedTuple

from wynot.explaining.case_parts import CaseParts, Part
from wynot.explaining.thresholds import ScaleLimits

_INTEGER = re.compile(rb"-?\d{1,40}")
_DECIMAL = re.compile(rb"-?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?")
_QUOTED = re.compile(rb"([A-Za-z]{0,2})(\"\"\"|'''|\"|'|`)(.*)\2", re.DOTALL)
_BRACKETS = {b"[": b"]", b"(": b")", b"{": b"}"}

CONSTANTS = (
    (b"true", b"false", b"null"),
    (b"True", b"False", b"None"),
    (b"TRUE", b"FALSE", b"NULL"),
    (b"yes", b"no"),
    (b"nil",),
    (b"undefined",),
)
OPERATORS = (
    (b"<", b"<=", b">", b">=", b"==", b"!="),
    (b"=", b"<>"),
    (b"+", b"-", b"*", b"/", b"%"),
    (b"&&", b"||"),
    (b"and", b"or"),
    (b"AND", b"OR"),
    (b"&", b"|", b"^"),
    (b"<<", b">>"),
    (b"is", b"in"),
    (b"++", b"--"),
)
"""Texts that can stand for each other, at least as far as grammars are concerned."""

_PLAIN_WORDS = frozenset({"word", "number", "string_scalar"})
_PLAIN_LINES = frozenset({"line", "text"})


class PartSort(Enum):
    """How a part can be varied."""

    INTEGER = "integer"
    DECIMAL = "number"
    STRING = "string"
    NAME = "name"
    CONSTANT = "constant"
    OPERATOR = "operator"
    LIST = "list"
    WORD = "word"
    LINE = "line"
    FIELD = "field"
    NODE = "node"
    MARK = "mark"
    """Punctuation, or a keyword: there is nothing to vary."""


class QuotedText(NamedTuple):
    """A string literal: what is before its quotes, the quotes, and what is in them."""

    prefix: bytes
    quote: bytes
    content: bytes

    @classmethod
    def of(cls, text: bytes) -> "QuotedText | None":
        """Take a literal apart; None if it is none."""
        found = _QUOTED.fullmatch(text)
        return cls(*found.groups()) if found else None

    def holding(self, content: bytes) -> bytes:
        """Return the literal with another content."""
        return self.prefix + self.quote + content + self.quote


def sort_of(part: Part, parts: CaseParts) -> PartSort:
    """Return what sort of thing a part is."""
    language, kinds, text = parts.language(part), frozenset(part.kinds), part.text
    is_leaf, is_word = parts.is_leaf(part), any(text in family for family in CONSTANTS)
    is_operator = not part.named and not language.tags and bool(alternatives(text, OPERATORS))
    signs = {
        PartSort.FIELD: "field" in kinds and language.parser is not None,
        PartSort.STRING: QuotedText.of(text) and (kinds & language.strings or is_leaf),
        PartSort.INTEGER: _INTEGER.fullmatch(text),
        PartSort.DECIMAL: _DECIMAL.fullmatch(text),
        PartSort.CONSTANT: is_leaf and is_word,
        PartSort.WORD: is_leaf and kinds & _PLAIN_WORDS,
        PartSort.NAME: is_leaf and kinds & language.names,
        PartSort.OPERATOR: is_operator,
        PartSort.MARK: not part.named,
        PartSort.LIST: len(text) > 1 and _BRACKETS.get(text[:1]) == text[-1:],
        PartSort.LINE: kinds & _PLAIN_LINES,
    }
    return next((sort for sort, sign in signs.items() if sign), PartSort.NODE)


def alternatives(text: bytes, families: tuple[tuple[bytes, ...], ...]) -> list[bytes]:
    """Return what can stand for a text in the families that it is in."""
    return [each for family in families if text in family for each in family if each != text]


SEPARATORS = (b",", b";")
PAIRED_KINDS = frozenset({"object", "dictionary", "flow_mapping", "hash", "table_constructor"})
"""Kinds of lists whose items are a key and a value each."""


class ListForm(NamedTuple):
    """How a list is written."""

    opens: bytes
    closes: bytes
    separator: bytes
    items: tuple[bytes, ...]
    atoms: tuple[bytes, ...]
    """Other items that it could have; of pairs, each with another key."""
    kind: str
    """What such a list is called."""

    @property
    def is_distinct(self) -> bool:
        """Whether no two items may be the same, as with keys and parameters."""
        return self.kind in {"object", "parameters"}

    def of(self, items: Sequence[bytes]) -> bytes:
        """Return a list of other items."""
        return self.opens + self.separator.join(items) + self.closes

    def counted(self, count: int) -> bytes:
        """Return a list of so many items: those that there are, and then more like the last."""
        have = self.items or self.atoms[:1]
        more = [self.added(number) for number in range(count - len(have))]
        return self.of([*have[:count], *more])

    def added(self, number: int) -> bytes:
        """Return one more item."""
        if self.is_distinct:
            return self.atoms[0].replace(b"0", b"%d" % number, 1)
        return (self.items or self.atoms)[-1 if self.items else 0]


def list_form(part: Part, parts: CaseParts, atoms: Sequence[bytes]) -> ListForm | None:
    """Take a list apart; None if it is nothing whose items could be counted."""
    text = part.text
    children = parts.children.get(part.number, ())
    inner = [child for child in children if child.start > part.start and child.stop < part.stop]
    marks = {child.text for child in inner if not child.named} & {*SEPARATORS}
    named = [child for child in inner if child.named]
    if len(marks) > 1 or (not marks and len(named) > 1):
        return None
    [separator] = marks or {b","}
    items = _items(inner, separator, parts)
    kind = _kind(part)
    if kind == "object":
        quote = b"'" if b"'" in text and b'"' not in text else b'"'
        atoms = [b"%sk0%s: 0" % (quote, quote)]
    elif kind == "parameters":
        atoms = [b"p0"] if b"a" in atoms else []
    if not kind or not (atoms or items):
        return None
    spaced = separator + b" "
    parted = spaced if spaced in text or not marks else separator
    return ListForm(text[:1], text[-1:], parted, items, (*atoms,), kind)


def _kind(part: Part) -> str:
    """Return what a list is called; empty if it is none, but a block."""
    kinds = " ".join(part.kinds)
    if part.text[:1] == b"{":
        return "object" if PAIRED_KINDS & {*part.kinds} else ""
    if part.text[:1] == b"[":
        return "list"
    for sign, name in (("argument", "arguments"), ("param", "parameters"), ("tuple", "tuple")):
        if sign in kinds:
            return name
    return "sequence"


def _items(inner: Sequence[Part], separator: bytes, parts: CaseParts) -> tuple[bytes, ...]:
    """Return the items, each from its first part to its last."""
    groups: list[list[Part]] = [[]]
    for child in inner:
        if not child.named and child.text == separator:
            groups.append([])
        else:
            groups[-1].append(child)
    return tuple(
        parts.files.contents[group[0].path][group[0].start : group[-1].stop]
        for group in groups
        if group
    )


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
WORDS = (b"a", b"b", b"Z", b"foo", b"Bar", b"x1", b"hello", b"lorem", b"q7w", b"abcdefghijklmnop")
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


def words(limits: ScaleLimits = NO_LIMITS) -> ValueClass:
    """Return words of letters and digits whose length is within limits."""
    texts = [text for text in WORDS if limits.holds(len(text))]
    texts += [_mixed(length).replace(b" ", b"x") for length in _sizes(LENGTHS[1:], limits)]

    def draw(random: Random) -> bytes:
        return _drawn(random, LETTERS, _length(random, limits, 1))

    return ValueClass("word", tuple(dict.fromkeys(texts)), draw)


def names(taken: frozenset[bytes]) -> ValueClass:
    """Return names that are not taken."""
    found = (*WORDS, b"y", b"name_1", b"_u", b"someLongerName")
    samples = tuple(word for word in found if word not in taken)

    def draw(random: Random) -> bytes:
        while True:
            word = _drawn(random, LETTERS, 1) + _drawn(random, LETTERS + b"0123456789_", 7)
            if word not in taken:
                return word

    return ValueClass("name", samples, draw)


def short_names(taken: frozenset[bytes]) -> ValueClass:
    """Return names so short that they may stand for those in the message of a failure.

    A test that has learned its failure from a message with names in it takes these, but no others:
    those might be names that something else is wrong with.
    """
    samples = tuple(word for word in SHORT_NAME_SAMPLES if word not in taken)

    def draw(random: Random) -> bytes:
        while True:
            word = _drawn(random, LETTERS, 1) + _drawn(random, LETTERS, random.randint(0, 1))
            # In messages N stands for a number, and reserved words may be in upper case.
            if word != b"N" and not {word, word.lower()} & taken:
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
