"""A case seen through another: any case of files can have other candidates, or other files."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any

from wynot.core.candidate import Candidate
from wynot.core.edit import Edit
from wynot.core.files import Files, RenderedCase
from wynot.core.parts import TextsCase
from wynot.core.patched_text import Splice
from wynot.passes.reduction_pass import CutCase, Splices


def _same_files(files: Files) -> Files:
    return files


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
        files: Callable[[Files], Files] = _same_files,
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

    @property
    def splices(self) -> Splices | None:
        """What tells how candidates differ from the whole, if the other case can say."""
        if self._files is not _same_files or not isinstance(self._inner, TextsCase):
            return None
        return partial(self._spliced, self._inner)

    def _spliced(
        self, inner: TextsCase[Any], candidate: Candidate
    ) -> Mapping[str, Sequence[Splice]]:
        gone = inner.deltas.toggle(self._candidates(candidate).kept)
        return inner.splices(Candidate(inner.deltas, Edit.drop(gone), ""))

    def _write(self, candidate: Candidate) -> Files:
        return self._files(self._inner.render(self._candidates(candidate)))
