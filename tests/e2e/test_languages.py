"""What ``wynot languages`` prints."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from e2e.programs import wynot
from wynot.formats.language_table import LANGUAGES


def rows(tmp_path: Path) -> dict[str, str]:
    ran = wynot(tmp_path, "languages")
    assert (ran.code, ran.err) == (0, "")
    head, *lines = ran.out.splitlines()
    assert head.split() == ["language", "parsed", "by", "files"]
    return {line.split()[0]: line for line in lines}


def test_every_language_has_its_line(tmp_path: Path) -> None:
    found = rows(tmp_path)
    assert list(found) == sorted(language.name for language in LANGUAGES)
    assert found["c"].split() == ["c", "tree-sitter-c", ".c", ".i", ".h"]
    assert found["make"].split()[-4:] == ["Makefile", "makefile", "GNUmakefile", "Kbuild"]
    assert found["dot"].split() == ["dot", "wynot", ".dot", ".gv"]


@pytest.mark.skipif(find_spec("tree_sitter_language_pack") is not None, reason="it is there")
def test_a_language_whose_grammar_is_not_there_says_what_to_install(tmp_path: Path) -> None:
    assert "pip install tree-sitter-language-pack==0.13.0" in rows(tmp_path)["r"]


def test_no_grammar_is_loaded_for_the_list(tmp_path: Path) -> None:
    ran = wynot(tmp_path, "languages", before=[sys.executable, "-X", "importtime", "-c", LISTED])
    assert ran.code == 0, ran
    assert "wynot.formats.language_table" in ran.err
    assert "tree_sitter" not in ran.err


LISTED = "import sys; sys.argv[:] = ['wynot', 'languages']; from wynot.cli.main import main; main()"
