"""The parts of a case that are explained, and how reliably it fails."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from wynot.core.errors import Unreliable
from wynot.core.files import Files
from wynot.core.texts.patched_text import Splice, spliced
from wynot.core.texts.tree import FLAW, TOKEN, Tree
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.formats.checked_text import CheckedText
from wynot.formats.detect import tree_of
from wynot.formats.language import Language, is_plain_string
from wynot.formats.language_table import BRACKETS
from wynot.formats.source import tree_up_to
from wynot.job.evaluator import Evaluator

MAX_TEXT_BYTES = 32 << 10
"""Bytes of a text up to which its parts are varied: what is left of a reduction seldom has more."""
MAX_PARTS = 2_000
NO_PART = -1
MAX_WORD_BYTES = 200
_NUMBER = re.compile(rb"(?<![\w])\d{1,20}(?![\w])")


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes of a text that are one thing."""

    number: int
    path: str
    start: int
    stop: int
    kinds: tuple[str, ...]
    """What it is, the outermost first: a statement that is an expression that is a call."""
    parent: int
    named: bool
    """Whether it is more than punctuation or a keyword."""
    text: bytes
    role: str = ""
    """What it is to what it is in: a key, a condition; empty: nothing in particular."""

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return self.stop - self.start

    def holds(self, other: "Part") -> bool:
        """Tell whether another part is in this one, or is this one."""
        return self.path == other.path and self.start <= other.start and other.stop <= self.stop


class CaseParts:
    """All parts of a case by number; a part comes before those that are in it."""

    def __init__(self, files: Files, languages: Mapping[str, Language]) -> None:
        self.files = files
        self._languages = {**languages}
        self.all: list[Part] = []
        for path, content in files.contents.items():
            if path in languages and 0 < len(content) <= MAX_TEXT_BYTES:
                language, tree = _parsed(languages[path], content)
                self._languages[path] = language
                self.all += _parts(path, content, tree, language, len(self.all))
        del self.all[MAX_PARTS:]
        self.inside = [*self._numbers_inside()]
        """Numbers in words and strings, which have no other parts: they may matter alone."""
        self._checked: dict[str, CheckedText] = {}

    @cached_property
    def children(self) -> Mapping[int, Sequence[Part]]:
        """The parts directly in each part."""
        found: dict[int, list[Part]] = {part.number: [] for part in self.all}
        for part in self.all:
            if part.parent != NO_PART:
                found[part.parent].append(part)
        return found

    @cached_property
    def largest_first(self) -> Sequence[Part]:
        """All parts, the largest first; of the same size, as they stand."""
        both = [*self.all, *self.inside]
        return sorted(both, key=lambda part: (-part.size, part.path, part.start, part.number))

    def _numbers_inside(self) -> Iterator[Part]:
        number = len(self.all)
        for part in self.all:
            if not self.children[part.number] and part.named and part.size <= MAX_WORD_BYTES:
                for found in _NUMBER.finditer(part.text):
                    if found.group() != part.text:
                        start, stop = part.start + found.start(), part.start + found.end()
                        kinds = ("number",)
                        yield Part(
                            *(number, part.path, start, stop, kinds, part.number, True, found[0])
                        )
                        number += 1

    def language(self, part: Part) -> Language:
        """Return the language of the text that a part is in."""
        return self._languages[part.path]

    def is_leaf(self, part: Part) -> bool:
        """Tell whether nothing is in a part."""
        return not self.children.get(part.number)

    def parses(self, path: str, splice: Splice) -> bool:
        """Tell whether a text of the case follows its grammar as well after a splice."""
        content = self.files.contents[path]
        if path not in self._checked:
            self._checked[path] = CheckedText(self._languages[path], content)
        before = self._checked[path]
        return before.edited([splice], spliced(content, [splice])).errors <= before.errors


def _parsed(language: Language, content: bytes) -> tuple[Language, Tree]:
    """Return what a text is parsed as, and its tree: brackets and words, if these tell more.

    What is left of a program need not be one, and grammars make one token of what they cannot read.
    """
    tree = tree_up_to(language, content, MAX_TEXT_BYTES)
    if tree is None or tree.syntax_errors:
        plain = tree_of(BRACKETS, content)
        if tree is None or len(plain.tokens) > len(tree.tokens):
            return BRACKETS, plain
    return language, tree


