"""The languages of a case's files, and their trees."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TypeAlias, TypeVar, cast

from wynot.core.files import Files
from wynot.core.folding import Folded, folded
from wynot.core.recent import Cache, Recent
from wynot.core.splice import Splice
from wynot.core.tree import Tree
from wynot.formats.checked_text import CheckedText
from wynot.formats.language import Language
from wynot.formats.pieces import KnownErrors
from wynot.formats.source import (
    coarse_tree,
    has_long_line,
    is_beyond_grammar,
    is_by_lines,
    is_repetition,
    parsable_as,
    tree_up_to,
)
from wynot.passes.forest import Forest, Parsed

Contents: TypeAlias = tuple[tuple[str, bytes], ...]

LARGE_TEXT_BYTES = 1 << 20
"""Bytes of a text that is not looked at in all detail at once: it will be when it is smaller."""
LARGE_PROGRAM_BYTES = 2 << 20
"""The same of a program that may consist of what it includes: brackets tell too little of that."""
MAX_GATED_BYTES = 2 << 20
"""Bytes of a text up to which candidates are parsed before they are tested: a parse of more takes
as long as many a test."""
KEPT_PROPOSALS = 8
"""How many cuts of files are remembered: about as many as there are passes that take turns."""
LARGE_PROPOSAL_BYTES = 256 << 10
"""Bytes of files whose cuts are not: they would take too much memory."""

Made = TypeVar("Made")


class TreeDetail(Enum):
    """How much of a text its tree tells."""

    COARSE = auto()
    """The large parts of texts that have a long line, and no others."""
    FOLDED = auto()
    """Everything, but only the first and last of the links of a chain that are all alike."""
    WHOLE = auto()


@dataclass(frozen=True, slots=True)
class Trees:
    """What each file is written in; decided once, since what is left of a file tells less."""

    languages: Mapping[str, Language]
    missing: tuple[str, ...] = ()
    """Why some files have no grammar."""
    _forests: Cache[tuple[Contents, TreeDetail], Forest] = field(
        default_factory=lambda: Cache(lambda _, forest: forest.size), compare=False, repr=False
    )
    """One pass after the other looks at the same files when nothing works, and whoever looks ahead
    asks by turns for what there is and what there might be."""
    _errors: dict[str, KnownErrors] = field(default_factory=dict, compare=False, repr=False)
    _made: Recent[tuple[Contents, Hashable], object] = field(
        default_factory=lambda: Recent(KEPT_PROPOSALS), compare=False, repr=False
    )

    @classmethod
    def of(
        cls, files: Files, named: Language | None = None, more: Sequence[Language] = ()
    ) -> "Trees":
        """Find out the languages of files, from their names and contents, unless one is named."""
        found = {
            path: parsable_as(path, text, named, more) for path, text in files.contents.items()
        }
        languages = {path: language for path, (language, _) in found.items() if language}
        return cls(languages, tuple(dict.fromkeys(why for _, why in found.values() if why)))

    def forest(self, files: Files, detail: TreeDetail = TreeDetail.FOLDED) -> Forest:
        """Return the trees of all files that have a language."""
        if detail == TreeDetail.WHOLE and not (found := self.forest(files)).stretches:
            return found  # nothing was folded
        key = (*files.contents.items(),), detail
        return self._forests.get(key, lambda: self._grown(files, detail))

    def made_of(
        self,
        files: Files,
        what: Hashable,
        make: Callable[[Files, Forest], Made],
        detail: TreeDetail = TreeDetail.FOLDED,
    ) -> Made:
        """Return what is made of the trees of some files; it is kept for a while.

        Each pass looks at the same files several times: with more patience when nothing works, and
        whenever a search that runs ahead comes to it another way.
        """
        if files.size > LARGE_PROPOSAL_BYTES:
            return make(files, self.forest(files, detail))
        key = (*files.contents.items(),), what
        made = self._made.get(key, lambda: make(files, self.forest(files, detail)))
        return cast("Made", made)

    def _grown(self, files: Files, detail: TreeDetail) -> Forest:
        texts = {}
        for path, content in files.contents.items():
            language = self.languages.get(path)
            if language and (tree := self._tree(path, language, content, detail)):
                parts = folded(tree, content) if detail == TreeDetail.FOLDED else Folded(tree)
                texts[path] = Parsed(content, language, *parts)
        return Forest.of(texts)

    def _tree(
        self, path: str, language: Language, content: bytes, detail: TreeDetail
    ) -> Tree | None:
        if detail != TreeDetail.COARSE:
            return tree_up_to(language, content, self._most(path))
        return coarse_tree(content) if has_long_line(content) else None

    def has_long_line(self, path: str, content: bytes) -> bool:
        """Tell whether a text is first looked at in large parts because of a long line."""
        return path in self.languages and has_long_line(content)

    def language_name(self, path: str) -> str:
        """Return the name of the language of a file, empty if it has none."""
        language = self.languages.get(path)
        return language.name if language else ""

    def is_by_lines(self, path: str, content: bytes) -> bool:
        """Tell whether a text is too large for its tree, and brackets would tell little of it."""
        language = self.languages.get(path)
        return language is not None and is_by_lines(language, content, self._most(path))

    def is_large(self, path: str, content: bytes) -> bool:
        """Tell whether a text is too large for its tree."""
        return len(content) > self._most(path)

    def _most(self, path: str) -> int:
        """Return how many bytes of a text are looked at in all detail."""
        language = self.languages.get(path)
        return LARGE_PROGRAM_BYTES if language and language.bodiless else LARGE_TEXT_BYTES

    def checked(
        self,
        path: str,
        content: bytes,
        like: CheckedText | None = None,
        splices: Sequence[Splice] = (),
    ) -> CheckedText | None:
        """Parse a file, from its start or where it differs from one that it is like.

        None: it has no grammar, or is too large for it, or such texts take too long.
        """
        language = self.languages.get(path)
        if language is None or len(content) > MAX_GATED_BYTES:
            return None
        known = self._errors.setdefault(language.name, KnownErrors(language))
        if known.are_slow:
            return None
        if like is not None:
            return like.edited(splices, content)
        if is_beyond_grammar(language, content) or is_repetition(content):
            return None
        return CheckedText(language, content, known=known)
