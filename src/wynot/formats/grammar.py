"""The one door to tree-sitter: text and a grammar give a tree, whatever the text."""

import warnings
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from time import thread_time
from typing import TYPE_CHECKING, Any

from wynot.core.tree import Tree
from wynot.formats.language import Language
from wynot.formats.tree_reading import Reading

if TYPE_CHECKING:
    import tree_sitter

PARSE_SECONDS = 1
"""Seconds after which a parse is given up: some texts send error recovery round and round."""

BYTES_PER_SECOND = 50_000
"""For so many bytes there is another second; the slowest grammars take a tenth of it."""

STALLED_SHARE = 0.5
"""Tree-sitter looks at the clock. If less than this part of the time was ours, it was not the text
that took so long but the machine, which is no reason to give up: what a text is said to be must not
depend on what else is running."""
MAX_STALLS = 10
"""How often it is begun again."""

_DENIED = frozenset(
    {
        "tree_sitter_perl",
        *(f"tree_sitter_language_pack.bindings.{each}" for each in ("cobol", "fsharp", "perl")),
    }
)
"""Grammars whose scanner never ends on some texts, which no timeout stops."""


class GrammarMissing(Exception):
    """The grammar of a language is not installed, or is of no use."""

    def __init__(self, language: Language, why: str) -> None:
        super().__init__(f"there is no grammar for {language.name}: {why}")
        self.language = language
        self.why = why


def load(language: Language) -> "tree_sitter.Language":
    """Return the grammar of a language; raise GrammarMissing if there is none."""
    try:
        return _grammar(language.grammar, language.function)
    except _Unusable as error:
        hint = f"; pip install {language.package}" if language.package else ""
        raise GrammarMissing(language, f"{error}{hint}") from error


def is_installed(language: Language) -> bool:
    """Tell whether a language can be parsed here, without loading anything for it."""
    if language.parser is not None:
        return True
    package = language.grammar.partition(".")[0]
    return bool(package) and language.grammar not in _DENIED and find_spec(package) is not None


def reserved(language: Language) -> frozenset[str]:
    """Return the words of a language that nobody can rename, in lower case, if they are known.

    A grammar has many single letters (as options of an expansion in a shell) that are no such word.
    """
    try:
        grammar = load(language)
    except GrammarMissing:
        return frozenset()
    words = set()
    for number in range(grammar.node_kind_count):
        word = grammar.node_kind_for_id(number) or ""
        if grammar.node_kind_is_named(number):
            bare = word.removeprefix(language.keywords)
            word = bare if bare != word else ""
        if len(word) > 1 and word.isidentifier() and grammar.node_kind_is_visible(number):
            words.add(word.lower())
    return frozenset(words)


def parse(language: Language, content: bytes, least: int = 0) -> Tree:
    """Return the tree of a text.

    What is inside of nodes of fewer than ``least`` bytes is left out: each is one token.
    """
    parsed = sitter_tree(language, content)
    if parsed is None:
        tree = Tree()
        tree.mark_flaw(tree.leaf(language.name, 0, len(content), 0))
        return tree
    return Reading(parsed, content, least).tree()


def syntax_errors(language: Language, content: bytes) -> int:
    """Return in how many places a text does not follow the grammar; no tree is built for it."""
    return errors_in(sitter_tree(language, content))


def errors_in(parsed: "tree_sitter.Tree | None") -> int:
    """Return how many flaws there are in what tree-sitter found; one if it gave up."""
    return 1 if parsed is None else errors_under(parsed.root_node)


def errors_under(node: "tree_sitter.Node") -> int:
    """Return how many flaws there are in a node that tree-sitter found."""
    return sum(1 for _ in _flaws(node))


def has_errors(parsed: "tree_sitter.Tree | None") -> bool:
    """Tell whether there is any flaw in what tree-sitter found.

    That it says so of a tree is not enough: what is missing may be a token that nobody sees, as
    the end of a statement of SQL, and that is none.
    """
    return parsed is None or any(True for _ in _flaws(parsed.root_node))


def _flaws(node: "tree_sitter.Node") -> "Iterator[tree_sitter.Node]":
    """Yield the nodes where a text does not follow the grammar."""
    open_nodes = [node] if node.has_error else []
    while open_nodes:
        node = open_nodes.pop()
        if node.is_error or node.is_missing:
            yield node
        # What an error consists of may be one, and not say so of itself.
        open_nodes += [each for each in node.children if each.has_error or each.is_error]


def sitter_tree(
    language: Language, content: bytes, like: "tree_sitter.Tree | None" = None
) -> "tree_sitter.Tree | None":
    """Return what tree-sitter makes of a text; None: it gave up.

    What has not changed is taken from the tree that it is ``like``, which was told of all edits.
    """
    # By powers of two, so that there are few parsers: to set the time of one anew is deprecated.
    seconds = 1 << (PARSE_SECONDS + len(content) // BYTES_PER_SECOND - 1).bit_length()
    parser = _parser(load(language), seconds)
    if language.veil is not None:
        content = language.veil(content)
    begun = thread_time()
    for _ in range(MAX_STALLS):
        try:
            return parser.parse(content) if like is None else parser.parse(content, like)
        except ValueError:
            parser.reset()
        if thread_time() - begun > seconds * STALLED_SHARE:
            break
    return None


class _Unusable(Exception):
    """Why a module gives no grammar."""


@cache
def _grammar(module: str, function: str) -> "tree_sitter.Language":
    """Return what a module has; it is costly to import, and mostly not needed."""
    if not module or module in _DENIED:
        raise _Unusable("none is known" if not module else "it never ends on some texts")
    with warnings.catch_warnings():
        # Some grammars hand over a number.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            sitter = import_module("tree_sitter")
            found: tree_sitter.Language = sitter.Language(
                getattr(import_module(module), function)()
            )
        except Exception as error:  # what an extension module raises is anyone's guess
            raise _Unusable(str(error)) from error
    return found


@cache
def _parser(grammar: "tree_sitter.Language", seconds: int) -> "tree_sitter.Parser":
    """Return a parser that gives up after some time.

    There is one for all threads: tree-sitter parses bytes without giving up Python's lock.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        parser: Any = import_module("tree_sitter").Parser(grammar)
        parser.timeout_micros = seconds * 1_000_000
    found: tree_sitter.Parser = parser
    return found
