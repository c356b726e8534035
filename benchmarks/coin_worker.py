"""One tool on many histories with a test that fails now and then; prints a line of JSON for each.

Usage: coin_worker.py wynot|bayesect COMMITS RATE HISTORIES RUNS

Whoever searches, the n-th run of a commit has the same outcome. A search stops when a commit is
likely enough, each tool at its usual confidence, or after RUNS runs; those of both ends count, too.
"""

import json
import sys
from collections import Counter
from random import Random
from typing import NamedTuple

BAYESECT_CONFIDENCE = 0.95
"""What its command ``run`` stops at."""


class CoinHistory:
    """So many commits after a good one; from one of them on the test fails more often."""

    def __init__(self, commits: int, rate: float, seed: int) -> None:
        self.commits = commits
        self.culprit = Random(f"{commits} {seed}").randint(1, commits)
        self._seed = seed
        self._rate = rate
        self._runs: Counter[int] = Counter()

    def fails(self, commit: int) -> bool:
        """Run the test on a commit; 0 is the good one."""
        number = self._runs[commit]
        self._runs[commit] += 1
        rate = self._rate if commit >= self.culprit else 1 - self._rate
        return Random(f"{self._seed} {commit} {number}").random() < rate

    @property
    def runs(self) -> int:
        """How many runs were made."""
        return self._runs.total()


class CoinResult(NamedTuple):
    """What a search came to."""

    commit: int
    chance: float
    runs: int
    is_right: bool


def by_wynot(history: CoinHistory, most: int) -> CoinResult:
    """Search a history with wynot's search, from one run of each end."""
    from wynot.core.round import FirstRound, Pick
    from wynot.core.verdict import Verdict
    from wynot.search.sides.changepoint import LEAST_CHANCE, Changepoint, bayesian

    def run(commit: int) -> Verdict:
        return Verdict.INTERESTING if history.fails(commit) else Verdict.UNINTERESTING

    known = Changepoint.of(history.commits + 1)
    for end in (history.commits, 0):
        known = known.after(end, run(end))
    search = bayesian(known, LEAST_CHANCE, most - history.runs)
    answer = None
    while True:
        try:
            asked = search.send(answer)
        except StopIteration as end:
            best = end.value.best
            return CoinResult(best.upto, best.chance, history.runs, best.upto == history.culprit)
        assert isinstance(asked, FirstRound)  # noqa: S101 - it asks about single commits
        [candidate] = asked.candidates
        commit = len(candidate.kept) - 1  # but for the delta that numbers the run
        answer = Pick(0, run(commit), candidate)


def by_bayesect(history: CoinHistory, most: int) -> CoinResult:
    """Drive git bayesect's own decisions as its command does, without the checkouts in between.

    It numbers commits from the newest.
    """
    import git_bayesect  # type: ignore[import-not-found]

    bisector = git_bayesect.Bisector([1.0] * (history.commits + 1))
    while history.runs < most:
        index = bisector.select()
        bisector.record(index, history.fails(history.commits - index))
        if bisector.distribution.max() >= BAYESECT_CONFIDENCE:
            break
    commit = history.commits - int(bisector.distribution.argmax())
    chance = float(bisector.distribution.max())
    return CoinResult(commit, chance, history.runs, commit == history.culprit)


def main() -> None:
    """Search so many histories."""
    tool, commits, rate, histories, most = sys.argv[1:]
    search = {"wynot": by_wynot, "bayesect": by_bayesect}[tool]
    for seed in range(int(histories)):
        history = CoinHistory(int(commits), float(rate), seed)
        print(json.dumps(search(history, int(most))))


if __name__ == "__main__":
    main()
