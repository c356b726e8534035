"""Where variants of a part come from: the original, the edges of a class, the table of a language.

What does not follow the grammar as well as the case does is no variant: that a compiler refuses
nonsense says nothing about a part.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from wynot.core.files import Files
from wynot.core.rewrites import Patch
from wynot.core.splice import Splice
from wynot.explaining import value_classes
from wynot.explaining.case_parts import CaseParts, Part
from wynot.explaining.list_forms import ListForm, list_form
from wynot.explaining.scales import (
    Scale,
    count_scale,
    depth_scale,
    length_scale,
    repeat_scale,
    value_scale,
)
from wynot.explaining.thresholds import ScaleLimits
from wynot.explaining.value_classes import NO_LIMITS, ValueClass
from wynot.explaining.value_kinds import (
    CONSTANTS,
    OPERATORS,
    PartSort,
    QuotedText,
    alternatives,
    sort_of,
)
from wynot.explaining.variants import Variant
from wynot.formats.grammar import reserved
from wynot.formats.language import Language
from wynot.formats.language_table import BRACKETS
from wynot.formats.source import tree_up_to
from wynot.oracle.quoting import SHORT_NAME_CHARS

MAX_ORIGINAL_BYTES = 1 << 20
"""Bytes of a text of the original that is looked through for values."""
MAX_VALUE_BYTES = 120
MAX_ATOM_BYTES = 8
MAX_SHORTENED_BYTES = 24
POOL_SIZE = 12
"""How many texts of a kind are taken from the original."""
MIN_SAMPLES = 6
"""How many different variants must fail, at least, for a part to be called free."""
MAX_SAMPLES = 14
"""How many are asked about."""

ANY_ROLE = "*"
_WORD_END, _WORD_START = re.compile(rb"\w$"), re.compile(rb"\w")
ATOMS: tuple[bytes, ...] = (
    b"0",
    b"1",
    b"-1",
    b'""',
    b'"a"',
    b"''",
    b"'a'",
    b"[]",
    b"[0]",
    b"{}",
    b'{"a": 0}',
)
ATOMS += (b"()", b"true", b"null", b"None", b"NULL", b"nil", b"2.5")


class VariantSources:
    """What each part of a case can be replaced by."""

    def __init__(
        self, parts: CaseParts, original: Files, languages: Mapping[str, Language]
    ) -> None:
        self.parts = parts
        self._pool = _pool(parts, original, languages)
        self._taken = frozenset(part.text for part in parts.all if parts.is_leaf(part))
        self._fits: dict[tuple[int, bytes], bool] = {}

    def sort(self, part: Part) -> PartSort:
        """Return what sort of thing a part is."""
        return sort_of(part, self.parts)

    def classes(self, part: Part) -> list[ValueClass]:
        """Return what a part could be, the widest class first, as far as the grammar allows it."""
        found: list[ValueClass | None] = []
        sort = self.sort(part)
        if sort in {
            PartSort.INTEGER,
            PartSort.DECIMAL,
            PartSort.STRING,
            PartSort.CONSTANT,
            PartSort.LIST,
            PartSort.NODE,
        }:
            found.append(self._values(part))
        found += self.own_classes(part)
        if sort in {PartSort.NODE, PartSort.LIST}:
            texts = self._fitting(part, self._alike(part))
            found.append(value_classes.chosen(part.kinds[-1].replace("_", " "), texts))
        return [
            each._replace(samples=each.samples[:MAX_SAMPLES])
            for each in found
            if each is not None and len(each.samples) >= MIN_SAMPLES
        ]

    def own_classes(self, part: Part, limits: ScaleLimits = NO_LIMITS) -> list[ValueClass]:
        """Return what a part could be without being something else, within some limits."""
        found: list[ValueClass] = []
        match self.sort(part):
            case PartSort.INTEGER:
                found = [value_classes.integers(limits)]
            case PartSort.DECIMAL:
                found = value_classes.decimals()
            case PartSort.STRING:
                quoted = QuotedText.of(part.text)
                found = [value_classes.strings(quoted, limits)] if quoted else []
            case PartSort.NAME:
                taken = self._taken | _words(reserved(self.parts.language(part)))
                found = [value_classes.names(taken), value_classes.short_names(taken)]
            case PartSort.WORD:
                found = [value_classes.words(limits)]
            case PartSort.FIELD:
                found = [value_classes.fields()]
            case PartSort.LINE:
                found = [value_classes.lines(self._alike(part))]
            case PartSort.LIST:
                form = self.list_form(part)
                found = value_classes.lists(form, limits) if form else []
        fitting = [each._replace(samples=(*self._fitting(part, each.samples),)) for each in found]
        return [each for each in fitting if each.samples]

    def few(self, part: Part) -> list[bytes]:
        """Return texts of which a part may be one, if it cannot be anything."""
        texts = [*alternatives(part.text, CONSTANTS), *alternatives(part.text, OPERATORS)]
        if part.named and self.parts.is_leaf(part):
            texts += self._alike(part)
        return self._fitting(part, texts)

    def scales(self, part: Part) -> list[Scale]:
        """Return what of a part can be measured."""
        found: list[Scale | None] = [depth_scale(part, self.parts)]
        match self.sort(part):
            case PartSort.INTEGER:
                found.append(value_scale(part, signed=self.fits(part, b"-1")))
            case PartSort.STRING | PartSort.WORD:
                found.append(length_scale(part))
            case PartSort.LIST:
                form = self.list_form(part)
                found.append(count_scale(part, form) if form else None)
        found.append(repeat_scale(part, self.parts))
        return [each for each in found if each is not None]

    def list_form(self, part: Part) -> ListForm | None:
        """Return how a list is written."""
        return list_form(part, self.parts, self._item_atoms(part))

    def nearby(self, part: Part, values: ValueClass) -> list[bytes]:
        """Return texts of a class that a reduction may have tried in place of a part."""
        found: list[bytes] = []
        if values.kind == "integer":
            digits = [b"%d" % value for value in range(-3, 33)]
            found += [*digits, *_shortened(part.text)]
            found = [text for text in found if text.isdigit() or text[:1] == b"-"]
        elif values.kind == "string" and (quoted := QuotedText.of(part.text)):
            found += [quoted.holding(text) for text in _shortened(quoted.content)]
        elif values.kind in {"word", "name", "field", value_classes.SHORT_NAMES}:
            letters = [bytes([each]) for each in value_classes.LETTERS]
            found += [*letters, *_shortened(part.text)]
            found = [text for text in found if text.isalnum() and not text[:1].isdigit()]
            if values.kind == value_classes.SHORT_NAMES:
                found = [text for text in found if len(text) <= SHORT_NAME_CHARS]
        elif values.kind in {"value", "scalar"}:
            found += [each.text for each in self.parts.all if part.holds(each) and each.named]
            found += self._atoms(part)
        return [text for text in dict.fromkeys(found) if text not in {part.text, b"-"}]

    def variant(self, places: Iterable[Part], text: bytes) -> Variant:
        """Return the case with the same text in some places."""
        return Variant(tuple(Patch(p.path, p.start, p.stop, text) for p in places), text)

    def _values(self, part: Part) -> ValueClass | None:
        """Return values of all kinds, where the grammar takes them."""
        is_call = any(sign in kind for kind in part.kinds for sign in ("argument", "param"))
        if self.parts.language(part) is BRACKETS or is_call:
            return None
        texts = self._fitting(part, self._atoms(part))
        takes_numbers = any(text[:1].isdigit() for text in texts)
        if not takes_numbers or not any(map(QuotedText.of, texts)):
            return None
        is_any = any(text[:1] in b"[{" for text in texts)
        return value_classes.values(texts, "value" if is_any else "scalar")

    def _atoms(self, part: Part) -> list[bytes]:
        language = self.parts.language(part)
        short = [
            text
            for texts in language.replacements.values()
            for text in texts
            if len(text) < MAX_ATOM_BYTES
        ]
        own = [text for kind in part.kinds for text in language.replacements.get(kind, ())]
        return [*dict.fromkeys((*own, *ATOMS, *short))]

    def _item_atoms(self, part: Part) -> list[bytes]:
        """Return what an item of a list could be: plain values, if the grammar takes them."""
        if part.text[:1] == b"{":
            return []
        plain = (b"0", b"1", b'"a"', b"'b'", b"-2", b"[]", b"a")
        opens, closes = part.text[:1], part.text[-1:]
        return [atom for atom in plain if self.fits(part, opens + atom + closes)]

    def _alike(self, part: Part) -> list[bytes]:
        """Return texts of the original, and of the case, that are of the same kind."""
        found = dict.fromkeys(
            text
            for role in dict.fromkeys((part.role, ANY_ROLE))
            for kind in part.kinds
            for text in self._pool.get((kind, role), ())
        )
        return [text for text in found if text != part.text]

    def _fitting(self, part: Part, texts: Iterable[bytes]) -> list[bytes]:
        unlike = (text for text in dict.fromkeys(texts) if text != part.text)
        return [text for text in unlike if self.fits(part, text)]

    def fits(self, part: Part, text: bytes) -> bool:
        """Tell whether the case would follow its grammar with this text in place of a part."""
        key = part.number, text
        if key not in self._fits:
            content = self.parts.files.contents[part.path]
            before, after = content[: part.start][-1:], content[part.stop : part.stop + 1]
            is_apart = not (_glued(before, text) or _glued(text, after))
            splice = Splice(part.start, part.stop, text)
            self._fits[key] = is_apart and self.parts.parses(part.path, splice)
        return self._fits[key]


def _shortened(text: bytes) -> list[bytes]:
    """Return a text without one run of its characters, in all ways if it is short."""
    size = min(len(text), MAX_SHORTENED_BYTES)
    return [text[:at] + text[stop:] for at in range(size) for stop in range(at + 1, size + 1)]


def _glued(left: bytes, right: bytes) -> bool:
    """Tell whether two texts would become one word."""
    return bool(_WORD_END.search(left) and _WORD_START.match(right))


def _words(reserved_words: frozenset[str]) -> frozenset[bytes]:
    return frozenset(word.encode() for word in reserved_words)


def _pool(
    parts: CaseParts, original: Files, languages: Mapping[str, Language]
) -> dict[tuple[str, str], Sequence[bytes]]:
    """Return texts by kind and role, of the case itself first, then of the original.

    Of many, some are taken from all over it.
    """
    wanted = {kind for part in parts.all if part.named for kind in part.kinds}
    found: dict[tuple[str, str], dict[bytes, None]] = defaultdict(dict)
    for path, content in original.contents.items():
        language = languages.get(path)
        if language is None or len(content) > MAX_ORIGINAL_BYTES:
            continue
        tree = tree_up_to(language, content, MAX_ORIGINAL_BYTES)
        for node in range(len(tree) if tree is not None else 0):
            assert tree is not None  # noqa: S101 - there is a node of it
            kind = tree.kind(node)
            if kind in wanted and tree.stops[node] - tree.starts[node] <= MAX_VALUE_BYTES:
                text = tree.text(node, content).strip()
                if text and not (b"\n" in text and language.newline_sensitive):
                    for role in {tree.field(node), ANY_ROLE}:
                        found[kind, role][text] = None
    own: dict[tuple[str, str], dict[bytes, None]] = defaultdict(dict)
    for part in parts.all:
        for kind in part.kinds:
            for role in {part.role, ANY_ROLE}:
                own[kind, role][part.text] = None
    return {key: [*own[key], *_spread([*texts])] for key, texts in found.items()}


def _spread(texts: Sequence[bytes]) -> Sequence[bytes]:
    """Return some of many texts: the shortest, the longest, and others evenly from between."""
    if len(texts) <= POOL_SIZE:
        return texts
    ordered = sorted(texts, key=lambda text: (len(text), text))
    return [ordered[at * (len(ordered) - 1) // (POOL_SIZE - 1)] for at in range(POOL_SIZE)]
