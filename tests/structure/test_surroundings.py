"""The tests are the same for everybody who runs them."""

import os
import tempfile
from pathlib import Path

import pytest

from surroundings import PrivateFolders, usual_surroundings
from wynot.disk.home import state_folder
from wynot.machine.run_folder import choose

ODD = dict.fromkeys(
    [
        "CI",
        "COLUMNS",
        "FORCE_COLOR",
        "NO_COLOR",
        "LANGUAGE",
        "GIT_DIR",
        "GIT_CONFIG_COUNT",
        "PYTHONWARNINGS",
        "SUDO_UID",
        "PYTEST_ADDOPTS",
        "XDG_STATE_HOME",
        "npm_config_color",
        "ENV",
    ],
    "1",
)


def test_nothing_of_whoever_runs_them_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {**ODD, "TZ": "Asia/Kathmandu", "SSL_CERT_FILE": "/x"}.items():
        monkeypatch.setenv(name, value)
    before = dict(os.environ)
    mask = os.umask(0o077)
    try:
        with usual_surroundings(tmp_path):
            assert not ODD.keys() & os.environ.keys()
            assert (os.environ["TZ"], os.environ["LC_ALL"]) == ("UTC", "C.UTF-8")
            assert os.environ["PATH"] == before["PATH"]
            assert os.environ["SSL_CERT_FILE"] == "/x"
            (tmp_path / "new").touch()
        assert dict(os.environ) == before
        assert os.umask(0o077) == 0o077
    finally:
        os.umask(mask)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o644


def test_no_folder_is_shared_with_another_worker(worker_id: str) -> None:
    own = Path(tempfile.gettempdir())
    assert worker_id in {own.name, "master"}
    assert choose(0) == own
    assert Path.home().parent == own
    assert state_folder().is_relative_to(own)


def test_workers_have_different_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for worker in ("gw0", "gw1"):
        monkeypatch.setenv("TMPDIR", str(tmp_path))
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        made.append(PrivateFolders(worker))
    assert [each.folder for each in made] == [tmp_path / "gw0", tmp_path / "gw1"]
