"""What a plug-in may import is pinned: other people's packages depend on it."""

import re

import wynot.plugin
from structure.pages import ROOT

PAGE = (ROOT / "docs/reference/plugins.md").read_text()


def test_the_names_are_these() -> None:
    assert sorted(wynot.plugin.__all__) == [
        *("Broken", "Container", "Cut", "DeleteParts", "Files", "Forest", "Language", "Member"),
        *(
            "Packed",
            "Parts",
            "Pass",
            "Patch",
            "Rewrite",
            "Tree",
            "Trees",
            "parse_brackets",
            "rewritten",
        ),
    ]
    assert all(hasattr(wynot.plugin, name) for name in wynot.plugin.__all__)


def test_the_documented_example_imports_from_there_and_from_nowhere_else() -> None:
    homes = re.findall(r"^from (wynot\S*) import", PAGE, re.MULTILINE)
    assert homes
    assert {*homes} == {"wynot.plugin"}
