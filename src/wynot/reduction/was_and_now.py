"""What the failure looked like, and what it looks like now; from runs that are made anyway."""

from dataclasses import dataclass

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.oracle.appearance import Likeness, likeness
from wynot.oracle.trial import TrialResult
from wynot.oracle.vocabulary import Vocabulary


@dataclass(slots=True)
class Appearances:
    """Remembers the run that showed the failure first, and the last one of the best case."""

    vocabulary: Vocabulary
    _first: TrialResult | None = None
    _again: TrialResult | None = None
    _last: tuple[bytes, TrialResult] | None = None

    def begin(self, first: TrialResult, again: TrialResult) -> None:
        """Take the second of two runs of the original if it shows the failure, else the first.

        What is learned, is learned from the first: only the second is judged.
        """
        self._first = again if again.verdict is Verdict.INTERESTING else first
        self._again = first

    def note(self, files: Files, said: TrialResult) -> None:
        """Take note of a run of the best case, if it shows the failure."""
        if said.verdict is Verdict.INTERESTING:
            self._last = (files.digest, said)

    def likeness(self, files: Files) -> Likeness:
        """Hold these files against the original, if there was a run of them."""
        if self._first is None or self._last is None or self._last[0] != files.digest:
            return Likeness()
        return likeness(self._first, self._last[1], self.vocabulary, self._again)


def other_failure(options: ReduceOptions) -> str:
    """Return what is said of a result that does not look like the original."""
    cure = "--same exact or --text STRING asks for the first one"
    if not options.command and not options.serve:
        cure = "let the test look for the message of the first one"
    return f"the result may show a different failure from the original; {cure}"
