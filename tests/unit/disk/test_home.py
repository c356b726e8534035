"""The folder of journals stays out of git, and goes when it is empty."""

from pathlib import Path

from wynot.disk.home import leave_home, make_home


def test_it_ignores_all_that_is_in_it(tmp_path: Path) -> None:
    home = tmp_path / ".wynot"
    make_home(home)
    assert (home / ".gitignore").read_text() == "*\n"


def test_what_somebody_has_changed_or_removed_stays_so(tmp_path: Path) -> None:
    home = tmp_path / ".wynot"
    home.mkdir()
    make_home(home)
    assert list(home.iterdir()) == []
    (home / ".gitignore").write_text("*.lock\n")
    make_home(home)
    leave_home(home)
    assert (home / ".gitignore").read_text() == "*.lock\n"


def test_it_goes_only_if_nothing_else_is_there(tmp_path: Path) -> None:
    home = tmp_path / ".wynot"
    make_home(home)
    (home / "f.journal").touch()
    leave_home(home)
    assert (home / ".gitignore").exists()
    (home / "f.journal").unlink()
    leave_home(home)
    assert not home.exists()


def test_other_folders_are_only_made(tmp_path: Path) -> None:
    make_home(tmp_path / "a" / "state")
    assert list((tmp_path / "a" / "state").iterdir()) == []
