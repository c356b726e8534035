"""The folder of journals stays out of git, and goes when it is empty."""

import pwd
from pathlib import Path

import pytest

from wynot.core.errors import InvalidOption, UnsafeFolder
from wynot.disk.home import leave_home, make_home, state_folder


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


@pytest.mark.parametrize("home", ["relative", None])
def test_user_without_a_home_has_no_state_folder(
    monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "relative too")
    if home is None:
        monkeypatch.delenv("HOME")
        monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)  # as in a container without the user
    else:
        monkeypatch.setenv("HOME", home)
    with pytest.raises(InvalidOption, match="set HOME or XDG_STATE_HOME to an absolute path"):
        state_folder()


def test_nobody_else_can_write_to_it(tmp_path: Path) -> None:
    home = tmp_path / ".wynot"
    home.mkdir()
    home.chmod(0o777)
    make_home(home)
    assert home.stat().st_mode & 0o777 == 0o755


def test_a_folder_inside_is_not_reached_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / ".wynot").mkdir()
    (tmp_path / ".wynot" / "batch").symlink_to(tmp_path / "outside")
    with pytest.raises(UnsafeFolder, match="is a link"):
        make_home(tmp_path / ".wynot" / "batch" / "new")
    assert list((tmp_path / "outside").iterdir()) == []
