"""The pages of the repository make a site, and nothing on it leads nowhere."""

from pathlib import Path

import pytest
from website.api_pages import api_page
from website.build import MADE, build
from website.contents import UnlistedPage, navigation, sections
from website.html_links import dead_links
from website.links import REPOSITORY, DeadLink, Page, pages, relinked

import wynot
import wynot.plugin
from structure.pages import ROOT

PLACES = {page.source: page.place for page in pages()}


def test_every_page_is_in_the_contents_in_one_of_the_kinds_of_pages() -> None:
    page = Page("docs/README.md", "contents.md")
    listed = sections(relinked((ROOT / page.source).read_text(), page, PLACES))
    assert list(listed) == ["Tutorial", "Guides", "Concepts", "Reference", "Design"]
    entries = [place for section in listed.values() for _, place in section]
    assert len(entries) == len(set(entries))
    written = {place for place in PLACES.values() if place.endswith(".md")}
    assert set(entries) == written - {"index.md", "contents.md"}


@pytest.mark.parametrize(
    ("source", "link", "on_the_site"),
    [
        ("README.md", "docs/guides/tests.md#timeouts", "guides/tests.md#timeouts"),
        ("docs/guides/tests.md", "../../README.md", "../index.md"),
        ("docs/guides/tests.md", "../README.md", "../contents.md"),
        ("docs/guides/tests.md", "flaky.md", "flaky.md"),
        ("docs/glossary.md", "concepts/memo.md", "concepts/memo.md"),
        ("CONTRIBUTING.md", "tests/README.md", f"{REPOSITORY}tests/README.md"),
        ("docs/glossary.md", "#delta", "#delta"),
        ("docs/glossary.md", "https://example.org/a.md", "https://example.org/a.md"),
    ],
)
def test_a_link_leads_to_the_same_on_the_site(source: str, link: str, on_the_site: str) -> None:
    page = Page(source, PLACES[source])
    assert relinked(f"see [it]({link}).", page, PLACES) == f"see [it]({on_the_site})."


def test_a_link_to_nothing_is_refused_and_code_is_left_alone() -> None:
    page = Page("docs/glossary.md", "glossary.md")
    with pytest.raises(DeadLink, match="nowhere"):
        relinked("[it](nowhere.md)", page, PLACES)
    code = "```python\nlist[int](nowhere.md)\n```\n"
    assert relinked(code, page, PLACES) == code


def test_a_page_that_nothing_leads_to_is_told(tmp_path: Path) -> None:
    (tmp_path / "lost.md").write_text("# Lost\n")
    with pytest.raises(UnlistedPage, match=r"lost\.md"):
        navigation("**Guides**: do it\n", {}, tmp_path)


def test_dead_links_and_what_is_loaded_from_elsewhere_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<h1 id="top">A</h1><a href="b.html#there">b</a>')
    (tmp_path / "b.html").write_text(
        '<h1 id="there">B</h1><a href="a.html#top">a</a><a href="a.html#gone">x</a>'
        '<a href="c.html">c</a><a href="https://example.org">ok</a>'
        '<script src="https://example.org/x.js"></script><img src="missing.svg">'
    )
    assert dead_links(tmp_path) == [
        "b.html: a.html#gone, an anchor",
        "b.html: c.html",
        "b.html: missing.svg",
        "b.html: https://example.org/x.js, from elsewhere",
    ]


@pytest.mark.parametrize("module", [wynot, wynot.plugin], ids=lambda module: module.__name__)
def test_every_public_name_has_an_entry_with_its_docstring(module: object) -> None:
    names: list[str] = module.__all__  # type: ignore[attr-defined]
    text = api_page("Names", "", module)  # type: ignore[arg-type]
    for name in names:
        entry = text.split(f"\n## {name}\n", 1)[1].split("\n## ", 1)[0]
        assert len(entry.replace("```", "").strip().splitlines()) > 1 or "One of" in entry, name
    assert "``" not in text.replace("```", "")


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    html = build(tmp_path / "site")
    built = {str(path.relative_to(html).with_suffix("")) for path in html.rglob("*.html")}
    expected = {place.removesuffix(".md") for place in (*PLACES.values(), *MADE)}
    assert {place for place in expected if "." not in place} <= built
    assert (html / "search.json").stat().st_size > 0
    for path in html.rglob("*.html"):  # Markdown that was not understood stays as it was
        text = path.read_text()
        assert "```" not in text, path
        assert "<p>- " not in text, path
        assert 'data-md-component="source"' not in text, "it asks GitHub for the number of stars"
