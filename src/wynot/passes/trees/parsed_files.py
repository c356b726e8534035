"""The languages of a case's files, and their trees."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar, cast

from wynot.core.files import Files
from wynot.core.system.recent import Cache, Recent
from wynot.core.texts.chains import Folded, folded
from wynot.core.texts.patched_text import Splice
from wynot.formats.checked_text import CheckedText, KnownErrors
from wynot.formats.language import Language
from wynot.formats.parsers.nested_pairs import depth
from wynot.formats.source import (
    MIN_DEPTH,
    is_beyond_grammar,
    is_repetition,
    parsable_as,
    tree_up_to,
)
from wynot.passes.trees.forest import Forest, Parsed

Contents: TypeAlias = tuple[tuple[str, bytes], ...]

LARGE_BYTES = 64 << 10
"""Bytes of a text of which large parts go first, before anyone looks at its tree."""
HUGE_TEXT_BYTES = 1 << 20
"""Bytes of a text that is not looked at in all detail at once: it will be when it is smaller."""
HUGE_PROGRAM_BYTES = 2 << 20
"""The same of a program that may consist of what it includes: brackets tell too little of that."""
MAX_GATED_BYTES = 2 << 20
"""Bytes of a text up to which candidates are parsed before they are tested: a parse of more takes
as long as many a test."""
KEPT_PROPOSALS = 8
"""How many cuts of files are remembered: about as many as there are passes that take turns."""
LARGE_PROPOSAL_BYTES = 256 << 10
"""Bytes of files whose cuts are not: they would take too much memory."""

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Trees:
    """What each file is written in; decided once, since what is left of a file tells less."""

    languages: Mapping[str, Language]
    missing: tuple[str, ...] = ()
    """Why some files have no grammar."""
    _forests: Cache[tuple[Contents, bool], Forest] = field(
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

    def forest(self, files: Files, *, folds: bool = True) -> Forest:
        """Return the trees of all files that have a language.

        If it folds, of the links of a chain that are all alike there are only the first and last.
        """
        if not folds and not (found := self.forest(files)).stretches:
            return found  # nothing was folded
        key = (*files.contents.items(),), folds
        return self._forests.get(key, lambda: self._grown(files, folds=folds))

    def made_of(
        self,
        files: Files,
        what: Hashable,
        make: Callable[[Files, Forest], Made],
        *,
        folds: bool = True,
    ) -> Made:
        """Return what is made of the trees of some files; it is kept for a while.

        Each pass looks at the same files several times: with more patience when nothing works, and
        whenever a search that runs ahead comes to it another way.
        """
        if files.size > LARGE_PROPOSAL_BYTES:
            return make(files, self.forest(files, folds=folds))
        key = (*files.contents.items(),), what
        made = self._made.get(key, lambda: make(files, self.forest(files, folds=folds)))
        return cast("Made", made)

    def _grown(self, files: Files, *, folds: bool) -> Forest:
        texts = {}
        for path, content in files.contents.items():
            language = self.languages.get(path)
            if language and (tree := tree_up_to(language, content, self._most(path))):
                parts = folded(tree, content) if folds else Folded(tree)
                texts[path] = Parsed(content, language, *parts)
        return Forest.of(texts)

    def language_name(self, path: str) -> str:
        """Return the name of the language of a file, empty if it has none."""
        language = self.languages.get(path)
        return language.name if language else ""

    def is_large(self, path: str, content: bytes) -> bool:
        """Tell whether a text is so large that large parts go first."""
        return path in self.languages and len(content) > LARGE_BYTES

    def is_large_and_shallow(self, path: str, content: bytes) -> bool:
        """Tell whether a text is large, and brackets or tags in it are not nested deeply."""
        is_large = self.is_large(path, content)
        return is_large and depth(content, tags=self.languages[path].tags) < MIN_DEPTH

    def is_huge(self, path: str, content: bytes) -> bool:
        """Tell whether a text is too large for its tree."""
        return len(content) > self._most(path) or is_repetition(content)

    def _most(self, path: str) -> int:
        """Return how many bytes of a text are looked at in all detail."""
        language = self.languages.get(path)
        return HUGE_PROGRAM_BYTES if language and language.bodiless else HUGE_TEXT_BYTES

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
