"""Which language a file is written in, and the tree of it.

The name decides before the text does: whoever gave it knows best. A text that tells nothing is
taken for nested brackets and lines, and what is no text has no language.
"""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType

from wynot.core.tree import Tree
from wynot.formats import grammar, signs
from wynot.formats.language import Language
from wynot.formats.language_table import BRACKETS, BY_NAME, LANGUAGES

SNIFFED_HEAD_BYTES = 4096
"""How many bytes of a text are looked at."""


def language_of(path: str, content: bytes, more: Sequence[Language] = ()) -> Language | None:
    """Return the language of a file; None: it is no text. What plug-ins add comes first."""
    for language in more:
        if (
            path.lower().endswith(language.suffixes)
            or PurePosixPath(path).name in language.file_names
        ):
            return language
    head = content[:SNIFFED_HEAD_BYTES]
    found = _by_name(path.replace("\\", "/").rpartition("/")[2], head)
    if found is not None and found is not BRACKETS:
        return found
    if signs.is_binary(head):
        return None
    return _by_shebang(head) or BY_NAME.get(signs.by_content(head), BRACKETS)


def reserved_words(path: str, content: bytes) -> frozenset[str]:
    """Return the words of a file's language that nobody can rename, if they are known."""
    language = language_of(path, content)
    return frozenset() if language is None else grammar.reserved(language)


def tree_of(language: Language, content: bytes, least: int = 0) -> Tree:
    """Return the tree of a text; our own parsers give all of it, whatever the least size."""
    if language.parser is not None:
        return language.parser(content)
    return grammar.parse(language, content, least)


def syntax_errors_of(language: Language, content: bytes) -> int:
    """Return in how many places a text does not follow its language's grammar."""
    if language.flaws is not None:
        return language.flaws(content)
    if language.parser is not None:
        return language.parser(content).syntax_errors
    return grammar.syntax_errors(language, content)


def _suffixes() -> Mapping[str, Language]:
    table: dict[str, Language] = {}
    for language in LANGUAGES:
        for suffix in language.suffixes:
            table.setdefault(suffix, language)
    return MappingProxyType(table)


_BY_SUFFIX = _suffixes()
_BY_FILE_NAME = {name: language for language in LANGUAGES for name in language.file_names}
_BY_INTERPRETER = {name: language for language in LANGUAGES for name in language.interpreters}


def _by_name(name: str, head: bytes) -> Language | None:
    """Return what the name of a file tells: its whole, or the longest suffix that is known."""
    if name in _BY_FILE_NAME:
        return _BY_FILE_NAME[name]
    small = name.lower()
    at = small.find(".")
    while at >= 0:
        suffix = small[at:]
        if suffix in _BY_SUFFIX:
            for sign, language in signs.DECIDE.get(suffix, ()):
                if sign.search(head):
                    return BY_NAME[language]
            return _BY_SUFFIX[suffix]
        at = small.find(".", at + 1)
    return _BY_FILE_NAME.get(name.partition(".")[0])  # Dockerfile.test


def _by_shebang(head: bytes) -> Language | None:
    whole, bare = signs.interpreter(head)
    return _BY_INTERPRETER.get(whole) or _BY_INTERPRETER.get(bare)
