"""The page about languages is made from the table of languages."""

from collections.abc import Iterable

from structure.pages import ROOT
from wynot.formats.language import Language
from wynot.formats.language_table import LANGUAGES

PAGE = ROOT / "docs/reference/languages.md"
HEAD = "| language | parsed by | files |\n| --- | --- | --- |\n"


def table(languages: Iterable[Language]) -> str:
    """Return the rows of the page."""
    rows = []
    for language in sorted(languages, key=lambda each: each.name):
        parser = f"`{language.package}`" if language.package else "wynot"
        files = " ".join(f"`{name}`" for name in (*language.suffixes, *language.file_names))
        rows.append(f"| {language.name} | {parser} | {files} |\n")
    return HEAD + "".join(rows)


def test_the_page_has_every_language_as_the_table_has_it() -> None:
    # After a change on purpose: python tests/structure/test_language_docs.py
    assert table(LANGUAGES) in PAGE.read_text()


if __name__ == "__main__":
    text = PAGE.read_text()
    PAGE.write_text(text[: text.index(HEAD)] + table(LANGUAGES))
