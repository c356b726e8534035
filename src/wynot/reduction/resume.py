"""Which journal a run writes to: that of an earlier run of the same command, or a new one.

``t.sh``, ``./t.sh`` and its full path are the same script, so a run that was begun with one of them
is the run that a later command with another means. Paths are seen from the folder of the result: so
a folder can be moved, and its journals go with it.

A new journal is a draft until the test has been found to be good: so a mistaken command does not
take the place of what an earlier run has left, and a run that is killed in its first moments still
has what it had asked.
"""

import json
import os
import shlex
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, dataclass
from enum import Enum
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.errors import BrokenJournal, InvalidOption
from wynot.core.events import LINE_ENDS, Event, Noticed, ReductionEnded
from wynot.core.files import Files
from wynot.core.standing import Stop
from wynot.disk.database import move_aside
from wynot.disk.journal import Journal
from wynot.disk.output import Earlier, Output, shown
from wynot.disk.salvage import salvage
from wynot.disk.seal import is_sealed
from wynot.oracle.appearance import Likeness
from wynot.oracle.trials import in_full
from wynot.reduction.best import NOTHING_PLACED, PLACES_FACT
from wynot.reduction.run import SKIPS_FACT, read_skips


@dataclass(frozen=True, slots=True)
class Spelling:
    """Paths as they are seen from a folder."""

    home: Path

    def path(self, path: str) -> str:
        """Return a path; a link keeps its own name, since tests see that name."""
        named = Path(path)
        whole = named.resolve()
        if named.name not in {"", ".."}:
            whole = named.parent.resolve() / named.name
        return os.path.relpath(whole, self.home)

    def test(self, test: str) -> str:
        """Return a test script; a program that is found elsewhere stays a name."""
        return self.path(test) if _is_there(test) else test

    def words(self, command: Sequence[str]) -> list[str]:
        """Return a command line, in which the files of the user are such paths."""
        argv = in_full(command) if command else []
        return [
            self.path(word) if word.startswith("/") and _is_there(word) else word for word in argv
        ]

    def line(self, line: str) -> list[str]:
        """Return the words of a command line that is given as one argument."""
        try:
            return self.words(shlex.split(line))
        except ValueError:  # it will be refused, by those who run it
            return [line]


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return False


UNSEALED = (
    "this run cannot be continued or explained later: there is no key in the state folder, and "
    "none can be made there"
)
"""What is told of a journal that will not be known as the user's own."""


class RunBeginning(NamedTuple):
    """Where a run begins."""

    journal: Journal
    original: Files
    known: int
    """How many verdicts there are already."""
    earlier: Earlier
    is_finished: bool = False
    """Whether the same command has come to its end before, and its result is still in place."""

    @property
    def is_draft(self) -> bool:
        """Whether the test is yet to be found good."""
        return self.journal.path.suffix == ".draft"


class EarlierRun(Enum):
    """What an earlier run is to this one; and why it is not gone on with, if so."""

    RESUMED = "it goes on"
    FINISHED = "it was this command, and its result is in place"
    OTHER_FILE = "the file is not what the earlier run left"
    OVER = "the earlier run was finished"
    FOREIGN = "the earlier run was another user's, or on another machine"
    OTHER_COMMAND = "the earlier run was of another command, or of another wynot"


def begin(
    path: Path,
    options: ReduceOptions,
    own: Sequence[str],
    files: Files,
    output: Output,
    observe: Callable[[Event], None],
) -> RunBeginning:
    """Open the journal of an earlier run of the same command on the same files, or begin one.

    ``own`` are digests of the files that the test itself consists of.
    """
    known = fingerprint(options, own, Spelling(output.home))
    journal = _opened(path, options, chain([files], output.versions()), observe)
    with ExitStack() as closing_journal:
        if journal is not None:
            closing_journal.callback(journal.close)
        place = output.there()
        earlier = _left_by(journal, files, place)
        if journal is not None and not options.fresh:
            there = None if options.resume or place is None else place.digest
            run = _earlier_run(journal, earlier, known, files.digest, there)
            if run in {EarlierRun.FINISHED, EarlierRun.RESUMED}:
                closing_journal.pop_all()
                original, count = journal.original(), journal.count()
                is_finished = run is EarlierRun.FINISHED
                return RunBeginning(journal, original, count, earlier, is_finished)
            if options.resume:
                hint = "leave --resume out to start over"
                raise InvalidOption(f"there is nothing to resume: {run.value}", hint=hint)
            observe(_starting_over(run))
        elif options.resume:
            raise InvalidOption("there is nothing to resume", hint="leave --resume out to begin")
    beginning = _draft(path.with_suffix(".draft"), options, known, files, earlier)
    if not beginning.journal.is_own:
        observe(Noticed("unsealed-journal", UNSEALED))
    return beginning


def _starting_over(run: EarlierRun) -> Noticed:
    return Noticed("fresh", f"starting over: {run.value}; its journal is kept")


def _earlier_run(
    journal: Journal, earlier: Earlier, known: str, digest: bytes, there: bytes | None
) -> EarlierRun:
    """Return what the earlier run is to this one, on files with this digest.

    ``there``: the digest of what is in the place of the result, if that may be the end of it.
    """
    if not journal.is_own:
        return EarlierRun.FOREIGN
    original = journal.original()
    is_over = journal.fact("state") == Stop.FINISHED
    if digest not in earlier.left:
        return EarlierRun.OTHER_FILE
    is_same = journal.fact("fingerprint") == known
    last = journal.last_step()
    result = last.digest if last else original.digest
    if is_same and is_over and there == result and digest in {there, original.digest}:
        return EarlierRun.FINISHED
    if is_over and digest != original.digest:
        return EarlierRun.OVER
    return EarlierRun.RESUMED if is_same else EarlierRun.OTHER_COMMAND


