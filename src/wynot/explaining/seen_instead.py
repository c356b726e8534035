"""What is seen where the failure is not: a run of the test, and what it shows in a few words."""

from collections.abc import Sequence

from wynot.core.errors import Unreliable
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.explaining.case_reliability import UNRELIABLE_HINT
from wynot.explaining.findings import LeftOut
from wynot.job.check_runs import CheckRuns
from wynot.oracle.appearance import looks

MAX_SEEN = 16
"""How many are run, at most; others stay without words."""
CHECK = "instead"
"""How the names of such runs begin in the journal."""


def seen_instead(
    runs: CheckRuns[Files], left_out: Sequence[LeftOut], case: Files, most: int
) -> dict[bytes, str]:
    """Run those of which it is not known what else they show, and say what that is, by digest."""
    unclear = [each for each in left_out if each.verdict is Verdict.UNRESOLVED]
    by_digest = {files.digest: files for files in (each.files(case) for each in unclear)}
    chosen = [*by_digest.items()][: min(MAX_SEEN, most)]
    names = {digest: f"{CHECK} {digest.hex()}" for digest, _ in chosen}
    for digest, files in chosen:
        runs.begin([names[digest]], files)
    found = {}
    for digest, files in chosen:
        said = runs.once(names[digest], files)
        if said.verdict is Verdict.INTERESTING:
            raise Unreliable(
                "the test is not reliable: asked again about the case without one of its parts, it "
                "says something else",
                hint=UNRELIABLE_HINT,
            )
        found[digest] = looks(said) or said.words
    return found
