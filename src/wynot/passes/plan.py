"""The plan: which passes, in what order. From coarse to fine, again until nothing changes."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import starmap
from math import inf
from typing import TypeAlias

from wynot.core.files import Files
from wynot.core.parts import NO_PARTS, Parts
from wynot.formats.base import Format, is_text
from wynot.formats.characters import characters, chunks, octets
from wynot.formats.indentation import blocks
from wynot.formats.lines import lines, paragraphs
from wynot.formats.tokens import tokens
from wynot.passes.base import DeleteFiles, DeleteParts, Pass
from wynot.passes.containers import DeleteMembers, containers_in, inside
from wynot.passes.pumps import Pump
from wynot.passes.records import DeleteRecords
from wynot.passes.rewrites.adopt import adopted
from wynot.passes.rewrites.branches import branches
from wynot.passes.rewrites.columns import columns, parameters
from wynot.passes.rewrites.imports import imports
from wynot.passes.rewrites.inline import inlined
from wynot.passes.rewrites.joins import joined
from wynot.passes.rewrites.layout import pretty, short, tidy
from wynot.passes.rewrites.literals import literals
from wynot.passes.rewrites.members import members
from wynot.passes.rewrites.names import constant, merged
from wynot.passes.rewrites.names import plain as bare
from wynot.passes.rewrites.rename import renames
from wynot.passes.rewrites.scopes import scopes
from wynot.passes.rewrites.shorten import by_example, by_name, by_number, by_table
from wynot.passes.rewrites.types import like_another, words
from wynot.passes.structure import (
    DropLetters,
    DropWindows,
    PruneTrees,
    RewriteNodes,
    Rewrites,
    SweepNodes,
    SweepTokens,
)
from wynot.passes.trees import LARGE, Trees
from wynot.settings import Atoms, Layout, TreeSearch

Plan: TypeAlias = Generator[Pass, Files, None]
"""Yields passes, and is sent what each has left."""

DEEPEST = 64
"""Levels of indentation that are told apart."""
TEXTS = (by_table, by_example, by_number, by_name, literals)
"""Rewrites that put a shorter text in the place of a node."""
MEANINGS = (
    *(columns, parameters, inlined, adopted, branches, words, like_another),
    *(bare, merged, constant, members, joined, imports, scopes),
)
"""Rewrites that look at what names stand for."""
LAYOUTS: Mapping[Layout, Sequence[Rewrites]] = {
    "tidy": (tidy,),
    "pretty": (pretty,),
    "short": (tidy, short),
}
SHORT_PATIENCE = 6
"""Failures in a row that white space may cost before all else is done."""
MOST_PUMPS = 8
"""How many rewrites that make a text longer are tried."""
LARGE_PATIENCE = 200
"""The same for large texts, which are only cut into large pieces at first."""
PATIENCE = 25
"""Failures in a row after which the next pass may have a go, as long as any pass is of use."""

CHUNKS = 1024
"""Parts of binary data that are all tried, whether or not any of them can go."""
WORTH = 128
"""Tests that a chunk may cost that goes."""
FINER = 4
"""How many times smaller the next chunks are."""

Extra: TypeAlias = Callable[[Trees], Pass]
"""Makes a pass of a plug-in."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the user wants of the passes."""

    atoms: Atoms = "auto"
    tree: TreeSearch | None = None
    """The search of the papers to use on the trees, and nothing else after it."""
    lists: bool = False
    """Whether a list search was asked for, which knows no trees."""
    rename: bool = True
    fast: bool = False
    """Whether to do without the proof that nothing more can go."""
    layout: Layout = "tidy"
    rewrites: tuple[Rewrites, ...] = ()
    """Those of plug-ins."""
    passes: tuple[Extra, ...] = ()


def plan(
    files: Files,
    wishes: Wishes,
    trees: Trees,
    loop: int = 1,
    spent: Callable[[], int] = lambda: 0,
) -> Plan:
    """Go once from coarse to fine, for the first time or again; ``spent`` counts the tests."""
    if any("/" in path for path in files.contents):
        files = yield DeleteFiles()
    if wishes.atoms == "bytes":
        yield DeleteParts("bytes", octets, proves="bytes")
        return
    if containers_in(files):
        files = yield DeleteMembers()
    yield from inside(partial(_contents, wishes=wishes, trees=trees, loop=loop, spent=spent), files)


def _contents(
    files: Files, wishes: Wishes, trees: Trees, loop: int, spent: Callable[[], int]
) -> Plan:
    """Reduce what is in the files."""
    if wishes.atoms == "auto" and not any(map(is_text, files.contents.values())):
        if wishes.lists:
            yield DeleteParts("bytes", octets, proves="bytes")
        else:
            yield from opaque(files, spent)
    elif wishes.atoms == "records":
        yield DeleteRecords()
    elif wishes.tree is not None:
        yield PruneTrees(trees)
    elif wishes.atoms == "auto" and not wishes.lists:
        yield from structured(files, wishes, trees, loop, spent)
    else:
        yield from plain(files, wishes.atoms)


