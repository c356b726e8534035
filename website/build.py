"""Builds the site: the pages of the repository put together, and made into HTML.

``python -m website.build [FOLDER]``; the pages are in FOLDER/html. Whatever the builder warns of is
an error, and so is a link that leads nowhere.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import wynot
import wynot.plugin
from website.api_pages import api_page
from website.contents import navigation
from website.html_links import dead_links
from website.links import ROOT, pages, relinked

HERE = Path(__file__).parent
DESTINATION = ROOT / ".site"
NO_NAVIGATION = "nav = []\n"
MADE = {
    "reference/names.md": ("Reference", "Every public name"),
    "reference/plugin-names.md": ("Reference", "Every name for plug-ins"),
}
"""Pages that are made of docstrings: their section, and their title there."""


class BadSite(Exception):
    """A site that is not fit to be seen."""


def assemble(folder: Path) -> None:
    """Put together what the builder reads: pages with links that hold there, and its settings."""
    shutil.rmtree(folder, ignore_errors=True)
    found = pages()
    places = {page.source: page.place for page in found}
    for page in found:
        target = folder / "pages" / page.place
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix == ".md":
            target.write_text(relinked((ROOT / page.source).read_text(), page, places))
        else:
            shutil.copyfile(ROOT / page.source, target)
    _put_api_pages(folder / "pages")
    shutil.copyfile(HERE / "site.css", folder / "pages/site.css")
    settings = (HERE / "zensical.toml").read_text()
    contents = (folder / "pages/contents.md").read_text()
    made = navigation(contents, MADE, folder / "pages")
    (folder / "zensical.toml").write_text(settings.replace(NO_NAVIGATION, made))


def _put_api_pages(folder: Path) -> None:
    names, plugin_names = (folder / place for place in MADE)
    names.write_text(
        api_page(
            "Every public name",
            "What `wynot` exports, from its docstrings. How it hangs together: [the API](api.md).",
            wynot,
        )
    )
    plugin_names.write_text(
        api_page(
            "Every name for plug-ins",
            "What `wynot.plugin` exports, from its docstrings. Examples: [plug-ins](plugins.md).",
            wynot.plugin,
        )
    )


def build(folder: Path) -> Path:
    """Build the site in a folder, and return where its pages are."""
    assemble(folder)
    built = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--clean"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if built.returncode or "Warning" in built.stdout:
        raise BadSite(built.stdout)
    if dead := dead_links(folder / "html"):
        raise BadSite("links that lead nowhere:\n" + "\n".join(dead))
    return folder / "html"


if __name__ == "__main__":
    made = build(Path(sys.argv[1]) if len(sys.argv) > 1 else DESTINATION)
    count = len(list(made.rglob("*.html")))
    sys.stdout.write(f"{count} pages: {made}/index.html\n")
    sys.stdout.write(f"with search: {sys.executable} -m http.server -d {made}\n")
