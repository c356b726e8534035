"""What the original is made of: the words in it, and those of its languages."""

from collections.abc import Callable, Iterator

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

    def inside() -> Files:
        files = original()
        return unpacked(files, containers_in(files)).files

    def texts() -> Iterator[bytes]:
        for path, content in inside().contents.items():
            yield path.encode("utf-8", "surrogateescape")
            yield content

    def words() -> frozenset[str]:
        more = plugins().languages
        named = named_language(options, more)
        languages = {
            named or language_of(path, content, more) for path, content in inside().contents.items()
        }
        return frozenset().union(*(reserved(each) for each in languages if each is not None))

    return Vocabulary(texts, words)
