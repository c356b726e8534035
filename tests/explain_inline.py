"""A whole explanation with a test that is a function: the real search, no processes, no disk."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from reduce_inline import reduce_inline
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.explanation import FreePart
from wynot.core.files import Files
from wynot.core.round import FirstRound, Pick, Reply, Search
from wynot.core.verdict import Verdict
from wynot.explaining.explain_search import Explained, explain
from wynot.explaining.findings import Findings, free_parts_of, pattern_of
from wynot.reduction.whole_plan import trees_of
from wynot.search.script import scripted

VERDICTS = {True: Verdict.INTERESTING, False: Verdict.UNINTERESTING, None: Verdict.UNRESOLVED}


class ExplainedInline(NamedTuple):
    """What was found of a case, and what it took."""

    case: Files
    findings: Findings
    free: tuple[FreePart, ...]
    pattern: str
    """Of the only file."""


def explain_inline(
    files: Files,
    fails: Callable[[Files], bool | None],
    *,
    reduce: bool = True,
    tests: int = 300,
    options: ReduceOptions | None = None,
) -> ExplainedInline:
    """Reduce files, unless they are the case already, and explain what is left."""
    known: dict[bytes, Verdict] = {}

    def noted(candidate: Files) -> bool | None:
        said = fails(candidate)
        known[candidate.digest] = VERDICTS[said]
        return said

    options = options or ReduceOptions(files=())
    case = reduce_inline(files, noted, options).files if reduce else files
    subject = Explained(
        case, files, trees_of(options, files).languages, dict(known), None, find_all=False
    )
    findings = driven(partial(scripted, partial(explain, subject, tests, None)), fails)
    free = free_parts_of(findings, case)
    return ExplainedInline(case, findings, free, pattern_of(free, case)[0][1])


def driven(
    start: Callable[[], Search[Findings]], fails: Callable[[Files], bool | None]
) -> Findings:
    """Run the search of an explanation with a function as the test."""
    search = start()
    answer: Reply = None
    while True:
        try:
            asked = search.send(answer)
        except StopIteration as end:
            found: Findings = end.value
            return found
        answer = None
        assert isinstance(asked, FirstRound)
        assert asked.stage is not None
        for position, candidate in enumerate(asked.candidates):
            verdict = VERDICTS[fails(asked.stage.case.render(candidate))]
            if verdict in asked.wanted:
                answer = Pick(position, verdict, candidate)
                break
