"""Completion in real shells: what a person sees who presses Tab."""

import shutil
from pathlib import Path

import pytest

from e2e.programs import told
from e2e.terminals import needs_tmux, terminal
from structure.pages import ROOT
from wynot.commands.table import COMMANDS

pytestmark = [pytest.mark.slow, needs_tmux]

SHELLS = {
    "bash": "bash --norc --noprofile -i",
    "zsh": "zsh -f -i",
    "fish": "fish --no-config -i",
}
SOURCE = {
    "bash": 'eval "$(wynot completion bash)"',
    "zsh": 'eval "$(wynot completion zsh)"',
    "fish": "wynot completion fish | source",
}
TYPED = {
    "wynot red": "wynot reduce",
    "wynot reduce --max-te": "wynot reduce --max-tests",
    "wynot reduce --format ti": "wynot reduce --format tidy",
    "wynot reduce --fresh some-in": "wynot reduce --fresh some-input.txt",
    "wynot completion fi": "wynot completion fish",
    "wynot help hist": "wynot help history",
    "wynot reduce some-input.txt -- cat some-in": "cat some-input.txt",
}


@pytest.mark.parametrize("shell", SHELLS)
def test_tab_completes(tmp_path: Path, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "some-input.txt").write_text("x")
    with terminal(tmp_path, 100, 30, env={"HOME": str(tmp_path)}) as window:
        window.line(f"clear; {SHELLS[shell]}")
        window.line(f"{SOURCE[shell]}; echo read''y")
        window.shows("ready")
        for typed, completed in TYPED.items():
            window.type("C-l")
            window.fits(lambda rows: not any("wynot " in row for row in rows), "an empty screen")
            window._tmux("send-keys", "-t", "0", "-l", typed)  # noqa: SLF001 - no Enter
            window.shows(typed)
            window.type("Tab")
            window.shows(completed)
            window.type("C-u")


def test_the_help_is_a_screen(tmp_path: Path) -> None:
    with terminal(tmp_path, 80, 24) as window:
        window.line("clear; wynot --help")
        screen = window.shows("for all of it: man wynot.")
        assert screen[0].startswith("usage: wynot COMMAND")
        assert all(any(row.startswith(f"  {name} ") for row in screen) for name in COMMANDS)
    shown = told(tmp_path, "--help").out
    assert all(len(row) <= 80 for row in shown.splitlines())


def test_the_manual_is_found(tmp_path: Path) -> None:
    if shutil.which("man") is None:
        pytest.skip("man is not installed")
    share = tmp_path / "share" / "man"
    share.mkdir(parents=True)
    (share / "man1").symlink_to(ROOT / "man")
    with terminal(tmp_path, env={"MANPATH": str(share), "MANPAGER": "cat"}) as window:
        window.line("clear; man wynot-watch | head -20")
        window.shows("wynot-watch - follow a reduction that runs in another terminal")
