"""What a run tells its observers: frozen records, in commit order.

``CandidateJudged`` and ``SessionEnded`` are the same at any width. The others are those of a
reduction, which is many sessions in a row; of them only ``Ran`` and ``GivenUp`` depend on the
width, since they tell what really ran.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.verdict import Verdict


class StatusRead(NamedTuple):
    """The counts of a run, as it has written them down."""

    row: object
    """As JSON has it: `RunStatus.row`; it may be anything."""


class BatchStarted(NamedTuple):
    """A batch began: the folder was read, and its inputs are about to be run once each."""

    folder: str
    inputs: int
    jobs: int
    options: Mapping[str, object] = MappingProxyType({})
    """The options that are not as usual, by their long names."""


class BatchGroup(NamedTuple):
    """Inputs that fail in the same way."""

    number: int
    """Which one, from 1, in the order in which they are reduced."""
    failure: str
    """What the failure looks like, in one line."""
    members: int
    size: int
    """Bytes of the smallest of them."""


class BatchSorted(NamedTuple):
    """Each input was run once, and those that fail are in groups."""

    groups: tuple[BatchGroup, ...]
    passing: int
    """How many inputs do not fail."""
    rejected: int
    """How many end with an ordinary error, where others crash."""
    hanging: int
    """How many did not end in time."""
    missing: int
    """How many could not be read."""
    known: int
    """How many were run by an earlier run of the same command, and not again."""


class GroupStarted(NamedTuple):
    """An input of a group is reduced now."""

    number: int
    name: str
    """The input, as it is called in the folder."""
    size: int


class GroupEnded(NamedTuple):
    """As much of a group is reduced as was asked for."""

    number: int
    state: str
    """reduced, stopped, duplicate or unusable."""
    name: str
    """The input that the result was made from."""
    before: int
    size: int
    tests: int
    seconds: float
    where: str = ""
    """The folder with the result; that of the other group if it is a duplicate."""
    why: str = ""
    """Why it was stopped, or cannot be reduced."""


class BatchEnded(NamedTuple):
    """A batch ended."""

    stopped: str
    """Why: a `Stop`, or the slug of an error."""
    inputs: int
    failing: int
    causes: int
    """Groups that are left when duplicates are not counted."""
    unfinished: int
    """Groups that were not reduced to the end, though they can be."""
    unusable: int
    """Groups of which no input fails reliably."""
    tests: int
    shared: int
    """Answers that were taken from the reduction of another input."""
    seconds: float
    where: str
    """The folder with the results."""
    runs: int = 0
    """Starts of the user's command, whatever for."""
    checks: int = 0
    """How many of them were to check the test or a result, and are not among `tests`."""
    repeated: int = 0
    """How many of them were to ask the same once more."""


class SessionStarted(NamedTuple):
    """A session began on so many deltas."""

    deltas: int
    width: int


class CandidateJudged(NamedTuple):
    """A candidate got its verdict: from the test, or from the memo."""

    candidate: Candidate
    verdict: Verdict
    from_memo: bool
    decided: bool
    """Whether it is what its round looked for."""
    iteration: int
    so_far: object
    """What a search for several things had found before."""
    left: int | None = None
    """How many more questions there are at most on the way over all parts that it belongs to."""


class SessionEnded(NamedTuple):
    """The session ended, and why."""

    stopped: str
    """Why: a `Stop`, or the slug of an error."""
    left: int


class ReductionStarted(NamedTuple):
    """A reduction began: the test was checked, and is good."""

    names: tuple[str, ...]
    """The files or folders, as the user named them."""
    size: int
    """Bytes of the original."""
    jobs: int
    keeps: str
    """What the failure is known by, in one line."""
    seconds: float
    """How long one test of the original takes."""
    known: int
    """How many verdicts an earlier, unfinished run has left."""
    passes: tuple[str, ...] = ()
    """What else must succeed on every case that is taken, one line each."""
    writable: tuple[str, ...] | None = None
    """Folders that tests can write to besides their own; None: they are not confined."""
    options: Mapping[str, object] = MappingProxyType({})
    """The options that are not as usual, by their long names."""


class PassStarted(NamedTuple):
    """A pass begins on the best case so far, cut into so many parts."""

    name: str
    parts: int
    loop: int
    """Which time the plan is gone through, from 1."""
    again: bool = False
    """Whether that is to ask again, with all the time there is, what was cut off early."""


class Ran(NamedTuple):
    """A test was really run, and ended."""

    worker: int
    verdict: Verdict
    seconds: float
    how: str
    """How it ended, in a few words: ``exit status 1``, ``killed by SIGSEGV``."""
    timed_out: bool = False
    """Whether it ran into the time limit, and nothing is known for that reason."""


class GivenUp(NamedTuple):
    """A test that was running was ended: it was a bet, and the other side came."""

    worker: int
    seconds: float


class Accepted(NamedTuple):
    """There is a new best case."""

    number: int
    """Which one, from 1."""
    size: int
    tests: int
    """Tests so far, in commit order."""
    pass_name: str
    candidate: str


class PassEnded(NamedTuple):
    """A pass came to its end, or a budget ended it."""

    name: str
    size: int
    """Bytes of the best case now."""
    tests: int
    """Tests that this pass asked for."""
    minimal: bool
    """Whether it is proved that no single part of this kind can go."""
    finished: bool = True
    """Whether it tried all that it had to try: no budget ended it, and nobody skipped it."""


class Noticed(NamedTuple):
    """Something that a person should know, though the reduction goes on."""

    slug: str
    message: str


