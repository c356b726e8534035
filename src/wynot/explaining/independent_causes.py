"""Whether the original fails for another reason, too: it is asked about without this one.

Zeller & Hildebrandt 2002 (``003``), footnote 12. What is left of the original when all lines are
taken out that the case comes from either passes, and then this was the only cause that shows; or it
still fails, and there is another one.
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from wynot.core.candidate import Candidate
from wynot.core.files import Files
from wynot.core.rendered import RenderedCase
from wynot.core.round import Search
from wynot.core.verdict import Verdict
from wynot.disk.journal import Journal
from wynot.explaining.driven_search import driven
from wynot.explaining.findings import Findings
from wynot.explaining.variant_questions import OutOfTests, VariantQuestions
from wynot.explaining.variants import Variant
from wynot.report.origins import NO_STEP, Origins, Run
from wynot.report.step_view import changed
from wynot.search.causes import causes
from wynot.search.ddmin import ddmin

MAX_LINES = 20_000
"""Lines of a text whose other causes are looked for."""


class LinesLeft(RenderedCase):
    """Files whose lines are deltas."""

    def __init__(self, files: Files) -> None:
        self._lines = {
            path: content.splitlines(keepends=True) for path, content in files.contents.items()
        }
        super().__init__(files, sum(map(len, self._lines.values())))

    def _write(self, candidate: Candidate) -> Files:
        kept, contents, first = candidate.kept, {}, 0
        for path, lines in self._lines.items():
            inside = kept.part(kept.rank(first), kept.rank(first + len(lines)))
            contents[path] = b"".join(lines[number - first] for number in inside)
            first += len(lines)
        return self.files.replaced(contents)


def survivors(journal: Journal) -> dict[str, list[Run]]:
    """Return which bytes of the original went with which step, and which are still there."""
    before = journal.original()
    origins = {path: Origins(content) for path, content in before.contents.items()}
    for row, (after, _) in zip(journal.steps(), journal.states(), strict=True):
        for change in changed(before, after):
            origins[change.path].go(change.after, row.number, change.head, change.tail)
        before = after
    return {path: each.runs() for path, each in origins.items()}


def rest_of(original: Files, runs: Mapping[str, Sequence[Run]]) -> Files | None:
    """Return the original without the lines that the case comes from; None: nothing is left."""
    contents = {}
    for path, content in original.contents.items():
        lines = content.splitlines(keepends=True)
        kept = [run for run in runs.get(path, ()) if run.step == NO_STEP]
        if len(lines) == 1:  # the line itself would be all
            contents[path] = b"".join(
                content[run.start : run.end] for run in runs.get(path, ()) if run.step != NO_STEP
            )
            continue
        ends = [*accumulate(map(len, lines))]
        contents[path] = b"".join(
            line
            for line, end in zip(lines, ends, strict=True)
            if not any(run.start < end and end - len(line) < run.end for run in kept)
        )
    rest = original.replaced(contents)
    return rest if any(content.strip() for content in contents.values()) else None


def other_causes(
    questions: VariantQuestions, rest: Files | None, findings: Findings, *, find_all: bool
) -> Search[None]:
    """Ask about the rest of the original; if it fails, and all are asked for, find the others."""
    if rest is None:
        findings.rest = Verdict.UNINTERESTING
        return
    try:
        findings.rest = yield from questions.verdict("rest", Variant(()), of=rest, odds=0.1)
        case = LinesLeft(rest)
        if not find_all or findings.rest is not Verdict.INTERESTING or len(case.deltas) > MAX_LINES:
            return
        found = yield from driven(questions, case, causes(ddmin, case.deltas), "cause")
    except OutOfTests:
        return
    findings.causes = tuple(case.render(Candidate.whole(each)) for each in found)