def _parts(path: str, content: bytes, tree: Tree, language: Language, first: int) -> Iterator[Part]:
    """Yield the parts of a text; nodes with the same bytes are one part."""
    spans: list[tuple[int, int]] = []
    kinds: list[list[str]] = []
    above: list[int] = []
    named: list[bool] = []
    roles: list[str] = []
    part_of: dict[int, int] = {}
    """The part that a node is."""
    reached = 0
    for node in range(len(tree)):
        if node < reached or tree.kind(node) in language.comments:
            reached = max(reached, tree.subtree_ends[node])
            continue
        span = _trimmed(content, tree.starts[node], tree.stops[node])
        if span[0] == span[1] and not _is_empty_field(tree, node, language):
            continue
        parent = part_of.get(tree.parents[node], NO_PART)
        if parent != NO_PART and spans[parent] == span:
            part_of[node] = parent
            kinds[parent].append(tree.kind(node))
        else:
            part_of[node] = len(spans)
            spans.append(span)
            kinds.append([tree.kind(node)])
            above.append(parent)
            named.append(tree.is_named(node))
            roles.append(tree.field(node))
        if is_plain_string(tree, node, language):
            reached = tree.subtree_ends[node]
    for number, (start, stop) in enumerate(spans):
        parent = above[number] if above[number] == NO_PART else first + above[number]
        text, whole = content[start:stop], tuple(kinds[number])
        is_named, role = named[number], roles[number]
        yield Part(first + number, path, start, stop, whole, parent, is_named, text, role)


def _is_empty_field(tree: Tree, node: int, language: Language) -> bool:
    """Tell whether there is a place for something, as between two commas of a table."""
    is_there = tree.flags[node] & TOKEN and not tree.flags[node] & FLAW
    return bool(is_there) and language.parser is not None and tree.is_named(node)


def _trimmed(content: bytes, start: int, stop: int) -> tuple[int, int]:
    """Return where a node is without the white space around it."""
    text = content[start:stop]
    bare = text.lstrip()
    begin = stop - len(bare)
    return (begin, begin + len(bare.rstrip())) if bare else (start, start)


QUICK_SECONDS, QUICK_RUNS, SLOW_RUNS = 1.0, 10, 3
"""Before and after, a test that takes less than a second is run ten times, others three times."""
DOUBTS = ("rate", "empty rate", "confirmed")
"""Names of checks that a reduction makes of a test only if it is not reliable."""
UNRELIABLE_HINT = (
    "make the failure more likely inside the test, say by running the program 20 times"
)


@dataclass(slots=True)
class CaseReliability:
    """Runs the case again, and counts; what the journal has is not run again."""

    evaluator: Evaluator[Files]
    journal: Journal
    case: Files
    seconds: float
    """How long a run takes."""
    shown: int = 0
    runs: int = 0

    @property
    def times(self) -> int:
        """How often it is run before and after."""
        return QUICK_RUNS if self.seconds < QUICK_SECONDS else SLOW_RUNS

    def require_reliable_test(self) -> None:
        """Raise if the reduction has found the test to be unreliable."""
        if any(name.startswith(DOUBTS) for name in self.journal.checks):
            raise Unreliable(
                "the test is not reliable: in the reduction it has said now this, now that, of the "
                "same case. So nothing can be told for certain from single runs",
                hint=UNRELIABLE_HINT,
            )

    def require(self, when: str) -> None:
        """Raise unless the failure shows in each of some runs."""
        name = f"explain {when} {self.case.digest.hex()[:16]}"
        match self.journal.check(name):
            case [int(shown), int(runs)]:
                pass
            case _:
                self.evaluator.tell("finding out whether the case fails each time")
                results = self.evaluator.run(self.case, self.times)
                runs = len(results)
                shown = sum(each.verdict is Verdict.INTERESTING for each in results)
                self.journal.keep_check(name, [shown, runs])
        self.shown, self.runs = self.shown + shown, self.runs + runs
        if self.shown < self.runs:
            raise Unreliable(
                f"the case does not fail reliably: the failure showed in {self.shown} of "
                f"{self.runs} runs, so that nothing can be said for certain",
                hint=UNRELIABLE_HINT,
            )
