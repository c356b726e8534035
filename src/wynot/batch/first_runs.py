"""The first run of each input: whether it fails, and what that looks like."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock
from typing import NamedTuple

from wynot.agents.sandbox import Sandbox
from wynot.batch.folder_inputs import ONE_NAME, BatchInput
from wynot.commands.batch_options import BatchOptions
from wynot.core.ending import Ending, ending_of
from wynot.core.events import Doing, Event
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.disk.rows import VERDICTS
from wynot.engine.budget import Budget, Spent
from wynot.failures.failing_place import NOWHERE, failing_place
from wynot.failures.failure_class import FailureClass, shown_failure
from wynot.job.evaluator import Evaluator
from wynot.oracle.oracle import Oracle
from wynot.oracle.provisioner import FilesInFolder, Invocation
from wynot.oracle.trial import TrialResult
from wynot.reduction.original import vocabulary_of

KEPT_BYTES = 16 * 1024
"""Bytes that are kept of the beginning, and of the end, of what a run has printed."""


class FirstRun(NamedTuple):
    """An input, and what came of its first run."""

    source: BatchInput
    digest: str = ""
    """That of its content; empty if it could not be read."""
    result: TrialResult | None = None
    """None: it was not run."""
    why: str = ""
    """Why not."""

    @property
    def ending(self) -> Ending:
        """How the run ended."""
        assert self.result is not None  # noqa: S101 - only of those that were run
        return self.result.ending


@dataclass(frozen=True, slots=True)
class UnderOwnName:
    """Puts an input in place under its own name."""

    fixed: Files

    def provision(self, subject: Files, sandbox: Sandbox) -> Invocation:
        """Fill the folder with the input and what every test needs, and nothing else."""
        [name] = subject.contents
        return FilesInFolder(Invocation((name,), name), self.fixed).provision(subject, sandbox)


class InputRuns:
    """Runs inputs once; what the journal of the batch has is not run again."""

    def __init__(
        self,
        evaluator: Evaluator[Files],
        journal: Journal,
        options: BatchOptions,
        observe: Callable[[Event], None],
        budget: Budget,
    ) -> None:
        self._budget = budget
        self._evaluator = evaluator
        self._journal = journal
        self._options = options
        self._observe = observe
        self.known = 0
        """How many inputs were run by an earlier run of the same command."""
        self._done = 0
        self._lock = Lock()

    def first_runs(self, inputs: Sequence[BatchInput]) -> list[FirstRun]:
        """Return what came of all inputs; of equal ones, one is run."""
        self._done = 0
        of = len(inputs)
        return self._evaluator.do_all([partial(self._seen, each, of) for each in inputs])

    def ending(self, files: Files) -> Ending:
        """Return how the test ends on a content; it is run for that if need be."""
        [(result, _)] = self._evaluator.do(partial(self._run, files))
        return result.ending

    def _seen(self, source: BatchInput, of: int, sandbox: Sandbox) -> FirstRun:
        is_known = False
        try:
            self._budget.seconds()
            files = source.files()
        except OSError as error:  # it has gone, or cannot be read, by now
            found = FirstRun(source, why=f"it cannot be read: {error.strerror}")
        except Spent:
            found = FirstRun(source, why="the time was up before it was run")
        else:
            result, is_known = self._run(files, sandbox)
            found = FirstRun(source, files.digest.hex(), result)
        with self._lock:
            self.known += is_known
            self._done += 1
            done = self._done
        self._observe(Doing("the first run of each input", "", 0.0, done, of))
        return found

    def _run(self, files: Files, sandbox: Sandbox) -> tuple[TrialResult, bool]:
        """Return what a run shows, and whether that was known."""
        [name] = files.contents
        key = f"seen {name} {files.digest.hex()}"
        known = self._recalled(key)
        if known is not None:
            return known, True
        result = _trimmed(self._evaluator.oracle.once(files, sandbox, capture=True))
        self._journal.keep_check(key, [result.verdict.value, result.ending.row, result.why])
        return result, False

    def _recalled(self, key: str) -> TrialResult | None:
        match self._journal.check(key):
            case [str(verdict), list(row), str(why)] if verdict in VERDICTS:
                ending = ending_of(row)
                return ending and TrialResult(Verdict(verdict), ending, why=why)
        return None


def scanning(oracle: Oracle[Files], fixed: Files) -> Oracle[Files]:
    """Return an oracle for inputs with names of their own."""
    return replace(oracle, provisioner=UnderOwnName(fixed))


def failure_class(
    options: BatchOptions, files: Callable[[], Files], ending: Ending
) -> FailureClass:
    """Return what an input fails with; it is read again only if its words matter."""
    by_script = bool(options.test or options.shell or options.differs)
    shown = shown_failure(ending, by_script=by_script)
    place = failing_place(ending, ONE_NAME) if options.by_place else NOWHERE
    return FailureClass.of(options.same or "auto", shown, vocabulary_of(options, files), place)


def _trimmed(result: TrialResult) -> TrialResult:
    ending = result.ending
    return result._replace(
        ending=ending._replace(stdout=_ends(ending.stdout), stderr=_ends(ending.stderr))
    )


def _ends(output: bytes) -> bytes:
    if len(output) <= 2 * KEPT_BYTES:
        return output
    return output[:KEPT_BYTES] + b"\n" + output[-KEPT_BYTES:]
