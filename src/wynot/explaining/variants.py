"""Variants of a part: what else could stand in its place, and the questions that try them.

What does not follow the grammar as well as the case does is no variant: that a compiler refuses
nonsense says nothing about a part.

What the reduction has asked is known, and asked first: if one of several variants is known not to
fail, no test is needed to see that not all of them do. Verdicts come from the engine in all cases,
so that the course is the same whoever has them; what is known only decides what is asked first, and
what counts as a test.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files, RenderedCase
from wynot.core.round import FirstRound, Pick, Search, Stage
from wynot.core.texts.patched_text import Splice
from wynot.core.texts.rewrites import Patch
from wynot.core.verdict import Verdict
from wynot.explaining import value_classes
from wynot.explaining.case_parts import CaseParts, Part
from wynot.explaining.thresholds import (
    Scale,
    ScaleLimits,
    count_scale,
    depth_scale,
    length_scale,
    repeat_scale,
    value_scale,
)
from wynot.explaining.value_classes import NO_LIMITS, ValueClass
from wynot.explaining.value_kinds import (
    CONSTANTS,
    OPERATORS,
    ListForm,
    PartSort,
    QuotedText,
    alternatives,
    list_form,
    sort_of,
)
from wynot.failures.wording import SHORT_NAME_CHARS
from wynot.formats.grammar import reserved
from wynot.formats.language import Language
from wynot.formats.language_table import BRACKETS
from wynot.formats.source import tree_up_to
from wynot.search.script import Script


class Variant(NamedTuple):
    """What is put where, and what of it a person is shown."""

    patches: tuple[Patch, ...]
    shown: bytes = b""
    """The text that is put in, if it is one."""

    @property
    def cost(self) -> int:
        """How many bytes differ."""
        return sum(each.stop - each.start + len(each.instead) for each in self.patches)


def applied(files: Files, patches: Iterable[Patch]) -> Files:
    """Return the files with patches that do not overlap."""
    contents = dict(files.contents)
    for path, start, stop, instead in sorted(patches, reverse=True):
        content = contents[path]
        contents[path] = content[:start] + instead + content[stop:]
    return files.replaced(contents)


class VariantsCase(RenderedCase):
    """Some variants of the same files; each delta is one of them, and a candidate has just one."""

    def __init__(self, files: Files, variants: Sequence[Variant], name: str) -> None:
        super().__init__(files, len(variants))
        self.variants = variants
        self._name = name

    def candidate(self, number: int) -> Candidate:
        """Return the candidate that is one of the variants."""
        return Candidate(self.deltas, Edit.keep(Deltas.of([number])), f"{self._name}/{number}")

    def files_of(self, number: int) -> Files:
        """Return the files of a variant."""
        return applied(self.files, self.variants[number].patches)

    def _write(self, candidate: Candidate) -> Files:
        [number] = candidate.kept
        return self.files_of(number)


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
        self._used = frozenset(part.text for part in parts.all if parts.is_leaf(part))
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
                used = self._used | _as_bytes(reserved(self.parts.language(part)))
                found = [value_classes.names(used), value_classes.short_names(used)]
            case PartSort.WORD:
                found = [value_classes.word_list(limits)]
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


def _as_bytes(reserved_words: frozenset[str]) -> frozenset[bytes]:
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


ANY_VERDICT = frozenset(Verdict)
OTHER_VERDICTS = frozenset({Verdict.UNINTERESTING, Verdict.UNRESOLVED})
USUAL_ODDS = 0.5
"""How likely a variant is to fail, if nothing is known of the part."""


class OutOfTests(Exception):
    """What is to be asked next would take more tests than there may be."""


class ToldVariant(NamedTuple):
    """A variant, and what the test says of it."""

    variant: Variant
    verdict: Verdict


class _Question(NamedTuple):
    """Variants in the order in which they are asked about, and their digests."""

    stage: Stage
    case: VariantsCase
    digests: tuple[bytes, ...]


class VariantQuestions:
    """Asks about variants of a case; all of it is part of a search, and so pure."""

    def __init__(
        self, script: Script, files: Files, known: Mapping[bytes, Verdict], most: int
    ) -> None:
        """Take what the reduction knows by digest, and how many tests there may be."""
        self.files = files
        self.limit = most
        """How many tests there may be up to the end of what is asked now."""
        self.tests = 0
        self.recalled = 0
        self.variants = 0
        """How many different variants were asked about."""
        self.failed = 0
        """How many of the last variants that were asked about together fail."""
        self.passing: list[Variant] = []
        """Variants of the case that pass, in the order in which that was found."""
        self.script = script
        self._known = known
        self._verdicts: dict[bytes, Verdict] = {}

    @property
    def left(self) -> int:
        """How many more tests there may be for now."""
        return self.limit - self.tests

    def first_other(
        self, what: str, variants: Sequence[Variant], odds: float = USUAL_ODDS
    ) -> Search[ToldVariant | None]:
        """Return a variant that does not fail as the case does; None: all of them fail."""
        stage, case, digests = self.script.once(partial(self._ordered, what, variants))
        self.failed = 0
        if not digests:
            return None
        if self._takes(digests) > self.left:
            raise OutOfTests
        search = partial(_first, case, OTHER_VERDICTS, odds)
        pick = yield from self.script.run(search, stage)
        count = len(digests) if pick is None else pick.position
        self.failed = count
        for number in range(count):
            self._note(case.variants[number], digests[number], Verdict.INTERESTING)
        if pick is None:
            return None
        outcome = ToldVariant(case.variants[pick.position], pick.verdict)
        self._note(outcome.variant, digests[pick.position], outcome.verdict)
        return outcome

    def verdict(
        self, what: str, variant: Variant, of: Files | None = None, odds: float = USUAL_ODDS
    ) -> Search[Verdict]:
        """Return what the test says of a variant, of the case or of other files."""
        files = self.files if of is None else of
        stage, case, digests = self.script.once(partial(_question, what, files, [variant]))
        if self._takes(digests) > self.left:
            raise OutOfTests
        pick = yield from self.script.run(partial(_first, case, ANY_VERDICT, odds), stage)
        verdict = Verdict.UNRESOLVED if pick is None else pick.verdict
        if of is None:
            self._note(variant, digests[0], verdict)
        else:
            self._count(digests[0], verdict)
        return verdict

    def known(self, variant: Variant) -> Verdict | None:
        """Return what a variant does, if it takes no test to know that."""
        return self._recall(applied(self.files, variant.patches).digest)

    def _recall(self, digest: bytes) -> Verdict | None:
        return self._verdicts.get(digest) or self._known.get(digest)

    def _takes(self, digests: Sequence[bytes]) -> int:
        """Return how many tests it takes at most to ask about these."""
        return sum(self._recall(digest) is None for digest in digests)

    def _ordered(self, what: str, variants: Sequence[Variant]) -> _Question:
        """Put those first that are known not to fail, and leave out what is the case itself.

        One of them is enough.
        """
        seen = {self.files.digest}
        found: list[tuple[int, Variant]] = []
        digests = _question(what, self.files, variants).digests
        for variant, digest in zip(variants, digests, strict=True):
            if digest not in seen:
                seen.add(digest)
                known = self._recall(digest)
                found.append((0 if known in OTHER_VERDICTS else 1, variant))
        refuted = [variant for order, variant in found if order == 0][:1]
        return _question(what, self.files, refuted or [variant for _, variant in found])

    def _note(self, variant: Variant, digest: bytes, verdict: Verdict) -> None:
        if digest not in self._verdicts and verdict is Verdict.UNINTERESTING:
            self.passing.append(variant)
        self._count(digest, verdict)

    def _count(self, digest: bytes, verdict: Verdict) -> None:
        if digest in self._verdicts:
            return
        self._verdicts[digest] = verdict
        self.variants += 1
        if digest in self._known:
            self.recalled += 1
        else:
            self.tests += 1


def _question(what: str, files: Files, variants: Sequence[Variant]) -> _Question:
    case = VariantsCase(files, variants, what)
    digests = tuple(case.digest(case.candidate(number)) for number in range(len(variants)))
    return _Question(Stage(case), case, digests)


def _first(case: VariantsCase, wanted: frozenset[Verdict], odds: float) -> Search[Pick | None]:
    """Ask for the first variant that gets a wanted verdict."""
    candidates = map(case.candidate, range(len(case.variants)))
    again = partial(_first, case, wanted, odds)
    pick = yield FirstRound(candidates, wanted=wanted, again=again, odds=odds)
    return pick if isinstance(pick, Pick) else None
