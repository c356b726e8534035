"""The sources of the plan: each is one way to make a case smaller.

A source looks at where the reduction is, and returns the search that goes on from there. To add one
is to write a function here and to name it in a tier of `wynot.passes.plan`.

The last one puts the final newline of texts back, in one test for all files: so a result can be
printed, put into a report and compared by lines, and is one byte longer on purpose.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from wynot.core.events import LINE_ENDS
from wynot.core.files import Files, is_text
from wynot.core.round import Search
from wynot.core.texts.parts import NO_PARTS, Parts
from wynot.core.texts.rewrites import Patch, Rewrite, RewritesCase
from wynot.formats.cuts import (
    blocks,
    characters,
    lines,
    octets,
    of_binary,
    of_text,
    paragraphs,
    tokens,
)
from wynot.formats.parsers.records import elements, without_last_comma
from wynot.formats.parsers.records import records as record_parts
from wynot.passes.binary_passes import FinerChunks, ZeroBytes
from wynot.passes.catalog import ALIKE_LINKS, LAYOUTS, MEANINGS, QUICK_MEANINGS, TEXTS
from wynot.passes.containers import LAY_OUT_INSIDE, DeleteMembers, can_be_laid_out
from wynot.passes.large.drop_large_parts import DropBrackets, DropLargeParts
from wynot.passes.large.large_sources import FrontFirst
from wynot.passes.merging.one_file import Merging
from wynot.passes.progress import Progress
from wynot.passes.reduction_pass import Cut, DeleteFiles, DeleteParts, MappedCase, ProtectedPatterns
from wynot.passes.relation_passes import drop_counted
from wynot.passes.rewrites.layout import joined_lines, tidy
from wynot.passes.rewrites.shorten import renames
from wynot.passes.tiers import Context, Source
from wynot.passes.trees.drop_links import DropLinks
from wynot.passes.trees.rewrite_structure import RewriteStructure
from wynot.passes.trees.tree_passes import (
    DropLetters,
    DropWindows,
    PruneTrees,
    RewriteNodes,
    Rewrites,
    SweepNodes,
    SweepTokens,
)
from wynot.search.combinators import Step, done, in_turn, mapped, one_after_another
from wynot.search.largest import NO_LESSONS, LargestFirst, Lessons


@dataclass(frozen=True, slots=True)
class DeleteRecords:
    """Leave out records of all texts at once."""

    name: str = "records"
    proves: str = "records"

    def cut(self, files: Files, keep: ProtectedPatterns, lessons: Lessons = NO_LESSONS) -> Cut:
        """Cut every text."""
        cut = DeleteParts(self.name, _records).cut(files, keep, lessons)
        arrays = {
            path: (content, bounds)
            for path, content in files.contents.items()
            if is_text(content) and (bounds := elements(content))
        }
        if not arrays:
            return cut
        tails = {path: len(content) - bounds[-1] for path, (content, bounds) in arrays.items()}
        updated = partial(_without_last_commas, tails=tails)
        return cut._replace(case=MappedCase(cut.case, files, "arrays", files=updated))


def _without_last_commas(files: Files, tails: Mapping[str, int]) -> Files:
    """Leave no comma after the last element of an array, of which the bytes behind it are known."""
    updated = {path: without_last_comma(files.contents[path], tail) for path, tail in tails.items()}
    return files.replaced({**files.contents, **updated})


def _records(content: bytes) -> Parts:
    return record_parts(content) if is_text(content) else NO_PARTS


def last_line_ends(original: Files, *, always: bool = False) -> dict[str, bytes]:
    """Return what each text of the original ends with; or, if it always is to have one, might."""
    ends = {}
    for path, content in original.contents.items():
        if is_text(content) and (always or content.endswith(b"\n")):
            ends[path] = b"\r\n" if content.endswith(b"\r\n") else b"\n"
    return ends


@dataclass(frozen=True, slots=True)
class EndLines:
    """Put the final newline back, in all texts that had one: to do so is a part."""

    ends: Mapping[str, bytes]
    """What each text is to end with."""
    name: str = LINE_ENDS
    proves: str = ""

    def cut(self, files: Files, _keep: ProtectedPatterns, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each text without a final newline as a part; what is empty stays empty."""
        found = [
            Rewrite("final newline", (Patch(path, len(content), len(content), self.ends[path]),))
            for path, content in files.contents.items()
            if path in self.ends and content and is_text(content) and not content.endswith(b"\n")
        ]
        return Cut(RewritesCase(files, found), search=LargestFirst(RewriteStructure(files, found)))


