"""``wynot changes``: which changes make it fail, and which of them to take back."""

from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from pathlib import Path

from wynot.commands.inquiry_options import ChangesOptions
from wynot.core.errors import InvalidOption
from wynot.core.events import Doing, Event, InquiryEnded, Noticed
from wynot.core.files import Files
from wynot.core.options.quantities import counted
from wynot.core.round import Search
from wynot.core.verdict import Verdict
from wynot.disk.load import of_named
from wynot.disk.results import refuse_unwritable
from wynot.inquiries.changes import change_sources
from wynot.inquiries.changes.answer import worded
from wynot.inquiries.changes.change_sources import ChangesSource, Comparison, SourceHistory
from wynot.inquiries.changes.circumstance import down_to, whole_hunks
from wynot.inquiries.changes.commit_context import ContextReader
from wynot.inquiries.changes.commit_history import States, chain
from wynot.inquiries.changes.diff_parser import refuse_submodule
from wynot.inquiries.changes.first_bad import GoodEndSearch, context_at, first_bad, states_of, teach
from wynot.inquiries.changes.git import GITLINK_MODE
from wynot.inquiries.changes.guilty_change import GuiltyChange
from wynot.inquiries.changes.overlay import Overlay
from wynot.inquiries.changes.worktree import Worktrees, in_tree, top_of
from wynot.inquiries.driver import Course, Restart
from wynot.inquiries.inquiry import ON_DISK, Inquiry
from wynot.inquiries.questions import CAUSE, CURE
from wynot.inquiries.sides import Names
from wynot.machine.run_folder import RunFolder
from wynot.oracle.confining import confinement
from wynot.oracle.guards import as_it_is, words_of
from wynot.oracle.trials import inquiring, require_program


def inquire(options: ChangesOptions, observe: Callable[[Event], None]) -> InquiryEnded:
    """Find the changes that make it fail, and the smallest revert."""
    options.validate()
    if options.out:
        refuse_unwritable(Path(options.out))
    root = RunFolder.make(room=ON_DISK)
    try:
        what = "the two folders" if options.folders else "the history"
        observe(Doing(f"reading {what}"))
        if options.good and not options.prove:
            bad = options.bad or "HEAD"
            origin = change_sources.of_history(Path(options.repo), options.good, bad, root.folder)
            return _search_history(options, origin, observe)
        if options.is_of_revisions and not options.good:
            return _search_back(options, root.folder, observe)
        return _search_changes(options, _compared(options, root.folder), observe)
    finally:
        root.close()


def _compared(options: ChangesOptions, private: Path) -> Comparison:
    repo = Path(options.repo)
    if options.folders and options.patch:
        return change_sources.of_patch_on_folder(
            Path(options.patch), Path(options.folders[0]), private
        )
    if options.folders:
        good, bad = map(Path, options.folders)
        return change_sources.of_folders(good, bad, private)
    if options.patch:
        return change_sources.of_patch(Path(options.patch), repo, private)
    if options.staged:
        return change_sources.of_index(repo, private)
    if options.worktree:
        return change_sources.of_files(repo, private)
    return change_sources.of_revisions(repo, options.good, options.bad or "HEAD", private)


def _search_history(
    options: ChangesOptions, origin: SourceHistory, observe: Callable[[Event], None]
) -> InquiryEnded:
    """Find the first bad commit; then what of it does the harm, and the revert."""
    states = states_of(origin)
    changed = _changed(states)
    last = origin.history.bad.tree
    with _opened(options, origin.source, changed, last, observe) as inquiry:
        counts = f"{counted(len(states.commits), 'commit')}, {counted(len(changed), 'file')}"
        inquiry.try_sides(states, counts, once=True).require_pass()
        return _traced(inquiry, origin, options, observe)


def _search_back(
    options: ChangesOptions, private: Path, observe: Callable[[Event], None]
) -> InquiryEnded:
    """Go back to a revision that passes, and search from there."""
    repo, bad = Path(options.repo), options.bad or "HEAD"
    earlier = change_sources.of_earlier(repo, bad, private, tags=options.tags)
    last = earlier.states.bad.commit
    with _opened(options, earlier.source, (), last.tree, observe) as inquiry:
        end = GoodEndSearch(inquiry, earlier.states).run()
        if end is None:
            return inquiry.conclude()
        observe(Noticed("good-end", end.summary))
        good = end.good.commit
        origin = change_sources.from_good(earlier, good, (each.commit for each in end.failing))
        if options.prove:
            comparison = change_sources.comparison_of(
                origin.source, chain(origin.source.store, good.id, last.id)
            )
            inquiry.driver.learn_sides(comparison.changes, Verdict.UNINTERESTING)
            return _answered(inquiry, comparison, options)
        states = states_of(origin)
        _changed(states)
        teach(inquiry.driver, states, end)
        return _traced(inquiry, origin, options, observe)


def _changed(states: States) -> Collection[str]:
    """Return the paths of what differs between both sides; raise if it is a submodule."""
    entries = states.chosen(states.deltas).entries
    for path, entry in entries.items():
        if entry is not None and entry.mode == GITLINK_MODE:
            refuse_submodule(path)
    return entries.keys()


