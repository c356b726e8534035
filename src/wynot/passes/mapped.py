"""A case seen through another: any case of files can have other candidates, or other files."""

from collections.abc import Callable, Hashable, Sequence

from wynot.core.candidate import Candidate
from wynot.core.files import Files
from wynot.core.rendered import RenderedCase
from wynot.passes.reduction_pass import CutCase


class MappedCase(RenderedCase):
    """Asks another case: for what ``candidates`` makes of a candidate.

    And ``files`` makes the files here of those that are written there.
    """

    def __init__(
        self,
        inner: CutCase,
        whole: Files,
        key: Hashable,
        *,
        candidates: Callable[[Candidate], Candidate] = lambda candidate: candidate,
        files: Callable[[Files], Files] = lambda files: files,
        weights: Sequence[int] | None = None,
    ) -> None:
        """Take the files as they are here, and what tells this from other ways to map them.

        With other candidates there are other deltas: ``weights`` has one for each.
        """
        super().__init__(whole, len(inner.deltas if weights is None else weights))
        self._inner, self._key, self._weights = inner, key, weights
        self._candidates, self._files = candidates, files

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to cut the same files."""
        return self._key, self._inner.key

    @property
    def weights(self) -> Sequence[int]:
        """What each delta weighs; unless it is told, as much as in the other case."""
        return self._inner.weights if self._weights is None else self._weights

    def _write(self, candidate: Candidate) -> Files:
        return self._files(self._inner.render(self._candidates(candidate)))
