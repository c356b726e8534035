"""The pass that asks whether relations are of use: those that verdicts refute are dropped."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.rendered import RenderedCase
from wynot.core.splice import Splice, spliced
from wynot.passes.reduction_pass import Cut, Keep, Kept
from wynot.relations.breaching import breached
from wynot.relations.counted_items import items
from wynot.relations.mending import mended
from wynot.relations.relation import Relations
from wynot.search.assumptions import Assumption, doubted
from wynot.search.lessons import NO_LESSONS, Lessons

MOST_DOUBTED = 6
"""How many rules of a case are put to the test."""
RULE_PARTS = 4
"""Into how many parts what a rule is about is cut."""


class Rule(NamedTuple):
    """Relations of one text that hold together or not at all."""

    path: str
    family: str


class DoubtedCase(RenderedCase):
    """Files with relations; rules can be broken or dropped, and what they are about can go.

    Each rule has two deltas, and one for each part of what it is about.
    """

    def __init__(self, files: Files, relations: Kept) -> None:
        self._relations = relations
        self._rules = list(_doubtful(relations))[:MOST_DOUBTED]
        super().__init__(files, len(self._rules) * (2 + RULE_PARTS))
        self._parts = [list(self._parts_of(rule)) for rule in self._rules]

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to cut the same files."""
        return "doubted", hash(tuple(self._relations.items()))

    @property
    def weights(self) -> Sequence[int]:
        """What each delta weighs: all the same."""
        return [1] * len(self.deltas)

    def assumptions(self) -> list[Assumption]:
        """Return the rules as the search sees them."""
        found = []
        for number, parts in enumerate(self._parts):
            sound = number * (2 + RULE_PARTS)
            each = [Deltas((sound + 2 + part, sound + 3 + part)) for part in range(len(parts))]
            one, two = Deltas((sound, sound + 1)), Deltas((sound + 1, sound + 2))
            found.append(Assumption(one, two, tuple(each)))
        return found

    def relations(self, kept: Deltas) -> Kept:
        """Return the relations of what is left that are not dropped."""
        texts = {path: self._text(path, kept)[1] for path in self._relations}
        return {path: relations for path, relations in texts.items() if relations}

    def _write(self, candidate: Candidate) -> Files:
        texts = {path: self._text(path, candidate.kept)[0] for path in self._relations}
        return self.files.replaced({**self.files.contents, **texts})

    def _text(self, path: str, kept: Deltas) -> tuple[bytes, Relations]:
        """Return what is left of a text, and which relations it has."""
        wrong, dropped, gone = set[str](), set[str](), list[tuple[int, int]]()
        for number, rule in enumerate(self._rules):
            sound = number * (2 + RULE_PARTS)
            if rule.path != path:
                continue
            if sound not in kept:
                wrong.add(rule.family)
            if sound + 1 not in kept:
                dropped.add(rule.family)
            for part, spans in enumerate(self._parts[number]):
                gone += spans if sound + 2 + part not in kept else ()
        upheld = tuple(each for each in self._relations[path] if each.family not in dropped)
        splices = [Splice(*run, b"") for run in Deltas.covering(gone).runs]
        content, left = mended(self.files.contents[path], upheld, splices)
        broken = sorted(_wrong(content, left, wrong))
        return spliced(content, broken), left

    def _parts_of(self, rule: Rule) -> Iterator[list[tuple[int, int]]]:
        """Return what a rule is about where that is most, in parts of about the same size."""
        content = self.files.contents[rule.path]
        about = [each for each in self._relations[rule.path] if each.family == rule.family]
        if not about[0].whole:  # each of them is about many things
            about = [max(about, key=lambda each: each.scope.stop - each.scope.start)]
        found = [item for each in about for item in items(content, each)]
        for part in range(RULE_PARTS):
            low, high = (len(found) * each // RULE_PARTS for each in (part, part + 1))
            yield [(*span,) for item in found[low:high] for span in item]


def _doubtful(relations: Kept) -> Iterator[Rule]:
    """Return the rules that no number was written by yet."""
    for path, each in relations.items():
        proved = {relation.family for relation in each if relation.was_mended}
        families = dict.fromkeys(relation.family for relation in each)
        yield from (Rule(path, family) for family in families if family not in proved)


def _wrong(content: bytes, relations: Relations, families: set[str]) -> Iterator[Splice]:
    for each in relations:
        if each.family in families:
            yield Splice(*each.at, breached(content, each))


@dataclass(frozen=True, slots=True)
class DoubtRelations:
    """Put the relations of a case to the test."""

    relations: Kept = field(repr=False)
    name: str = "relations"
    proves: str = ""

    def cut(self, files: Files, _keep: Keep, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each rule as a few parts."""
        case = DoubtedCase(files, self.relations)
        return Cut(
            case,
            minimizer=partial(doubted, case.assumptions()),
            must_gain=True,
            relations=case.relations,
        )