def _draft(
    path: Path, options: ReduceOptions, known: str, files: Files, earlier: Earlier
) -> RunBeginning:
    """Go on with a draft of the same command, or begin one; with a damaged one little is lost."""
    draft = None
    with suppress(BrokenJournal):
        draft = None if options.fresh else Journal.open(path)
    if draft is not None:
        if draft.is_own and draft.fact("fingerprint") == known and draft.original() == files:
            return RunBeginning(draft, files, draft.count(), earlier)
        draft.close()
    facts = {
        "fingerprint": known,
        "state": "running",
        "options": json.dumps(asdict(options)),
        # Seen from the result: so its folder can be moved.
        "folder": os.path.relpath(Path.cwd(), path.parent.parent),
    }
    return RunBeginning(Journal.create(path, files, facts), files, 0, earlier)


def _opened(
    path: Path, options: ReduceOptions, known: Iterable[Files], observe: Callable[[Event], None]
) -> Journal | None:
    """Open a journal, if there is one; of a damaged one what can be read of it."""
    try:
        return Journal.open(path)
    except BrokenJournal as error:
        if options.fresh:
            return None
        found = salvage(path, known)
        if found is None or "fingerprint" not in found.facts:
            if options.resume:
                raise
            observe(Noticed("damaged-journal", f"{error.message}; starting over, and keeping it"))
            return None
    if not is_sealed(found.facts):
        observe(_starting_over(EarlierRun.FOREIGN))
        return None
    journal = found.journal(path.with_suffix(".rebuilt"))
    damaged = move_aside(path)
    journal.move(path)
    where = shown(damaged or path)
    observe(
        Noticed(
            "damaged-journal",
            f"the journal is damaged: {found.extent} could be read, and the rest is asked for "
            f"again; the damaged one is kept as {where}",
        )
    )
    return journal


def left_in(path: Path, files: Files) -> frozenset[bytes]:
    """Return the digests of what the run of a journal may have left, these files if they are it."""
    with suppress(BrokenJournal):
        journal = Journal.open(path)
        if journal is not None:
            with closing(journal):
                return _left_by(journal, files).left
    return frozenset()


def _left_by(journal: Journal | None, *found: Files | None) -> Earlier:
    """Return what the run of a journal may have left in place; these, if a kill has left them."""
    if journal is None or not journal.is_own:
        return Earlier(frozenset(), ())
    left = {journal.original().digest, *(row.digest for row in journal.steps())}
    unknown = [files for files in found if files is not None and files.digest not in left]
    if unknown:
        states = _placed_states(journal)
        left |= {files.digest for files in unknown if _is_mixture(files, states)}
    return Earlier(frozenset(left), tuple(map(Path, listed(journal.fact("backups")))))


def placed_before(journal: Journal, *, is_empty: bool) -> tuple[str, ...]:
    """Return the steps of which files may be in place when a run begins."""
    return tuple(journal.fact(PLACES_FACT).split()) or (NOTHING_PLACED if is_empty else "0",)


def _placed_states(journal: Journal) -> list[Files]:
    """Return the states of which files may be in place."""
    last = journal.last_step()
    steps = range(last.number + 1 if last else 1)
    states = []
    for word in journal.fact(PLACES_FACT).split():
        if word == NOTHING_PLACED:
            states.append(Files({}))
        elif word.isdecimal() and int(word) in steps:
            states.append(journal.restore(int(word)))
    return states


def _is_mixture(files: Files, states: Sequence[Files]) -> bool:
    """Tell whether each file is as in one of some states, and each that is missing is in one.

    A write of several files that was cut short leaves some as they were, and others as they were
    to be.
    """
    names = {*files.contents, *chain.from_iterable(state.contents for state in states)}
    return bool(states) and all(
        any(files.contents.get(name) == state.contents.get(name) for state in states)
        for name in names
    )


def listed(fact: str) -> list[str]:
    """Return a fact that is a list of words; empty if it is not."""
    try:
        words = json.loads(fact or "[]")
    except (ValueError, RecursionError):
        return []
    is_list = isinstance(words, list) and all(isinstance(word, str) for word in words)
    return words if is_list else []


def fingerprint(options: ReduceOptions, own: Sequence[str], spelling: Spelling) -> str:
    """Return a key that is the same if a run would ask the same test the same questions."""
    known = options.identity | {
        "own": list(own),
        "files": [spelling.path(path) for path in options.files],
        "fixed": [spelling.path(path) for path in options.fixed],
        "test": spelling.test(options.test) if options.test else "",
        "command": spelling.words(options.command),
        "serve": spelling.line(options.serve),
        "differs": spelling.line(options.differs),
        "passes": [spelling.line(line) for line in options.passes],
    }
    return sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


def finished_before(beginning: RunBeginning, output: Output, seconds: float) -> ReductionEnded:
    """Return what the earlier run has found, as its journal has it."""
    journal, original = beginning.journal, beginning.original.size
    last = journal.last_step()
    return ReductionEnded(
        Stop.ALREADY_FINISHED,
        original,
        last.size if last else original,
        tests=0,
        extra=0,
        seconds=seconds,
        minimal=tuple(listed(journal.fact("minimal"))),
        line_ends=int(last is not None and last.pass_name == LINE_ENDS),
        skipped=tuple(each.name for each in read_skips(journal.fact(SKIPS_FACT))),
        where=output.where,
        original=output.original,
        journal=shown(journal.path),
        **Likeness.recalled(listed(journal.fact("likeness")))._asdict(),
    )
