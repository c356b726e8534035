"""What the original is made of: the words in it, and those of its languages."""

from collections.abc import Callable, Iterable

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.files import Files
from wynot.formats.detect import language_of
from wynot.formats.grammar import reserved
from wynot.oracle.vocabulary import Vocabulary
from wynot.passes.containers import containers_in, unpacked
from wynot.plugins import plugins
from wynot.reduction.plan_options import named_language


def vocabulary_of(options: ReduceOptions, original: Callable[[], Files]) -> Vocabulary:
    """Return the vocabulary of the original, which need not be known yet."""

    def inside() -> Iterable[tuple[str, bytes]]:
        files = original()
        return unpacked(files, containers_in(files)).files.contents.items()

    def words(path: str, content: bytes) -> frozenset[str]:
        more = plugins().languages
        language = named_language(options, more) or language_of(path, content, more)
        return frozenset() if language is None else reserved(language)

    return Vocabulary.of(inside, words)
