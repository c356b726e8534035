"""Which language a file is written in, and the tree of it.

The name decides before the text does: whoever gave it knows best. A text that tells nothing is
treated as nested brackets and lines, and a binary file has no language. Only patterns that leave
little doubt count, since a wrong guess costs trees.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType

from wynot.core.texts.tree import Tree
from wynot.formats import grammar
from wynot.formats.language import Language
from wynot.formats.language_table import BRACKETS, BY_NAME, LANGUAGES

_LINES = re.MULTILINE
_LEAST_LISTS = 3
"""How many lists a text must have to be treated as lists."""
_BINARY_SHARE = 0.1
"""What fraction of a text may be control characters."""

_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_SHEBANG = re.compile(rb"#![ \t]*(\S+)(?:[ \t]+(?:-\S+[ \t]+|\w+=\S*[ \t]+)*([^\s-]\S*))?")
_VERSION = re.compile(r"[\d.]+\Z")
_LISTS = re.compile(rb"\s*(?:;[^\n]*\n\s*)*\(")

_OBJECTIVE_C = re.compile(
    rb"^[ \t]*@(?:interface|implementation|protocol|import|class|end)\b", _LINES
)
_CPP = re.compile(
    rb"^[ \t]*(?:class|template|namespace|using)\b|::|\b(?:public|private|protected)[ \t]*:"
    rb"|\b(?:constexpr|nullptr|typename|virtual|noexcept)\b|\boperator[ \t]*[^\w\s]",
    _LINES,
)
_C_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(?:import|include|define)\b", _LINES)
_COQ = re.compile(
    rb"^[ \t]*(?:Theorem|Lemma|Definition|Require|Inductive|Fixpoint|Proof)\b", _LINES
)
_ANYTHING = re.compile(b"")

Patterns = Sequence[tuple[re.Pattern[bytes], str]]

_BY_SHARED_SUFFIX: Mapping[str, Patterns] = {
    ".h": ((_OBJECTIVE_C, "objective-c"), (_CPP, "cpp")),
    ".m": ((_OBJECTIVE_C, "objective-c"), (_C_DIRECTIVE, "objective-c"), (_ANYTHING, "matlab")),
    ".v": ((_COQ, "brackets"),),
}
"""Suffixes that several languages share: what tells each of them."""

_AT_BEGIN: Patterns = (
    (
        re.compile(
            rb"\s*(?:<!--.*?-->\s*)*(?:<!doctype html|<html[\s>])", re.IGNORECASE | re.DOTALL
        ),
        "html",
    ),
    (
        re.compile(rb"\s*<(?:\?xml[\s?]|[A-Za-z_][\w.:-]*(?:\s[^<>]*)?/?>\s*(?:<|\Z|[^<]*</))"),
        "xml",
    ),
    (re.compile(rb"\s*<\?(?:php\b|=)"), "php"),
    (re.compile(rb'\s*\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\}\s*\Z)'), "json"),
    (
        re.compile(
            rb'\s*\[\s*(?:[\[{]\s*[\[{"\d\]}-]|"(?:[^"\\]|\\.)*"\s*[,\]]|-?\d[\d.eE+-]*\s*,|\]\s*\Z)'
        ),
        "json",
    ),
    (re.compile(rb"\s*(?:;;[^\n]*\n\s*)*\(module\b"), "wat"),
    (re.compile(rb"\s*(?:strict\s+)?(?:di)?graph\b[^{;=()]*\{", re.IGNORECASE), "dot"),
    (re.compile(rb"%YAML\b|---\s*\n"), "yaml"),
)
_ON_A_LINE: Patterns = (
    (re.compile(rb"^(?:diff --git |--- .*\n\+\+\+ .*\n@@ )", _LINES), "diff"),
    (
        re.compile(
            rb"^(?:define|declare)[ \t].*@|^target (?:datalayout|triple) = |^source_filename = ",
            _LINES,
        ),
        "llvm",
    ),
    (
        re.compile(
            rb"^[ \t]*\((?:set-(?:logic|option|info)|declare-(?:fun|const|sort|datatypes?)"
            rb"|define-fun|assert|check-sat)\b",
            _LINES,
        ),
        "smt-lib",
    ),
)


def by_content(head: bytes) -> str:
    """Return the name of the language that a text shows; empty: none that is known."""
    text = head.removeprefix(b"\xef\xbb\xbf")
    for pattern, name in _AT_BEGIN:
        if pattern.match(text):
            return name
    for pattern, name in _ON_A_LINE:
        if pattern.search(text):
            return name
    opened, closed = text.count(b"("), text.count(b")")
    is_lists = _LISTS.match(text) and opened >= _LEAST_LISTS and abs(opened - closed) <= opened // 2
    return "lisp" if is_lists else ""


def interpreter(head: bytes) -> tuple[str, str]:
    """Return the program that the first line names, with and without its version."""
    match = _SHEBANG.match(head)
    if match is None:
        return "", ""
    program, argument = (each.decode("utf-8", "replace") if each else "" for each in match.groups())
    name = program.rpartition("/")[2]
    if name == "env":
        name = argument.rpartition("/")[2]
    return name, _VERSION.sub("", name)


def is_binary(head: bytes) -> bool:
    """Tell whether this is not a text: it has a zero, or many control characters."""
    return b"\0" in head or len(_CONTROLS.findall(head)) > _BINARY_SHARE * len(head)


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
    if is_binary(head):
        return None
    return _by_shebang(head) or BY_NAME.get(by_content(head), BRACKETS)


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
            for pattern, language in _BY_SHARED_SUFFIX.get(suffix, ()):
                if pattern.search(head):
                    return BY_NAME[language]
            return _BY_SUFFIX[suffix]
        at = small.find(".", at + 1)
    return _BY_FILE_NAME.get(name.partition(".")[0])  # Dockerfile.test


def _by_shebang(head: bytes) -> Language | None:
    whole, bare = interpreter(head)
    return _BY_INTERPRETER.get(whole) or _BY_INTERPRETER.get(bare)
