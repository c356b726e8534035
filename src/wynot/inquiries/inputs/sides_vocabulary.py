"""What two inputs are made of: the words in them, and those of their languages."""

from collections.abc import Sequence

from wynot.core.files import Files
from wynot.formats.detect import language_of
from wynot.formats.grammar import reserved
from wynot.oracle.vocabulary import Vocabulary


def vocabulary_of(sides: Sequence[Files]) -> Vocabulary:
    """Return the vocabulary of both sides: a candidate has words of either."""

    def texts() -> list[bytes]:
        names = [
            path.encode("utf-8", "surrogateescape") for side in sides for path in side.contents
        ]
        return [*names, *(content for side in sides for content in side.contents.values())]

    def words() -> frozenset[str]:
        languages = {language_of(*each) for side in sides for each in side.contents.items()}
        return frozenset().union(*(reserved(each) for each in languages if each is not None))

    return Vocabulary(texts, words)
