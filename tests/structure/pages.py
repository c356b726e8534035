"""Runs the examples of the documentation, and makes its tables; as a script, writes them down."""

import contextlib
import io
import re
import sys
import tempfile
from pathlib import Path

from structure import man_pages
from structure.option_tables import retabled
from structure.package_tables import repackaged
from structure.walk import rewalked, walked

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
OTHER_PAGES = [
    *(ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
    ROOT / "tests/README.md",
]
"""Pages without examples."""
EXAMPLE = re.compile(r"^```python\n(.*?)^```\n(?:```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)


def rerun(page: Path) -> str:
    """Return the page with the output of each example, and each table, as it is now."""
    names: dict[str, object] = {"__name__": "page"}

    def run(match: re.Match[str]) -> str:
        code = match[1]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, str(page), "exec"), names)  # noqa: S102 - our own documentation
        output = "".join(f"{line.rstrip()}\n" for line in printed.getvalue().splitlines())
        return f"```python\n{code}```\n" + (f"```text\n{output}```\n" if output else "")

    return repackaged(retabled(EXAMPLE.sub(run, page.read_text())))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        walk = walked(Path(folder))
    for each in PAGES:
        text = rewalked(rerun(each), walk)
        if text != each.read_text():
            each.write_text(text)
            sys.stdout.write(f"rewritten: {each.relative_to(ROOT)}\n")
    for each in man_pages.written():
        sys.stdout.write(f"rewritten: {each.relative_to(ROOT)}\n")