MAX_INDENTATION = 64
"""Levels of indentation that are told apart."""
WHITE_SPACE = "white space"
WHITE_SPACE_PATIENCE = 6
"""Failures in a row that white space may cost before all else is done."""
MUCH_BYTES, WHITE_SPACE_TESTS = 16 << 10, 8
"""Bytes from which on blanks are only a small part of what there is to save, and the tests that
they may cost then, at a time."""
LEAST_PLAIN_TESTS = 256
"""Tests that plain bytes may cost in any case; else as many as the reduction took before."""


# Whole files.


def files(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out files of folders."""
    return context.runs.run(DeleteFiles(), progress)


def canonical_form(context: Context, progress: Progress) -> Search[Progress]:
    """Lay out binary files anew that can be said in a text."""
    if not context.options.rewrite or not can_be_laid_out(progress.files):
        return done(progress)
    return context.runs.run(LAY_OUT_INSIDE, progress)


def members(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out members of containers."""
    return context.runs.run(DeleteMembers(), progress)


def one_file(context: Context, progress: Progress) -> Search[Progress]:
    """Write all files where they are named: one is easier to reduce than many."""
    return _merging(context).whole(progress)


def fewer_files(context: Context, progress: Progress) -> Search[Progress]:
    """Write files where they are named, one by one, when little is left of them."""
    return _merging(context).each(progress)


def _merging(context: Context) -> Merging:
    return Merging(context.runs, context.trees, is_on=context.options.merges)


def counted_items(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out the items that numbers count; from then on all passes update such numbers."""
    return drop_counted(context.runs, context.trees, progress)


# Trees.


def links(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out levels of deep nests."""
    return context.run(DropLinks(context.trees), progress)


def alike_links(context: Context, progress: Progress) -> Search[Progress]:
    """Have the levels of deep nests that are left all alike."""
    if not context.options.rewrite:
        return done(progress)
    return context.run(ALIKE_LINKS(context.trees), progress)


def front(context: Context, progress: Progress) -> Search[Progress]:
    """Reduce the front of large sources, and leave out what nothing needs any more."""
    return FrontFirst(context.runs, context.options, context.trees)(progress)


def nodes(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out nodes of the trees."""
    return context.run(PruneTrees(context.trees, context.patience), progress)


def windows(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out a few neighbouring tokens at once."""
    return context.run(DropWindows(context.trees, context.patience), progress)


def letters(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out characters inside of tokens."""
    if not context.options.rewrite:
        return done(progress)
    step = DropLetters(context.trees, context.patience, names=context.options.rename)
    return context.run(step, progress)


def plugin_passes(context: Context, progress: Progress) -> Search[Progress]:
    """Run the passes of plug-ins."""
    if not context.options.rewrite:
        return done(progress)
    steps = (partial(context.run, extra(context.trees)) for extra in context.options.passes)
    return in_turn(tuple(steps), progress)


# Rewrites.


def rewriting(name: str, rewrites: Sequence[Rewrites]) -> Source:
    """Return the source that does some rewrites."""

    def source(context: Context, progress: Progress) -> Search[Progress]:
        options = context.options
        if not options.rewrite:
            return done(progress)
        step = RewriteNodes(
            context.trees, context.patience, name, rewrites=rewrites, names=options.rename
        )
        return context.run(step, progress)

    source.__name__ = name
    return source


texts = rewriting("texts", TEXTS)
quick_meanings = rewriting("meanings", QUICK_MEANINGS)
meanings = rewriting("meanings", MEANINGS)
names = rewriting("names", (renames,))


def plugin_rewrites(context: Context, progress: Progress) -> Search[Progress]:
    """Do the rewrites of plug-ins."""
    rewrites = context.options.rewrites
    return rewriting("plug-ins", rewrites)(context, progress) if rewrites else done(progress)


def white_space(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out white space that nobody needs; join the lines of a short text."""
    if not context.options.rewrite or context.options.layout not in {"tidy", "short"}:
        return done(progress)
    if progress.view.weight > MUCH_BYTES:
        context = context.limited(WHITE_SPACE_TESTS, progress)
    steps = (
        RewriteNodes(context.trees, WHITE_SPACE_PATIENCE, WHITE_SPACE, rewrites=(rewrites,))
        for rewrites in (tidy, joined_lines)
    )
    return in_turn(tuple(partial(context.run, step) for step in steps), progress)


def layout(context: Context, progress: Progress) -> Search[Progress]:
    """Lay the text out as it is wanted."""
    if context.options.layout == "keep":
        return done(progress)
    rewrites = LAYOUTS[context.options.layout]
    step = RewriteNodes(context.trees, context.patience, WHITE_SPACE, rewrites=rewrites)
    return context.run(step, progress)


# Parts, lines, words and characters, which need no tree.


def parts_of_torn(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out large parts of texts that need not parse: so without some of their brackets."""
    steps = (
        partial(context.run, DropBrackets(context.trees)),
        partial(_parts_if_other, context, progress.files),
    )
    return in_turn(steps, progress)


def _parts_if_other(context: Context, before: Files, progress: Progress) -> Search[Progress]:
    is_same = progress.files.contents == before.contents
    return done(progress) if is_same else large_parts(context, progress)


def large_parts(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out large parts of large texts, as long as each time leaves less than half."""
    return one_after_another(partial(_next_parts, context), None, progress)


def _next_parts(
    context: Context, before: Progress | None, progress: Progress
) -> tuple[Step[Progress], Progress] | None:
    if before and 2 * progress.view.size >= before.view.size:
        return None
    return partial(context.run, DropLargeParts(context.trees, context.patience)), progress


def line_groups(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out paragraphs, then indented blocks level by level."""
    step = DeleteParts("paragraphs", of_text(paragraphs))
    next_level = partial(_next_level, context)
    return in_turn(
        (partial(context.run, step), partial(one_after_another, next_level, 0)), progress
    )


def _next_level(
    context: Context, level: int, progress: Progress
) -> tuple[Step[Progress], int] | None:
    here = of_text(partial(blocks, level=level))
    contents = progress.view.contents.values()
    if level == MAX_INDENTATION or not any(here(content).starts for content in contents):
        return None
    outer = of_text(partial(blocks, level=level - 1)) if level else paragraphs
    return partial(context.run, DeleteParts(f"blocks {level + 1}", here, outer)), level + 1


def single_lines(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out lines."""
    step = DeleteParts("lines", of_text(lines), of_text(paragraphs), proves="lines")
    return context.run(step, progress)


def lines_with_blanks(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out lines of texts in which blank lines matter: with tokens, those next to them go."""
    options = context.options
    if options.fast or not options.rewrite or options.layout not in {"tidy", "short"}:
        return done(progress)  # blank lines stay because nothing was to leave them out
    texts = filter(is_text, progress.view.contents.values())
    if not any(line.isspace() for text in texts for line in text.splitlines(keepends=True)):
        return done(progress)
    return context.run(DeleteParts("lines", of_text(lines)), progress)


def words(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out tokens, as a tokenizer for any language sees them."""
    step = DeleteParts("tokens", of_text(tokens), of_text(lines), proves="tokens")
    return context.run(step, progress)


def all_characters(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out characters."""
    step = DeleteParts("characters", of_text(characters), of_text(tokens), proves="characters")
    return context.run(step, progress)


def records(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out records."""
    return context.run(DeleteRecords(), progress)


# Bytes.


def chunks(context: Context, progress: Progress) -> Search[Progress]:
    """Cut what is no text into chunks, and into finer ones as long as that pays."""
    return FinerChunks(context.runs)(progress)


def single_bytes(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out bytes of what is no text."""
    return context.run(DeleteParts("bytes", of_binary(octets), proves="bytes"), progress)


def raw_bytes(context: Context, progress: Progress) -> Search[Progress]:
    """Leave out bytes of the files as they are, whatever they hold."""
    return context.runs.run(DeleteParts("bytes", octets, proves="bytes"), progress)


def zeros(context: Context, progress: Progress) -> Search[Progress]:
    """Make bytes zero that cannot go."""
    context = context.limited(max(progress.cost.tests, LEAST_PLAIN_TESTS), progress)
    return context.run(ZeroBytes(), progress)


# The proof.


def free_characters(context: Context, progress: Progress) -> Search[Progress]:
    """Try each character of a text that is in no language: it may have begun as a binary file."""
    languages = context.trees.languages
    is_free = any(
        path not in languages or languages[path].accepts_any_text
        for path, content in progress.view.contents.items()
        if is_text(content)
    )
    if not context.options.rewrite or not is_free:
        return done(progress)
    return all_characters(context, progress)


def single_nodes(context: Context, progress: Progress) -> Search[Progress]:
    """Try each node alone."""
    return (
        done(progress) if context.options.fast else context.run(SweepNodes(context.trees), progress)
    )


def single_tokens(context: Context, progress: Progress) -> Search[Progress]:
    """Try each token alone."""
    if context.options.fast:
        return done(progress)
    return context.run(SweepTokens(context.trees), progress)


def line_ends(context: Context, progress: Progress) -> Search[Progress]:
    """Put final newlines back: what is proved is so of all but them."""
    # There is no second time for what is cut off early.
    search = context.runs.run(
        EndLines(context.ends), replace(progress, loop=1, short_timeout=False)
    )
    return mapped(search, lambda after: replace(after, proofs=progress.proofs))
