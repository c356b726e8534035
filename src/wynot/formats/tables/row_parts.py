"""How rows are written: words in one string, since there are many of them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from wynot.core.tree import Tree
from wynot.formats.language import NOTHING, Language

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
    loose: Callable[[bytes], bytes] | None = None,
    comments: str = "comment",
    names: str = "identifier",
    strings: str = "string",
    numbers: str = "number",
    keywords: str = "",
    replacements: Mapping[str, tuple[bytes, ...]] = NOTHING,
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
        loose=loose,
        comments=frozenset(comments.split()),
        names=frozenset(names.split()),
        strings=frozenset(strings.split()),
        numbers=frozenset(numbers.split()),
        keywords=keywords,
        replacements=replacements,
        bodiless=bodiless,
        newline_sensitive=newline_sensitive,
        lisp_like=lisp_like,
        tags=tags,
        accepts_any_text=accepts_any_text,
    )


def replacements(*groups: tuple[str, tuple[bytes, ...]]) -> Mapping[str, tuple[bytes, ...]]:
    """Return the short texts of each kind; later groups take the place of earlier ones."""
    return MappingProxyType({kind: texts for named, texts in groups for kind in named.split()})
