"""Every command on a page runs, and prints what the page says."""

from pathlib import Path

import pytest

from structure.pages import PAGES, ROOT
from walkthroughs.blocks import (
    NOT_RUN,
    STAGES,
    WITH_COMMANDS,
    Block,
    blocks_of,
    flags_of,
    missing,
    played,
    stage_of,
)
from wynot.commands.table import COMMANDS

# What these print is not compared: the page is about something larger than what is on its stage.
NOT_COMPARED = {
    "wynot changes --atoms hunks -o ../found --good v1.0 -- sh ../total.sh",
    "wynot changes --bad HEAD -- sh total.sh",
    "wynot reduce config.json -- python3 serve.py {}",
    "wynot isolate compose.yaml -- python3 to_json.py {}",
    "wynot reduce -o small.toml server.toml -- python3 load.py {}",
    "wynot history t.txt",
}
FAIL_BY_DESIGN = {"cat > stack.py <<'END'", "pytest --wynot test_account.py"}
"""Blocks that end in the failure that the page is about."""


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def run_blocks(page: Path) -> list[Block]:
    return [block for block in blocks_of(page) if block.first not in NOT_RUN]


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in WITH_COMMANDS if run_blocks(page)], ids=name)
def test_the_commands_of_a_page_run_one_after_the_other(page: Path, tmp_path: Path) -> None:
    stage = stage_of(name(page))
    assert stage.exists(), f"make what {name(page)} takes for granted in {stage}"
    folder = tmp_path / "here"
    folder.mkdir()
    set_up = played(stage.read_text(), folder)
    assert set_up.returncode == 0, set_up.stdout
    for block in run_blocks(page):
        play(block, folder)


def play(block: Block, folder: Path) -> None:
    done = played(f"set -e\n{block.commands}", folder)
    if block.first not in FAIL_BY_DESIGN:
        assert done.returncode == 0, f"{block.first}\n{done.stdout}"
    if block.printed is not None and block.first not in NOT_COMPARED:
        assert not missing(block.printed, done.stdout), done.stdout


def test_what_is_not_run_is_still_there() -> None:
    firsts = {block.first for page in WITH_COMMANDS for block in blocks_of(page)}
    assert firsts >= NOT_RUN.keys()
    assert firsts >= FAIL_BY_DESIGN | NOT_COMPARED


def test_a_stage_belongs_to_a_page() -> None:
    assert {*STAGES.iterdir()} <= {stage_of(name(page)) for page in WITH_COMMANDS}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_the_commands_that_a_page_names_have_the_options_that_it_gives_them(page: Path) -> None:
    known = {command: {*row.flags, "--help"} for command, row in COMMANDS.items()}
    wrong = {(command, flag) for command, flag in flags_of(page) if flag not in known[command]}
    assert not wrong


def test_what_a_page_shows_is_looked_for_in_what_was_printed() -> None:
    printed = (
        "wynot: a.txt; 2 tests at a time, 26 ms each\n   0.3 s  8 left\nb\nc\n9 tests, 1.1 s.\n"
    )
    assert not missing("wynot: a.txt; 4 tests at a time, 5 ms each\n...\n9 tests, 8 s.\n", printed)
    waiting = "wynot: looking has taken 1.0 s; it may take\n  up to 9 s (Ctrl-C stops)\n"
    assert not missing("b\nc\n", printed.replace("c\n", f"{waiting}c\n"))
    assert missing("b\nd\n", printed) == ["b d"]
    assert missing("b\n8 tests, 1.1 s.\n", printed)
