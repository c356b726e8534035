"""The one door to tree-sitter: a text and a grammar give a tree.

Grammars leave out text now and then: what stands between the quotes of a string, a line that is
continued, what was masked. A tree promises that only white space is outside of its tokens, so that
text becomes a token here.
"""

from typing import TYPE_CHECKING

from wynot.core.texts.tree import FLAW, NAMED, Tree
from wynot.formats.language import belongs_to_next, is_masked

if TYPE_CHECKING:
    import tree_sitter
import warnings
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from time import thread_time
from typing import TYPE_CHECKING, Any

from wynot.formats.language import Language

MAX_ATOM_BYTES = 200
"""Bytes up to which a node with text that its children leave out is taken as one token."""

_ERROR_KIND = 0xFFFF
"""The kind that tree-sitter gives to what it cannot make sense of."""


class Reading:
    """One walk over what tree-sitter found; by cursor, since nesting can be deeper than a stack."""

    def __init__(self, parsed: "tree_sitter.Tree", content: bytes, least: int) -> None:
        self._cursor = parsed.walk()
        self._content = content
        self._least = least
        self._made = Tree()
        self._kinds: dict[int, tuple[str, bool]] = {}
        self._torn: set[int] = set()
        """Open nodes of which some text was in no child."""

    def tree(self) -> Tree:
        """Walk all nodes, each at its begin and at its end."""
        cursor, made, least = self._cursor, self._made, self._least
        node = cursor.node
        assert node is not None  # noqa: S101 - a cursor of a tree is at a node
        # The root of tree-sitter leaves out the white space around it.
        number = self._open(node, 0, len(self._content), 0)
        reached = 0
        above: list[tuple[int, int]] = []
        """The nodes that are open around the present one, and where each stops."""
        stop = len(self._content)
        down = cursor.goto_first_child()
        while True:
            if down:
                above.append((number, stop))
            elif above and not cursor.goto_next_sibling():
                number, stop = above.pop()
                cursor.goto_parent()
                if reached < stop:
                    self._fill(number, reached, stop)
                self._close(number, stop)
                reached = stop
                continue
            elif not above:
                break
            down = False
            node = cursor.node
            assert node is not None  # noqa: S101
            start, stop = node.start_byte, node.end_byte
            parent = above[-1][0]
            begin = self._filled(parent, reached, start, alone=not node.child_count)
            number = self._open(node, begin, stop, parent)
            if begin < start:
                self._fill(number, begin, start)
            down = stop - start >= least and cursor.goto_first_child()
            reached = start if down else stop
            if not down:
                self._close(number, stop)
        if len(made) == 1:
            self._close(0, len(self._content))
        return made

    def _open(self, node: "tree_sitter.Node", start: int, stop: int, parent: int) -> int:
        kind = node.kind_id
        known = self._kinds.get(kind)
        if known is None:  # asked for by number: to make a string for each node takes longer
            known = self._kinds[kind] = (node.type, node.is_named)
        field = self._cursor.field_name or ""
        made = self._made
        number = made.open(known[0], start, parent, field=field, named=known[1])
        if kind == _ERROR_KIND or (start == stop and node.is_missing):
            made.mark_flaw(number)
        return number

    def _filled(self, parent: int, reached: int, start: int, *, alone: bool) -> int:
        """Make a token of text before a node, unless it is part of it; return where that starts."""
        bare = self._content[reached:start].strip()
        if bare and not alone and belongs_to_next(bare):
            return self._content.index(bare, reached)
        self._fill(parent, reached, start)
        return start

    def _fill(self, parent: int, start: int, stop: int) -> None:
        """Make a token of text that is in no child, if there is any."""
        bare = self._content[start:stop].lstrip()
        if not bare:
            return
        start, bare = stop - len(bare), bare.rstrip()
        # What continues a line, or was masked, takes nothing from what is around it.
        if bare != b"\\" and not is_masked(bare):
            self._torn.add(parent)
        self._made.leaf("", start, start + len(bare), parent, named=False)

    def _close(self, number: int, stop: int) -> None:
        made = self._made
        if number in self._torn:
            self._torn.remove(number)
            if stop - made.starts[number] <= MAX_ATOM_BYTES and not self._has_parts(number):
                for column in (made.kinds, made.fields, made.flags, made.starts, made.stops):
                    del column[number + 1 :]
                del made.parents[number + 1 :], made.subtree_ends[number + 1 :]
        made.close(number, stop)

    def _has_parts(self, number: int) -> bool:
        """Tell whether something in a node is worth to be kept, though text around it is torn."""
        made = self._made
        inside = range(number + 1, len(made))
        return any(
            made.flags[each] & FLAW or (made.flags[each] & NAMED and made.parents[each] != number)
            for each in inside
        )


