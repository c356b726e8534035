"""The languages of a case's files, and their trees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wynot.core.files import Files
from wynot.core.tree import Tree
from wynot.formats import coarse
from wynot.formats.detect import language_of, syntax_errors_of, tree_of
from wynot.formats.format import is_text
from wynot.formats.grammar import GrammarMissing, load
from wynot.formats.language import Language
from wynot.formats.language_table import BRACKETS
from wynot.passes.forest import Forest, Parsed

LARGE_TEXT_BYTES = 1 << 20
"""Bytes of a text that is not looked at in all detail at once: it will be when it is smaller."""
MAX_BRACKETS = 20_000
"""How many brackets are looked into in a large text, at most."""
MAX_GATED_BYTES = 256 << 10
"""Bytes of a text up to which candidates are parsed before they are tested: a parse of more takes
as long as many a test."""


@dataclass(frozen=True, slots=True)
class Trees:
    """What each file is written in; decided once, since what is left of a file tells less."""

    languages: Mapping[str, Language]
    missing: tuple[str, ...] = ()
    """Why some files have no grammar."""
    _last: list[tuple[Files, Forest]] = field(default_factory=list, compare=False, repr=False)
    """The last forest: one pass after the other looks at the same files when nothing works."""

    @classmethod
    def of(
        cls, files: Files, named: Language | None = None, more: Sequence[Language] = ()
    ) -> "Trees":
        """Find out the languages of files, from their names and contents, unless one is named."""
        languages: dict[str, Language] = {}
        missing: dict[str, None] = {}
        for path, content in files.contents.items():
            language = named or language_of(path, content, more)
            if language is None or not is_text(content):
                continue
            if language.parser is None:
                try:
                    load(language)
                except GrammarMissing as error:
                    missing[str(error)] = None
                    language = BRACKETS
            languages[path] = language
        return cls(languages, tuple(missing))

    def forest(self, files: Files) -> Forest:
        """Return the trees of all files that have a language."""
        if not self._last or self._last[0][0].contents != files.contents:
            self._last[:] = [(files, self._grown(files))]
        return self._last[0][1]

    def _grown(self, files: Files) -> Forest:
        texts = {}
        for path, content in files.contents.items():
            language = self.language(path)
            if language is not None and content and not self.is_by_lines(path, content):
                texts[path] = Parsed(content, language, _tree(language, content))
        return Forest.of(texts)

    def language(self, path: str) -> Language | None:
        """Return the language of a file; None: it has none."""
        return self.languages.get(path)

    def is_by_lines(self, path: str, content: bytes) -> bool:
        """Tell whether a text is too large for its tree, and brackets would tell little of it."""
        language = self.language(path)
        return (
            language is not None and len(content) > LARGE_TEXT_BYTES and language.newline_sensitive
        )

    def syntax_errors(self, path: str, content: bytes) -> int:
        """Return in how many places a file does not follow its grammar."""
        language = self.language(path)
        if language is None or len(content) > MAX_GATED_BYTES:
            return 0
        return syntax_errors_of(language, content)


def _tree(language: Language, content: bytes) -> Tree:
    """Return the tree of a text; of a large one only the large parts."""
    if len(content) <= LARGE_TEXT_BYTES:
        return tree_of(language, content)
    return coarse.parse(content, len(content) // MAX_BRACKETS)