def structured(
    files: Files, wishes: Wishes, trees: Trees, loop: int, spent: Callable[[], int]
) -> Plan:
    """Use what is known of the languages; a text of none is still lines and brackets."""
    while _is_large(files):
        before = files
        if any(starmap(trees.is_by_lines, files.contents.items())):
            files = yield from plain(files, "lines")
        files = yield PruneTrees(trees, LARGE_PATIENCE)
        if files.contents == before.contents:
            yield from plain(files, "lines")
            return
    most = inf if loop == 1 else PATIENCE
    files = yield from _simplified(files, wishes, trees, most, spent)
    files = yield DropWindows(trees, most)
    files = yield DropLetters(trees, most, names=wishes.rename)
    for number in range(MOST_PUMPS if loop == 1 else 0):
        files = yield Pump(trees, number)
    if wishes.layout != "keep":
        files = yield RewriteNodes("white space", trees, LAYOUTS[wishes.layout], most)
    if all(language.loose for language in trees.languages.values()):
        files = yield DeleteParts(
            "characters", of_text(characters), of_text(tokens), proves="characters"
        )
    if not wishes.fast:
        files = yield SweepNodes(trees)
        files = yield SweepTokens(trees)
    if not all(map(is_text, files.contents.values())):
        yield from opaque(files, spent)


def opaque(files: Files, spent: Callable[[], int]) -> Generator[Pass, Files, Files]:
    """Cut what is no text into chunks, and into finer ones as long as that pays; at last bytes.

    Where nothing can go, each level takes as many tests as it has chunks. So a large file is cut
    no finer than into ``CHUNKS``, unless some of those can go.
    """
    size, coarse = max(1, -(-_opaque_bytes(files) // CHUNKS)), None
    while True:
        before, tests = files, spent()
        cut = of_binary(octets if size == 1 else partial(chunks, size=size))
        files = yield DeleteParts("bytes", cut, coarse, proves="bytes" if size == 1 else "")
        gone = (before.size - files.size) // size
        pays = gone * WORTH >= spent() - tests
        finer = -(-_opaque_bytes(files) // CHUNKS)
        if size == 1 or not (pays or finer == 1):
            return files
        size, coarse = max(1, min(finer, size // FINER)), cut


def _opaque_bytes(files: Files) -> int:
    return sum(len(content) for content in files.contents.values() if not is_text(content))


def _is_large(files: Files) -> bool:
    return any(len(content) > LARGE for content in files.contents.values())


def _simplified(
    files: Files, wishes: Wishes, trees: Trees, most: float, spent: Callable[[], int]
) -> Generator[Pass, Files, Files]:
    """Leave out and rewrite nodes: next is the pass that has saved most bytes for a test so far.

    As long as any pass is of use, one that fails for long lets the next one have a go. When none
    is, each may try all it has; but not again when little has changed since.
    """
    patience: float = PATIENCE
    while True:
        passes = _simplifying(wishes, trees, patience)
        saved = dict.fromkeys(range(len(passes)), inf)  # each is to show what it can do
        vain: set[int] = set()
        """Those that have nothing to offer for the files as they are."""
        while len(vain) < len(passes):
            number = max((each for each in saved if each not in vain), key=saved.__getitem__)
            before, tests = files, spent()
            files = yield passes[number]
            saved[number] = max(before.weight - files.weight, 0) / (spent() - tests + 1)
            if files.contents != before.contents:
                vain.clear()
            vain.add(number)  # it went on for as long as it was of use
        if patience == most:
            return files
        patience = most


def _simplifying(wishes: Wishes, trees: Trees, patience: float) -> list[Pass]:
    """Return the passes that take turns."""
    rewrites = {
        "texts": TEXTS,
        "meanings": MEANINGS,
        "plug-ins": wishes.rewrites,
        "names": (renames,),
    }
    layout = [RewriteNodes("white space", trees, (tidy,), SHORT_PATIENCE)]
    return [
        PruneTrees(trees, patience),
        *(layout if wishes.layout in {"tidy", "short"} else ()),
        *(
            RewriteNodes(name, trees, these, patience, names=wishes.rename)
            for name, these in rewrites.items()
            if these
        ),
        *(extra(trees) for extra in wishes.passes),
    ]


def plain(files: Files, atoms: Atoms) -> Generator[Pass, Files, Files]:
    """Use nothing but lines, indentation, words and characters."""
    files = yield DeleteParts("paragraphs", of_text(paragraphs))
    for level in range(DEEPEST):
        level_blocks = of_text(partial(blocks, level=level))
        if not any(level_blocks(content).starts for content in files.contents.values()):
            break
        outer = of_text(partial(blocks, level=level - 1)) if level else paragraphs
        files = yield DeleteParts(f"blocks {level + 1}", level_blocks, outer)
    files = yield DeleteParts("lines", of_text(lines), of_text(paragraphs), proves="lines")
    if atoms != "lines":
        files = yield DeleteParts("tokens", of_text(tokens), of_text(lines), proves="tokens")
    if atoms in {"auto", "chars"}:
        files = yield DeleteParts(
            "characters", of_text(characters), of_text(tokens), proves="characters"
        )
    if atoms == "auto" and not all(map(is_text, files.contents.values())):
        files = yield DeleteParts("bytes", of_binary(octets), proves="bytes")
    return files


def of_text(of: Format) -> Format:
    """Return the format, for texts only."""
    return partial(_only, of, text=True)


def of_binary(of: Format) -> Format:
    """Return the format, for what is no text."""
    return partial(_only, of, text=False)


def _only(of: Format, content: bytes, *, text: bool) -> Parts:
    return of(content) if is_text(content) is text else NO_PARTS
