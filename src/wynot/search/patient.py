"""patient: narrow a difference only as long as tests are resolved.

dd (Zeller & Hildebrandt 2002, ``003``, Fig. 15) takes log₂n tests where each is resolved, but n² of
them where none is: what has to be there together is cut finer and finer, and nothing comes of it.
So a search is left after some rounds in which no test was resolved, with the sides as they are.

Cost: that of the search, less what it asks after those rounds.
Result: two sides that were tested; the difference need not be 1-minimal.
"""

from dataclasses import replace
from functools import partial

from wynot.core.round import Answer, Pick, Search
from wynot.core.verdict import Verdict
from wynot.search.combinators import through
from wynot.search.dd import Pair


def patient(pair: Pair, rounds: int, running: Search[Pair]) -> Search[Pair]:
    """Run a search of two sides until so many rounds have come to nothing."""
    answer: Answer = None
    while True:
        try:
            asked = running.send(answer)
        except StopIteration as end:
            return Pair(*end.value)
        again = through(partial(patient, pair, rounds), asked.again)
        answer = yield replace(asked, again=again)
        if isinstance(answer, Pick):
            kept = answer.candidate.kept
            is_failing = answer.verdict is Verdict.INTERESTING
            pair = Pair(pair.passing, kept) if is_failing else Pair(kept, pair.failing)
            continue
        rounds -= 1
        if not rounds:
            return pair
