"""The walk of a candidate through the source, as a profile finds it, is short."""

from pathlib import Path

from structure.pages import ROOT
from structure.walk import MARKED, walked

MOST_MAIN = 56
MOST_AGENT = 15
"""Files that one accepted candidate enters. They may become fewer: 45 and 12 are wanted."""


def test_a_candidate_enters_few_files(tmp_path: Path) -> None:
    walk = walked(tmp_path)
    assert len(walk.main) + len(walk.worker) <= MOST_MAIN, (*walk.main, *walk.worker)
    assert len(walk.agent) <= MOST_AGENT, walk.agent
    # It is the whole way: from a search to the test in the agent, and to the journal.
    for start in ("search/", "engine/scheduler", "oracle/oracle", "disk/"):
        assert any(file.startswith(start) for file in (*walk.main, *walk.worker)), start
    assert walk.agent


def test_the_page_shows_a_walk() -> None:
    page = (ROOT / "docs/design/architecture.md").read_text()
    found = MARKED.search(page)
    assert found
    assert "→" in found[0]
