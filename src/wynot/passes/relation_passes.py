"""Relations in a reduction: found once, put to the test, and used to leave items out."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files, RenderedCase
from wynot.core.round import Search
from wynot.core.texts.patched_text import Splice, spliced
from wynot.core.texts.rewrites import Patch, Rewrite, RewritesCase
from wynot.passes.progress import Progress, Runs
from wynot.passes.reduction_pass import Cut, ProtectedPatterns, RelationsByPath
from wynot.passes.trees.parsed_files import Trees
from wynot.passes.trees.rewrite_structure import RewriteStructure
from wynot.relations.items import items
from wynot.relations.mining import mine
from wynot.relations.relation import Relation, Relations
from wynot.relations.updates import update
from wynot.search.assumptions import Assumption, doubted
from wynot.search.combinators import done, in_turn
from wynot.search.largest import NO_LESSONS, LargestFirst, Lessons

MOST_TESTED_RULES = 6
"""How many rules of a case are put to the test."""
RULE_PARTS = 4
"""Into how many parts the items of a rule are cut."""
MOST_ITEMS = 20_000
"""How many items are tried."""
ITEMS_PATIENCE = 50
"""Failures in a row after which items are left to the other passes."""


def drop_counted(runs: Runs, trees: Trees, progress: Progress) -> Search[Progress]:
    """Leave out the items that numbers count, and update the numbers."""
    if progress.relations is None:
        progress = replace(progress, relations=_relations(progress.view, trees))
    if not progress.relations:
        return done(progress)
    validation = partial(runs.run_beside, ValidateRelations(progress.relations))
    return in_turn((validation, partial(_drop_items, runs)), progress)


def _relations(files: Files, trees: Trees) -> RelationsByPath:
    """Look for relations in the files without a grammar."""
    found = {}
    for path, content in files.contents.items():
        language = trees.languages.get(path)
        if language is None or language.accepts_any_text:
            found[path] = mine(content)
    return {path: relations for path, relations in found.items() if relations}


def _drop_items(runs: Runs, progress: Progress) -> Search[Progress]:
    if not progress.relations:
        return done(progress)
    return runs.run_inside(DropItems(progress.relations), progress)


@dataclass(frozen=True, slots=True)
class DropItems:
    """Leave out items: of all relations of a family at once, then of halves."""

    relations: RelationsByPath = field(repr=False)
    name: str = "counted items"
    proves: str = ""

    def cut(self, files: Files, _keep: ProtectedPatterns, lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each item as a part."""
        found = [each for each, _ in zip(self._rewrites(files), range(MOST_ITEMS), strict=False)]
        structure = RewriteStructure(files, found)
        search = LargestFirst(structure, lessons=lessons, patience=ITEMS_PATIENCE)
        return Cut(RewritesCase(files, found), search=search)

    def _rewrites(self, files: Files) -> Iterator[Rewrite]:
        for path, relations in self.relations.items():
            content = files.contents[path]
            for relation in relations:
                for item in items(content, relation):
                    patches = tuple(Patch(path, *span) for span in item)
                    yield Rewrite(f"counted: {relation.family}", patches)


@dataclass(frozen=True, slots=True)
class ValidateRelations:
    """Put the relations of a case to the test: those that verdicts refute are dropped."""

    relations: RelationsByPath = field(repr=False)
    name: str = "relations"
    proves: str = ""

    def cut(self, files: Files, _keep: ProtectedPatterns, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each rule as a few parts."""
        case = RuleCase(files, self.relations)
        return Cut(
            case,
            minimizer=partial(doubted, case.assumptions()),
            must_gain=True,
            relations=case.relations,
        )


class Rule(NamedTuple):
    """Relations of one text that hold together or not at all."""

    path: str
    family: str


class RuleCase(RenderedCase):
    """Files with relations; rules can be violated or dropped, and their items can go.

    Each rule has two deltas, and one for each part of its items.
    """

    def __init__(self, files: Files, relations: RelationsByPath) -> None:
        self._relations = relations
        self._rules = list(_untested(relations))[:MOST_TESTED_RULES]
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
            first = number * (2 + RULE_PARTS)
            each = [Deltas((first + 2 + part, first + 3 + part)) for part in range(len(parts))]
            one, two = Deltas((first, first + 1)), Deltas((first + 1, first + 2))
            found.append(Assumption(one, two, tuple(each)))
        return found

    def relations(self, kept: Deltas) -> RelationsByPath:
        """Return the relations that are not dropped, where they are now."""
        texts = {path: self._text(path, kept)[1] for path in self._relations}
        return {path: relations for path, relations in texts.items() if relations}

    def _write(self, candidate: Candidate) -> Files:
        texts = {path: self._text(path, candidate.kept)[0] for path in self._relations}
        return self.files.replaced({**self.files.contents, **texts})

    def _text(self, path: str, kept: Deltas) -> tuple[bytes, Relations]:
        """Return a text of a candidate, and its relations."""
        wrong, dropped, gone = set[str](), set[str](), list[tuple[int, int]]()
        for number, rule in enumerate(self._rules):
            first = number * (2 + RULE_PARTS)
            if rule.path != path:
                continue
            if first not in kept:
                wrong.add(rule.family)
            if first + 1 not in kept:
                dropped.add(rule.family)
            for part, spans in enumerate(self._parts[number]):
                gone += spans if first + 2 + part not in kept else ()
        enforced = tuple(each for each in self._relations[path] if each.family not in dropped)
        splices = [Splice(*run, b"") for run in Deltas.covering(gone).runs]
        content, left = update(self.files.contents[path], enforced, splices)
        violated = (each for each in left if each.family in wrong)
        violations = sorted(Splice(*each.at, wrong_number(content, each)) for each in violated)
        return spliced(content, violations), left

    def _parts_of(self, rule: Rule) -> Iterator[list[tuple[int, int]]]:
        """Return the items of a rule where it has most, in parts of about the same size."""
        content = self.files.contents[rule.path]
        about = [each for each in self._relations[rule.path] if each.family == rule.family]
        if not about[0].whole:  # each of them counts many items
            about = [max(about, key=lambda each: each.scope.stop - each.scope.start)]
        found = [item for each in about for item in items(content, each)]
        for part in range(RULE_PARTS):
            low, high = (len(found) * each // RULE_PARTS for each in (part, part + 1))
            yield [(*span,) for item in found[low:high] for span in item]


def _untested(relations: RelationsByPath) -> Iterator[Rule]:
    """Return the rules of which no number was updated yet."""
    for path, each in relations.items():
        proved = {relation.family for relation in each if relation.was_updated}
        families = dict.fromkeys(relation.family for relation in each)
        yield from (Rule(path, family) for family in families if family not in proved)


def wrong_number(content: bytes, relation: Relation) -> bytes:
    """Return a number that violates a relation, in no fewer bytes.

    It is too large, as if items had gone without an update.
    """
    before = content[slice(*relation.at)]
    number = relation.encoding.read(before) or 0
    for wrong in (2 * number + 1, number + 1, number - 1):
        text = relation.encoding.write(wrong, before) if wrong >= 0 else None
        if text is not None and len(text) >= len(before):
            return text
    return b"%0*d" % (len(before), max(number - 1, 0))