def _traced(
    inquiry: Inquiry[Overlay],
    origin: SourceHistory,
    options: ChangesOptions,
    observe: Callable[[Event], None],
) -> InquiryEnded:
    """Find the commit, and what of it does the harm."""
    while inquiry.is_going and inquiry.varying.sides is None:
        with suppress(Restart):  # the test runs more often from now on
            inquiry.driver.run(partial(_explained, inquiry, origin, ContextReader(origin), options))
            break
    if inquiry.varying.sides is None:
        return inquiry.conclude()
    observe(Doing("reading all changes"))
    history, source = origin
    way = chain(source.store, history.good.id, history.bad.id)
    return _answered(inquiry, change_sources.comparison_of(source, way), options)


def _explained(
    inquiry: Inquiry[Overlay],
    origin: SourceHistory,
    contexts: ContextReader,
    options: ChangesOptions,
    course: Course[Overlay],
) -> Search[None]:
    """Find the commit, what of it does the harm, and the revert: the story of ``changes``."""
    suspected = yield from first_bad(course, inquiry, origin)
    before = yield from course.tests()
    try:
        context = yield from context_at(course, origin, contexts, suspected)
    except InvalidOption as error:  # a submodule changes: the commit is all that can be told
        course.observe(Noticed("commit", str(error)))
        return
    levels = down_to(options.atoms, context.comparison.changes.levels)
    yield from GuiltyChange(course, inquiry, contexts, options, context, levels, before).explain()


def _search_changes(
    options: ChangesOptions, comparison: Comparison, observe: Callable[[Event], None]
) -> InquiryEnded:
    """Find the smallest cause over all changes at once, and the smallest revert."""
    changes = comparison.changes
    changed = {delta.path for delta in changes.described}
    last = changes.steps[-1].tree
    with _opened(options, comparison.source, changed, last, observe) as inquiry:
        counts = ", ".join(f"{len(level.units):,} {level.name}" for level in changes.levels)
        inquiry.try_sides(changes, counts).require_pass()
        return _answered(inquiry, comparison, options)


def _answered(
    inquiry: Inquiry[Overlay], comparison: Comparison, options: ChangesOptions
) -> InquiryEnded:
    changes = comparison.changes
    levels = down_to(options.atoms, changes.levels)
    hunks = whole_hunks(levels, changes.deltas)
    return inquiry.answer(
        (CAUSE, CURE) if options.cure else (CAUSE,),
        changes,
        partial(worded, comparison),
        levels=lambda question: levels if question is CAUSE else hunks,
        out=options.out,
    )


def _opened(
    options: ChangesOptions,
    source: ChangesSource,
    changed: Collection[str],
    bad: str,
    observe: Callable[[Event], None],
) -> Inquiry[Overlay]:
    """Return the inquiry, not begun yet; ``changed`` are paths, ``bad`` is the failing tree."""
    _notice(source, observe)
    # It may be part of what changes; or all that it would say may be in a log.
    if "/" not in options.command[0] and not options.replay:
        require_program(options.command)
    top = _top_of(options)
    adapted = partial(in_tree, top=top, source=source, changed=changed, from_disk=options.worktree)
    command, beside = adapted(options.command)
    guards = []
    for text in options.passes:
        argv, more = adapted(words_of(text))
        beside = Files({**beside.contents, **more.contents}, {**beside.modes, **more.modes})
        guards.append(as_it_is(text, argv, options.timeout))
    names = Names(
        f"the bad side ({_called(options)[1]})",
        f"the good side ({_called(options)[0]})",
        "run the command by hand in a checkout of each; it must exit with 0 if all is well, "
        "125 if it cannot tell, 1 to 124 if it fails",
    )
    return Inquiry(
        "changes",
        [command, of_named(command), beside.digest.hex(), source.good, bad],
        options,
        inquiring(options, command, worse=options.worse, as_bisect=options.same is None),
        Worktrees(
            source,
            clean=options.clean,
            beside=beside,
            is_confined=confinement(options).writable is not None,
        ),
        names,
        observe,
        room=ON_DISK,
        guards=guards,
        apart=[top],
    )


def _notice(source: ChangesSource, observe: Callable[[Event], None]) -> None:
    """Tell what is not as in the user's own checkout."""
    for path in source.submodules:
        why = f"the submodule {path!r} is an empty folder in the private work trees"
        observe(Noticed("submodule", why))
    for name in source.filters:
        why = f"the filter {name!r} of the repository's own config is not run: the files that "
        observe(Noticed("filter", f"{why}it is for are taken as they are on disk"))


def _called(options: ChangesOptions) -> tuple[str, str]:
    """Return what the user calls the two sides."""
    if options.folders and not options.patch:
        return options.folders[0], options.folders[1]
    if options.patch:
        return "without the patch", options.patch
    if options.staged or options.worktree:
        return "HEAD", "what is staged" if options.staged else "the files as they are"
    return options.good or "an earlier one", options.bad or "HEAD"


def _top_of(options: ChangesOptions) -> Path:
    """Return the folder that the candidates are versions of."""
    return Path(options.folders[0]).resolve() if options.folders else top_of(Path(options.repo))
