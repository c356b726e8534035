"""Parts that may be anything, alone, equal to each other, or all at once.

A part is called free only if all its variants failed in the same way; what is in it is not asked
about then. If not all of them fail, it may still matter only how much it is: the limits are looked
for, and if everything within them fails, it is free within them. DDSET (Gopinath et al. 2020) asks
the same of the nodes of a derivation tree; that parts are varied in order of size, and that earlier
verdicts save tests, is as in Hypothesis.

Of parts that are equal, names are not asked about: they are varied in all their places at once.

All free parts are varied together at last. If such a variant does not fail, its differences are put
in one after the other; the part with which it no longer fails stays as it is from then on. This
finds a number that must not be less than another.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from random import Random

from wynot.core.round import Search
from wynot.core.texts.rewrites import Patch
from wynot.core.verdict import Verdict
from wynot.explaining.case_parts import Part
from wynot.explaining.findings import Findings, FoundPart, PartSpan
from wynot.explaining.thresholds import Scale, ScaleLimits, limits_of
from wynot.explaining.value_classes import SHORT_NAMES, ValueClass, chosen
from wynot.explaining.value_kinds import PartSort
from wynot.explaining.variants import (
    MAX_SAMPLES,
    OutOfTests,
    Variant,
    VariantQuestions,
    VariantSources,
)

MIN_FRESH = 6
"""How many samples are tested in any case, at the edges of the class."""
MIN_WITHIN = 3
"""How many variants within limits must fail, besides those that have shown the limits."""
DRAWN_SPREAD = 40
"""How far beyond a limit, or what there is, something is drawn that has no other limit."""
VARIED_SORTS = frozenset(PartSort) - {PartSort.MARK, PartSort.OPERATOR}


class FreeParts:
    """Looks for free parts; its methods are searches."""

    def __init__(
        self, questions: VariantQuestions, sources: VariantSources, findings: Findings
    ) -> None:
        self._questions = questions
        self._sources = sources
        self._findings = findings
        self._inside = sources.parts.inside
        self._later: list[tuple[Part, Scale]] = []
        """What cannot have any content: how much it is matters if nothing is free in it."""

    def run(self) -> Search[None]:
        """Vary each part alone, names in all their places."""
        parts = [
            part
            for part in self._sources.parts.largest_first
            if self._sources.sort(part) in VARIED_SORTS
        ]
        named: set[bytes] = set()
        for done, part in enumerate(parts):
            if self._findings.covers(part):
                continue
            places = self._places(part)
            if len(places) > 1:
                if part.text in named:
                    continue
                named.add(part.text)
            try:
                yield from self.vary(places)
            except OutOfTests:
                rest = [each for each in parts[done:] if not self._findings.covers(each)]
                self._findings.left = len(rest)
                return

    def vary(self, places: Sequence[Part]) -> Search[bool]:
        """Tell whether some equal parts may be something else, the same in all places."""
        part = places[0]
        for each in self._sources.classes(part):
            if (yield from self._all_fail(each, places)):
                spans = (*map(_span, places),)
                tried = self._questions.failed
                self._findings.free.append(FoundPart(each.kind, spans, part.text, tried, each.draw))
                yield from self._split(places, each)
                return True
        for scale in self._sources.scales(part):
            if len(places) > 1 and scale.what not in {"value", "length"}:
                continue
            if scale.what == "count" and not (yield from self._may_hold_others(part, scale)):
                self._later.append((part, scale))
                continue
            limits = yield from self._limits(places, scale)
            if limits.are_wider(scale) and (yield from self._within(places, scale, limits)):
                return True
        return False

    def measured_alone(self) -> Search[None]:
        """Find the limits of what has no free part in it, and cannot have any content.

        That an object needs all its keys, and may have more, is what everybody expects.
        """
        for part, scale in self._later:
            if self._findings.covers(part):
                continue
            try:
                limits = yield from self._limits([part], scale)
            except OutOfTests:
                return
            form = self._sources.list_form(part)
            is_object = form is not None and form.is_distinct
            is_telling = limits.high is not None or (limits.low == scale.now > 1 and not is_object)
            if limits.steady and limits.are_wider(scale) and is_telling:
                self._findings.free.append(self._found([part], scale, limits, None))

    def _may_hold_others(self, part: Part, scale: Scale) -> Search[bool]:
        """Tell whether a list may have other items, as many as there are now.

        If not, its items tell more than how many there are, and counting takes many tests.
        """
        classes = self._sources.own_classes(part, ScaleLimits(scale.now, scale.now))
        for each in classes:
            if (yield from self._all_fail(each, [part], limited=True)):
                return True
        return not classes

    def _limits(self, places: Sequence[Part], scale: Scale) -> Search[ScaleLimits]:
        asks = partial(self._measured, places, scale)
        return (yield from limits_of(asks, scale, partial(self._knows, places, scale)))

    def _places(self, part: Part) -> list[Part]:
        if self._sources.sort(part) is not PartSort.NAME:
            return [part]
        return [
            each
            for each in self._sources.parts.all
            if each.text == part.text
            and self._sources.sort(each) is PartSort.NAME
            and not self._findings.covers(each)
        ]

    def _all_fail(
        self, values: ValueClass, places: Sequence[Part], *, limited: bool = False
    ) -> Search[bool]:
        ready = partial(self._variants, values, places, limited=limited)
        variants = self._questions.script.once(ready)
        other = yield from self._questions.first_other(_name(values.kind, places), variants)
        if other is not None:
            self._findings.refuse(places[0], other)
        return other is None

    def _variants(
        self, values: ValueClass, places: Sequence[Part], *, limited: bool
    ) -> list[Variant]:
        """Return what is to be asked: one that is known not to fail, if there is one.

        Else all samples; but what is known to fail, of the same class, takes the place of some.
        """
        sources, known = self._sources, self._questions.known
        samples = [sources.variant(places, text) for text in values.samples]
        nearby = [
            variant
            for text in (() if limited else sources.nearby(places[0], values))
            if known(variant := sources.variant(places, text)) and sources.fits(places[0], text)
        ]
        seen = [*nearby, *filter(known, samples)]
        refuted = [each for each in seen if known(each) is not Verdict.INTERESTING]
        fresh = [each for each in samples if known(each) is None]
        most = max(MIN_FRESH, len(samples) - len(seen))
        return refuted[:1] or [*seen[:MAX_SAMPLES], *fresh[:most]]

    def _written(self, places: Sequence[Part], scale: Scale, value: int) -> Variant:
        text = scale.write(value)
        first = places[0].start
        patches = tuple(
            Patch(*_moved(scale, each.start - first, each.path), text) for each in places
        )
        return Variant(patches, text)

    def _knows(self, places: Sequence[Part], scale: Scale, value: int) -> Verdict | None:
        """Return what is known of a part that measures so much."""
        return self._questions.known(self._written(places, scale, value))

    def _measured(self, places: Sequence[Part], scale: Scale, value: int) -> Search[Verdict]:
        """Return what the test says if a part measures so much."""
        if value == scale.now:
            return Verdict.INTERESTING
        name = f"{_name(scale.what, places)} {value}"
        return (yield from self._questions.verdict(name, self._written(places, scale, value)))

    def _within(self, places: Sequence[Part], scale: Scale, limits: ScaleLimits) -> Search[bool]:
        """Take a part for free within limits, with any content if that is so."""
        part = places[0]
        own = yield from self._class_within(places, scale, limits)
        if own is None and (scale.what == "value") is limits.steady:
            return False  # of numbers it is worth a word that they have no limit
        if own is None and (scale.what == "count" or any(map(part.holds, self._inside))):
            # One of its parts may be free: that says more than how many there are.
            self._later += [(part, scale)] if len(places) == 1 else []
            return False
        self._findings.free.append(self._found(places, scale, limits, own))
        return True

    def _found(
        self,
        places: Sequence[Part],
        scale: Scale,
        limits: ScaleLimits,
        own: ValueClass | None,
    ) -> FoundPart:
        """Return a part that is free within limits, with any content of a class."""
        part = places[0]
        return FoundPart(
            self._kind(part, own),
            tuple(_moved(scale, each.start - part.start, each.path) for each in places),
            part.text,
            limits.failed + (self._questions.failed if own else 0),
            own.draw if own else partial(_stretched, scale, limits),
            *(scale.what, limits),
            content=own is not None,
            together=limits.steady,
        )

    def _kind(self, part: Part, own: ValueClass | None) -> str:
        """Return what a part is called."""
        form = self._sources.list_form(part)
        sort = self._sources.sort(part)
        if own is not None or form is None or sort is not PartSort.LIST:
            return own.kind if own is not None else sort.value
        return form.kind

    def _class_within(
        self, places: Sequence[Part], scale: Scale, limits: ScaleLimits
    ) -> Search[ValueClass | None]:
        """Return the class of which everything within limits fails."""
        if not limits.steady or scale.what not in {"value", "length", "count"}:
            return None
        for each in self._sources.own_classes(places[0], limits):
            own = each._replace(samples=each.samples[:MAX_SAMPLES])
            if len(own.samples) >= MIN_WITHIN and (
                yield from self._all_fail(own, places, limited=True)
            ):
                return own
        return None

    def _split(self, places: Sequence[Part], values: ValueClass) -> Search[None]:
        """See whether places that may be something else together may be so alone."""
        if len(places) == 1:
            return
        together = self._findings.free.pop()
        alone: list[Part] = []
        try:
            for each in places:
                probe = self._sources.variant([each], values.samples[-1])
                verdict = yield from self._questions.verdict(_name("alone", [each]), probe)
                if verdict is Verdict.INTERESTING and (yield from self._all_fail(values, [each])):
                    alone.append(each)
        except OutOfTests:
            pass  # then it is said of all of them together only
        spans = [(_span(each),) for each in alone]
        rest = tuple(_span(each) for each in places if each not in alone)
        self._findings.free += [replace(together, spans=each) for each in (*spans, rest) if each]


def _span(part: Part) -> PartSpan:
    return PartSpan(part.path, part.start, part.stop)


def _moved(scale: Scale, far: int, path: str) -> PartSpan:
    """Return the bytes that a scale writes, so far from where the first of some places is."""
    return PartSpan(path, scale.start + far, scale.stop + far)


def _name(what: str, places: Sequence[Part]) -> str:
    return f"{what} {places[0].number}"


def _stretched(scale: Scale, limits: ScaleLimits, random: Random) -> bytes:
    """Draw a measure within limits, and write it."""
    low = limits.low if limits.low is not None else max(scale.least, scale.now - DRAWN_SPREAD)
    high = limits.high if limits.high is not None else min(scale.most, scale.now + DRAWN_SPREAD)
    return scale.write(random.randint(low, high))


EQUAL_SORTS = frozenset(
    {
        PartSort.INTEGER,
        PartSort.DECIMAL,
        PartSort.STRING,
        PartSort.WORD,
        PartSort.FIELD,
        PartSort.LINE,
        PartSort.LIST,
    }
)
MAX_FEW = 6
"""How many texts are tested in place of a part that cannot be anything."""
MAX_FEW_BYTES = 24
"""Bytes of a part of which it is asked whether it is one of a few."""


def equal_parts(free: FreeParts, sources: VariantSources, findings: Findings) -> Search[None]:
    """Vary parts with the same text together, where none of them may vary alone."""
    groups: dict[tuple[PartSort, bytes], list[Part]] = defaultdict(list)
    for part in sources.parts.largest_first:
        sort = sources.sort(part)
        if sort in EQUAL_SORTS and part.size and not findings.covers(part):
            groups[sort, part.text].append(part)
    for places in groups.values():
        left = [part for part in places if not findings.covers(part)]
        if len(left) > 1:
            try:
                yield from free.vary(left)
            except OutOfTests:
                return


def one_of_few(
    questions: VariantQuestions, sources: VariantSources, findings: Findings
) -> Search[None]:
    """Find other texts with which a part fails as well: of its kind, or of its family."""
    for part in sources.parts.largest_first:
        is_empty = not part.size and sources.sort(part) is not PartSort.FIELD
        if is_empty or part.size > MAX_FEW_BYTES or findings.covers(part):
            continue
        try:
            yield from _few(questions, sources, findings, part)
        except OutOfTests:
            return


def _few(
    questions: VariantQuestions, sources: VariantSources, findings: Findings, part: Part
) -> Search[None]:
    texts, tested = _to_ask(questions, sources, part)
    fails, other = [part.text], list[bytes]()
    for text in texts:
        variant = sources.variant([part], text)
        verdict = yield from questions.verdict(f"few {part.number} {len(fails)}", variant)
        (fails if verdict is Verdict.INTERESTING else other).append(text)
    if len(fails) > 1:
        findings.free.append(
            FoundPart(
                *("choice", (PartSpan(part.path, part.start, part.stop),), part.text, tested),
                chosen("choice", fails).draw,
                choices=tuple(fails),
                refused=tuple(other),
            )
        )


def _to_ask(
    questions: VariantQuestions, sources: VariantSources, part: Part
) -> tuple[Sequence[bytes], int]:
    """Return what to try: all that is known, and a few more; and how many that are."""
    texts = sources.few(part)
    known = [text for text in texts if questions.known(sources.variant([part], text))]
    more = [text for text in texts if text not in known][:MAX_FEW]
    return [*known, *more], len(known) + len(more)


JOINT_VARIANTS = 100
LEAST_JOINT = 10
"""With fewer variants nothing is said of all parts together."""
MAX_ROUNDS = 5
LIKELY_ODDS = 0.97
"""How likely such a variant is to fail."""


def vary_together(questions: VariantQuestions, findings: Findings) -> Search[None]:
    """Vary all parts at once; take out those that cannot be varied with the others."""
    for number in range(MAX_ROUNDS):
        parts = [part for part in findings.free if part.together]
        most = min(JOINT_VARIANTS, questions.left - len(parts))
        if not parts or most < LEAST_JOINT:
            return
        variants = _variants(parts, most, number)
        other = yield from questions.first_other(f"together {number}", variants, LIKELY_ODDS)
        findings.joint = questions.failed, questions.failed + (other is not None)
        if other is None:
            return
        try:
            spoiler = yield from _spoiler(questions, parts, other.variant, number)
        except OutOfTests:
            return
        findings.free[findings.free.index(spoiler)] = replace(spoiler, together=False)


def _variants(parts: Sequence[FoundPart], count: int, seed: int) -> list[Variant]:
    """Draw variants, all of them different, if there are so many."""
    random = Random(seed)  # noqa: S311 - the same each time
    found: dict[tuple[Patch, ...], None] = {}
    for _ in range(4 * count):
        if len(found) == count:
            break
        found[_drawn(parts, random)] = None
    return [Variant(patches) for patches in found]


def _drawn(parts: Sequence[FoundPart], random: Random) -> tuple[Patch, ...]:
    used: set[bytes] = set()
    patches: list[Patch] = []
    for part in parts:
        text = part.drawn(random)
        while part.kind in {"name", SHORT_NAMES} and text in used:
            text = part.drawn(random)
        used.add(text)
        patches += [Patch(*span, text) for span in part.spans]
    return tuple(patches)


def _spoiler(
    questions: VariantQuestions, parts: Sequence[FoundPart], variant: Variant, number: int
) -> Search[FoundPart]:
    """Return the part with whose difference a variant does not fail any more."""
    so_far: tuple[Patch, ...] = ()
    for at, part in enumerate(parts[:-1]):
        own = {span[:2] for span in part.spans}
        so_far += tuple(patch for patch in variant.patches if patch[:2] in own)
        name = f"together {number} {at}"
        verdict = yield from questions.verdict(name, Variant(so_far), odds=LIKELY_ODDS)
        if verdict is not Verdict.INTERESTING:
            return part
    return parts[-1]