PARSE_SECONDS = 0.1
"""Processor time after which a parse is given up: some texts send error recovery round and round.
Not seconds by the clock: what a text is said to be must not depend on what else is running."""

BYTES_PER_SECOND = 200_000
"""For this many bytes there is another second; the slowest grammars take less than half of it."""

USUAL_SECONDS = 0.05
"""How long most texts take at most, by the clock: tree-sitter looks at no other."""
MARGIN, LEAST_SHARE, MAX_STALLS = 1.25, 0.05, 10
"""How much more time there is by the clock than a text may take; the least share of that which is
ours; how often a parse is begun again because it was less."""

_DENIED = frozenset(
    {
        "tree_sitter_perl",
        *(f"tree_sitter_language_pack.bindings.{each}" for each in ("cobol", "fsharp", "perl")),
    }
)
"""Grammars whose scanner never ends on some texts, which no timeout stops."""


SLOW_SCANNERS = {"tree_sitter_svelte": 8 << 10}
"""Grammars whose scanner takes quadratic time on some texts (an unclosed brace), which no timeout
stops; and how many bytes of a text are left to it."""


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
    keywords = set()
    for number in range(grammar.node_kind_count):
        word = grammar.node_kind_for_id(number) or ""
        if grammar.node_kind_is_named(number):
            bare = word.removeprefix(language.keywords)
            word = bare if bare != word else ""
        if len(word) > 1 and word.isidentifier() and grammar.node_kind_is_visible(number):
            keywords.add(word.lower())
    return frozenset(keywords)


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
    if language.mask is not None:
        content = language.mask(content)
    grammar = load(language)
    usual = _usual_parser(grammar)
    try:
        return _parsed(usual, content, like)
    except ValueError:  # the time is up
        usual.reset()
    return _slow_tree(grammar, content, like) if like else _whole_slow_tree(grammar, content)


def _parsed(
    parser: "tree_sitter.Parser", content: bytes, like: "tree_sitter.Tree | None"
) -> "tree_sitter.Tree":
    return parser.parse(content) if like is None else parser.parse(content, like)


@lru_cache(maxsize=4)
def _whole_slow_tree(grammar: "tree_sitter.Language", content: bytes) -> "tree_sitter.Tree | None":
    """Return the tree of a text that takes long; it is remembered, as each pass asks for it."""
    return _slow_tree(grammar, content, None)


def _slow_tree(
    grammar: "tree_sitter.Language", content: bytes, like: "tree_sitter.Tree | None"
) -> "tree_sitter.Tree | None":
    """Return the tree of a text that takes long; None: it takes too long.

    Tree-sitter looks at the clock, of whose time only a share is ours. A parse always starts with
    the text: one that goes on after a break may find something else.
    """
    most, share = PARSE_SECONDS + len(content) / BYTES_PER_SECOND, 1.0
    for _ in range(MAX_STALLS):
        seconds, start, found = MARGIN * most / share, thread_time(), None
        with suppress(ValueError):
            found = _parsed(_parser(grammar, seconds), content, like)
        used = thread_time() - start
        if found is not None or used > most:
            return found if used <= most else None
        share = max(used / seconds, LEAST_SHARE)
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
def _usual_parser(grammar: "tree_sitter.Language") -> "tree_sitter.Parser":
    """Return a parser for all threads: it parses bytes without giving up Python's lock."""
    return _parser(grammar, USUAL_SECONDS)


def _parser(grammar: "tree_sitter.Language", seconds: float) -> "tree_sitter.Parser":
    """Return a parser that stops after some time."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        parser: Any = import_module("tree_sitter").Parser(grammar)
        parser.timeout_micros = int(seconds * 1_000_000)
    found: tree_sitter.Parser = parser
    return found