class Doing(NamedTuple):
    """Something begins that may take long, and that no other event tells of."""

    what: str
    """As the subject of a sentence: ``the first run of the test``; empty: the last one is over."""
    hint: str = ""
    """What the user can do about it, besides Ctrl-C."""
    longest: float = 0.0
    """Seconds that it, or one run of several, may take at most; 0 if that is not known."""
    done: int = 0
    of: int = 0
    """How much of it is done, of how much; 0 if it cannot be counted."""


class ReductionEnded(NamedTuple):
    """A reduction ended."""

    stopped: str
    """Why: a `Stop`, or the slug of an error."""
    before: int
    size: int
    tests: int
    """Tests that the searches asked for."""
    extra: int
    """Tests that were run ahead in vain."""
    seconds: float
    minimal: tuple[str, ...]
    """The kinds of parts of which it is proved that no single one can go: lines, tokens, …"""
    where: str
    """Where the result is."""
    original: str
    """Where the original is."""
    journal: str
    test_seconds: float = 0.0
    """How long the tests took that were really run, all workers together."""
    timed_out: int = 0
    """How many of them ran into the time limit."""
    timed_out_seconds: float = 0.0
    """How long those took."""
    refused: tuple[tuple[str, int], ...] = ()
    """Each guard, as it was asked for, and how many candidates it has refused."""
    was: str = ""
    """What the failure looked like on the original; empty if that is not known."""
    now: str = ""
    """What it looks like on the result; empty if that is not known."""
    differs: bool = False
    """Whether the two differ in more than numbers and names of the input."""
    line_ends: int = 0
    """How many texts got their final newline back after that was proved: they may go as well."""
    skipped: tuple[str, ...] = ()
    """The passes that were skipped by hand, each time one was, in order."""
    runs: int = 0
    """Starts of the user's command, whatever for."""
    checks: int = 0
    """How many of them were to check the test or a result, and are not among `tests`."""
    repeated: int = 0
    """How many of them were to ask the same once more."""


LINE_ENDS = "line ends"
"""The pass that puts final newlines back."""


class InquiryStarted(NamedTuple):
    """An inquiry began: both sides were tried, and are what they should be."""

    subject: str
    """What is asked about, in a few words: ``40 commits, 200 hunks``."""
    jobs: int
    keeps: str
    """What the failure is known by, in one line."""
    seconds: float
    """How long one test of the failing side takes."""
    known: int
    """How many verdicts an earlier, unfinished run has left."""
    passes: tuple[str, ...] = ()
    """What else must succeed on every case that is taken, one line each."""
    writable: tuple[str, ...] | None = None
    """Folders that tests can write to besides their own; None: they are not confined."""
    options: Mapping[str, object] = MappingProxyType({})
    """The options that are not as usual, by their long names."""


class LevelStarted(NamedTuple):
    """A question is now asked of so many groups of this kind."""

    question: str
    """commit, cause, cure or difference."""
    level: str
    units: int


class Narrowed(NamedTuple):
    """Fewer groups are left to choose from."""

    question: str
    level: str
    units: int
    tests: int
    """Tests so far, in commit order."""


class Shown(NamedTuple):
    """A line of an answer, and its style."""

    text: str
    style: str = ""


class Answered(NamedTuple):
    """A question has its answer, as good as it could be had."""

    question: str
    title: str
    """The answer in one sentence."""
    lines: tuple[Shown, ...]
    minimal: str
    """The kind of parts of which it is proved that no single one can go, empty if of none."""
    data: object
    """The same for programs."""
    pairs: tuple[tuple[str, bytes, bytes], ...] = ()
    """Files whose two sides are to be shown beside each other: name, passing, failing."""


class InquiryEnded(NamedTuple):
    """An inquiry ended."""

    stopped: str
    """Why: a `Stop`, or the slug of an error."""
    tests: int
    """Tests that were needed, those of the two sides among them."""
    extra: int
    """Tests that were run ahead in vain."""
    seconds: float
    written: tuple[tuple[str, str], ...]
    """What was written, and where."""
    test_seconds: float = 0.0
    """How long the tests took that were really run, all workers together."""
    timed_out: int = 0
    """How many of them ran into the time limit."""
    timed_out_seconds: float = 0.0
    """How long those took."""
    refused: tuple[tuple[str, int], ...] = ()
    """Each guard, as it was asked for, and how many candidates it has refused."""
    runs: int = 0
    """Starts of the user's command, whatever for."""
    checks: int = 0
    """How many of them were to check the test or a result, and are not among `tests`."""
    repeated: int = 0
    """How many of them were to ask the same once more."""


Event = (
    SessionStarted
    | CandidateJudged
    | SessionEnded
    | ReductionStarted
    | PassStarted
    | Ran
    | GivenUp
    | Accepted
    | PassEnded
    | Noticed
    | Doing
    | ReductionEnded
    | InquiryStarted
    | LevelStarted
    | Narrowed
    | Answered
    | InquiryEnded
    | BatchStarted
    | BatchSorted
    | GroupStarted
    | GroupEnded
    | BatchEnded
    | StatusRead
)

_NAMES: dict[type, str] = {
    ReductionStarted: "began",
    PassStarted: "pass_began",
    ReductionEnded: "ended",
    InquiryStarted: "inquired",
    LevelStarted: "level_began",
    InquiryEnded: "concluded",
}
"""Names that programs know, of events whose classes are called otherwise."""


def event_name(kind: type) -> str:
    """Return the name of an event in JSON and in journals: ``pass_ended`` of ``PassEnded``."""
    return _NAMES.get(kind) or re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
