"""What is found out before anything is left out: so that a wrong test is found while it is cheap.

Each mistake has its own message. The commonest are a test that needs files of its own folder, and
one that accepts anything, even an empty file.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple, cast, get_args

from wynot.core.ending import Ending, Limit
from wynot.core.errors import NotExecutable, NotInteresting, OnlyInPlace, Unreliable
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.disk.rows import VERDICTS
from wynot.engine.tester import Tester
from wynot.oracle.repetition import LARGE_SAMPLE, RAREST, SAMPLE, Repetition
from wynot.oracle.trial import Said
from wynot.reduction.any_input import always_interesting
from wynot.reduction.appearances import Appearances

TRIES = 24
"""How often a test that says no at first is asked, in case it is unreliable: a failure that shows
in one run of five is found but for one time in two hundred."""

LONG = 20.0
"""Seconds after which that is given up."""

FEW = 4

AGES = 1e7
"""Seconds: no test takes as long."""

ALWAYS = 3
"""How often an empty case must show the failure, without ever not showing it, to be refused."""

BATCH = 5
"""How many runs are made at once where the number of runs depends on what they show."""

DOING = {
    "original": "the first run of the test",
    "again": "the second run of the test",
    "empty": "running the test on an empty file",
    "holds": "testing the best case again",
}
"""What a run that is not of a search is called while it takes long."""


class Facts(NamedTuple):
    """What the first runs have shown."""

    keeps: str
    seconds: float
    rate: float
    """How often the failure shows on the original."""
    noise: float = 0.0
    """How often it seems to show on an empty case: by chance."""


class Confirmed(NamedTuple):
    """What came of asking again about a case that was accepted."""

    holds: bool
    shown: int
    runs: int


class FirstRun:
    """Asks the test about the original, again, and about nothing at all."""

    def __init__(
        self,
        tester: Tester[Files],
        journal: Journal,
        original: Files,
        in_place: Callable[[], Said] | None,
        appearances: Appearances,
    ) -> None:
        """Take ``in_place`` to run the test where the files really are."""
        self._tester = tester
        self._journal = journal
        self._original = original
        self._in_place = in_place
        self._appearances = appearances

    def facts(self) -> Facts:
        """Return what is known now; raise if the test is no good."""
        first = self._once("original", self._original)
        require_run(first)
        oracle = self._tester.oracle
        oracle = replace(oracle, trial=oracle.trial.settled(first))
        self._tester.use(oracle)
        again = self._once("again", self._original)
        self._appearances.begin(first, again)
        seconds = min(first.ending.seconds, again.ending.seconds)
        if first.verdict is again.verdict is Verdict.INTERESTING or (
            # What was learned from the first run is what the second one is held against.
            first.verdict is Verdict.UNRESOLVED and again.verdict is Verdict.INTERESTING
        ):
            rate = 1.0
        else:
            rate = self._rate(first, again)
        noise = self._noise() if rate == 1 else self._chance("empty rate", SAMPLE)
        if noise:
            rate, noise = self.rates("at first")
        if rate < 1 or noise:
            Repetition(rate, noise).require_apart()
        return Facts(oracle.trial.words, seconds, rate, noise)

    def rates(self, when: str) -> tuple[float, float]:
        """Return how often the failure shows on the original, and how often on an empty case."""
        return (
            self.rate(f"rate {when}", self._original, LARGE_SAMPLE),
            self._chance(f"empty rate {when}", LARGE_SAMPLE),
        )

    def _chance(self, name: str, runs: int) -> float:
        """Return how often an empty case seems to fail; never, if a guard does not let it pass."""
        rate = self.rate(name, self._empty, runs)
        return 0.0 if rate and self._refuses_empty() else rate

    def _refuses_empty(self) -> bool:
        """Tell whether a guard does not let an empty case pass, whatever the test says."""
        return self._tester.do(partial(self._tester.oracle.refusal, self._empty)) != [None]

    @property
    def _empty(self) -> Files:
        return self._original.replaced(dict.fromkeys(self._original.contents, b""))

    def _noise(self) -> float:
        """Return roughly how often an empty case seems to fail; raise if it always does."""
        for number in range(ALWAYS):
            name = "empty" if not number else f"empty {number}"
            said = self._once(name, self._empty, DOING["empty"])
            if said.verdict is not Verdict.INTERESTING:
                # A test that says no at once is not asked again: most do.
                return 1 / SAMPLE if number else 0.0
        if self._refuses_empty():
            return 0.0
        there = None if self._in_place is None else self._in_place()
        raise always_interesting(self._tester.oracle.trial, said, there)

    def rate(self, name: str, files: Files, runs: int = SAMPLE) -> float:
        """Return how often the failure shows on these files."""
        known = self._journal.check(name)
        if not isinstance(known, int | float) or not 0 <= known <= 1:
            self._tester.tell(f"finding out in {runs} runs how often the failure shows")
            said = self._tester.do(partial(self._tester.oracle.once, files), runs)
            known = sum(each.verdict is Verdict.INTERESTING for each in said) / runs
            self._journal.keep_check(name, known)
        return float(known)

    def confirmed(self, name: str, files: Files, repetition: Repetition) -> Confirmed:
        """Ask about an accepted case of an unreliable test until it is clear whether it holds."""
        known = self._journal.check(name)
        match known:
            case [bool(holds), int(shown), int(runs)]:
                return Confirmed(holds, shown, runs)
        self._tester.tell(DOING["holds"])
        once = partial(self._tester.oracle.once, files, capture=True)
        answer, shown, runs = None, 0, 0
        while answer is None:
            batch = self._tester.do(once, BATCH)
            for said in batch:
                self._appearances.note(files, said)
            shown += sum(said.verdict is Verdict.INTERESTING for said in batch)
            runs += BATCH
            answer = repetition.confirm(shown, runs)
        confirmed = Confirmed(answer, shown, runs)
        self._journal.keep_check(name, list(confirmed))
        return confirmed

    def shows(self, name: str, files: Files) -> bool:
        """Tell whether the failure shows on these files, and remember what it looks like."""
        said = self._once(name, files, DOING["holds"])
        self._appearances.note(files, said)
        return said.verdict is Verdict.INTERESTING

    def holds(self, name: str, files: Files) -> bool:
        """Tell whether the failure shows on these files when asked again."""
        known = self._journal.check(name)
        if known is None:
            oracle = self._tester.oracle
            self._tester.tell(DOING["holds"])
            [outcome] = self._tester.do(partial(oracle.ask, files))
            known = outcome.verdict is Verdict.INTERESTING
            self._journal.keep_check(name, known)
        return bool(known)

    def _rate(self, first: Said, again: Said) -> float:
        """Return how often the failure shows, of a test that did not show it both times."""
        if Verdict.INTERESTING not in {first.verdict, again.verdict} and not self._shows_ever():
            self._say_that_it_does_not_fail(again)
        rate = self.rate("rate", self._original)
        if rate < RAREST:
            raise Unreliable(
                f"the test is not reliable: the failure showed in {round(rate * SAMPLE)} of "
                f"{SAMPLE} runs on the original",
                hint="make it more likely inside the test, say by running the program 20 times",
            )
        return rate

    def _shows_ever(self) -> bool:
        """Ask some more times, until the failure shows or it has taken too long."""
        spent = 0.0
        for number in range(2, TRIES):
            said = self._once(f"try {number}", self._original)
            spent += said.ending.seconds
            if said.verdict is Verdict.INTERESTING:
                return True
            if spent > LONG and number >= FEW:
                break
        return False

    def _say_that_it_does_not_fail(self, said: Said) -> None:
        if self._in_place is not None and self._in_place().verdict is Verdict.INTERESTING:
            raise OnlyInPlace(
                "the test is interesting where the file is, but not in a private folder with a "
                f"copy of it ({said.ending.words}){said.ending.tail}",
                hint="let the test name other files by their full path, or give --with FILE "
                "for each file that has to be there too",
            )
        raise NotInteresting(
            f"the failure does not show on the original: {said.ending.words}, "
            f"which is {said.verdict.value}{said.ending.tail}",
            hint="run the test by hand; it must exit with 0 if the failure shows; "
            "wynot check TEST FILE shows what it does",
        )

    def _once(self, name: str, files: Files, doing: str = "") -> Said:
        """Run the test once, unless an earlier run has done that."""
        said = _recalled(self._journal.check(name))
        if said is None:
            another = "another run of the test, which did not fail so far"
            self._tester.tell(doing or DOING.get(name, another))
            [said] = self._tester.do(partial(self._tester.oracle.once, files, capture=True))
            other = said.other and _written(said.other)
            self._journal.keep_check(name, [said.verdict.value, _written(said.ending), other])
        if said.verdict is Verdict.INTERESTING:
            self._tester.oracle.patience.learn(said.ending.seconds)
        return said


def require_run(first: Said) -> None:
    """Raise if a program that is itself the candidate does not even start."""
    if first.why:
        raise NotExecutable(
            f"the test cannot be run on the original: {first.why}",
            hint="a script needs a first line like #!/bin/sh, and chmod +x",
        )


def _written(ending: Ending) -> list[object]:
    return [*ending[:3], ending.stdout.decode("latin-1"), ending.stderr.decode("latin-1")]


def _recalled(known: object) -> Said | None:
    """Return what a run of the test came to; None if what is kept does not say."""
    match known:
        case [str(verdict), list(row), other] if verdict in VERDICTS:
            ending, second = _read(row), _read(other) if other else None
            if ending is not None and (second is not None or not other):
                return Said(Verdict(verdict), ending, second)
    return None


def _read(row: object) -> Ending | None:
    match row:
        case [int(status), int() | float() as seconds, limit, str(stdout), str(stderr)]:
            is_latin = max(stdout + stderr, default="") <= "\xff"
            if limit in get_args(Limit) and 0 <= seconds < AGES and is_latin:
                streams = stdout.encode("latin-1"), stderr.encode("latin-1")
                return Ending(status, seconds, cast("Limit", limit), *streams)
    return None
