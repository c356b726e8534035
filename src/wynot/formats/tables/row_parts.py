"""How rows are written: words in one string, since there are many of them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from wynot.core.texts.tree import Tree
from wynot.formats.language import NO_TYPES, NOTHING, Language

NUMBER = (b"0", b"1")
STRING = (b'""',)
DECLARED = (b";",)


def row(  # noqa: PLR0913 - a row has columns
    name: str,
    suffixes: str = "",
    *,
    file_names: str = "",
    interpreters: str = "",
    grammar: str = "tree_sitter_{}",
    function: str = "language",
    package: str = "",
    parser: Callable[[bytes], Tree] | None = None,
    flaws: Callable[[bytes], int] | None = None,
    comments: str = "comment",
    names: str = "identifier",
    strings: str = "string",
    numbers: str = "number",
    keywords: str = "",
    replacements: Mapping[str, tuple[bytes, ...]] = NOTHING,
    plain_type: bytes = b"",
    library_types: Mapping[bytes, bytes] = NO_TYPES,
    bodiless: tuple[bytes, ...] = (),
    newline_sensitive: bool = False,
    lisp_like: bool = False,
    tags: bool = False,
    accepts_any_text: bool = False,
) -> Language:
    """Return a language; what is not said is called as it mostly is."""
    module = "" if parser else grammar.format(name.replace("-", "_"))
    return Language(
        name=name,
        suffixes=tuple(suffixes.split()),
        file_names=tuple(file_names.split()),
        interpreters=tuple(interpreters.split()),
        grammar=module,
        function=function,
        package=package or module.replace("_", "-"),
        parser=parser,
        flaws=flaws,
        comments=frozenset(comments.split()),
        names=frozenset(names.split()),
        strings=frozenset(strings.split()),
        numbers=frozenset(numbers.split()),
        keywords=keywords,
        replacements=replacements,
        plain_type=plain_type,
        library_types=library_types,
        bodiless=bodiless,
        newline_sensitive=newline_sensitive,
        lisp_like=lisp_like,
        tags=tags,
        accepts_any_text=accepts_any_text,
    )


def replacements(*groups: tuple[str, tuple[bytes, ...]]) -> Mapping[str, tuple[bytes, ...]]:
    """Return the short texts of each kind; later groups take the place of earlier ones."""
    return MappingProxyType({kind: texts for named, texts in groups for kind in named.split()})


def built_in(*groups: tuple[bytes, bytes]) -> Mapping[bytes, bytes]:
    """Return what is built in for each of some types of libraries."""
    return MappingProxyType({name: instead for names, instead in groups for name in names.split()})
