"""Questions about variants, as a search asks them, and what was answered so far.

What the reduction has asked is known, and asked first: if one of several variants is known not to
fail, no test is needed to see that not all of them do. Verdicts come from the engine in all cases,
so that the course is the same whoever has them; what is known only decides what is asked first, and
what counts as a test.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from wynot.core.files import Files
from wynot.core.round import Pick, Round, Search, Stage
from wynot.core.verdict import Verdict
from wynot.explaining.variants import Variant, VariantsCase, applied
from wynot.search.script import Script

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


class _Asked(NamedTuple):
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
        self._said: dict[bytes, Verdict] = {}

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
        asked = len(digests) if pick is None else pick.position
        self.failed = asked
        for number in range(asked):
            self._note(case.variants[number], digests[number], Verdict.INTERESTING)
        if pick is None:
            return None
        told = ToldVariant(case.variants[pick.position], pick.verdict)
        self._note(told.variant, digests[pick.position], told.verdict)
        return told

    def verdict(
        self, what: str, variant: Variant, of: Files | None = None, odds: float = USUAL_ODDS
    ) -> Search[Verdict]:
        """Return what the test says of a variant, of the case or of other files."""
        files = self.files if of is None else of
        stage, case, digests = self.script.once(partial(_asked, what, files, [variant]))
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
        return self._said.get(digest) or self._known.get(digest)

    def _takes(self, digests: Sequence[bytes]) -> int:
        """Return how many tests it takes at most to ask about these."""
        return sum(self._recall(digest) is None for digest in digests)

    def _ordered(self, what: str, variants: Sequence[Variant]) -> _Asked:
        """Put those first that are known not to fail, and leave out what is the case itself.

        One of them is enough.
        """
        seen = {self.files.digest}
        found: list[tuple[int, Variant]] = []
        digests = _asked(what, self.files, variants).digests
        for variant, digest in zip(variants, digests, strict=True):
            if digest not in seen:
                seen.add(digest)
                known = self._recall(digest)
                found.append((0 if known in OTHER_VERDICTS else 1, variant))
        refuted = [variant for order, variant in found if order == 0][:1]
        return _asked(what, self.files, refuted or [variant for _, variant in found])

    def _note(self, variant: Variant, digest: bytes, verdict: Verdict) -> None:
        if digest not in self._said and verdict is Verdict.UNINTERESTING:
            self.passing.append(variant)
        self._count(digest, verdict)

    def _count(self, digest: bytes, verdict: Verdict) -> None:
        if digest in self._said:
            return
        self._said[digest] = verdict
        self.variants += 1
        if digest in self._known:
            self.recalled += 1
        else:
            self.tests += 1


def _asked(what: str, files: Files, variants: Sequence[Variant]) -> _Asked:
    case = VariantsCase(files, variants, what)
    digests = tuple(case.digest(case.candidate(number)) for number in range(len(variants)))
    return _Asked(Stage(case), case, digests)


def _first(case: VariantsCase, wanted: frozenset[Verdict], odds: float) -> Search[Pick | None]:
    """Ask for the first variant that gets a wanted verdict."""
    candidates = map(case.candidate, range(len(case.variants)))
    again = partial(_first, case, wanted, odds)
    pick = yield Round.first(candidates, wanted=wanted, again=again, odds=odds)
    return pick if isinstance(pick, Pick) else None
