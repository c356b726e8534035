"""An archive from a stranger names paths outside: nothing is ever unpacked to them."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from e2e.programs import shell, told

TEXT = b"needle\n" + b"hay\n" * 30


def _tar(outside: Path) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, str(outside)
        archive.addfile(link)
        for name in _names(outside):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(TEXT), 0o4755
            archive.addfile(member, io.BytesIO(TEXT))
    return made.getvalue()


def _zip(outside: Path) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, str(outside))
        for name in _names(outside):
            archive.writestr(zipfile.ZipInfo(name), TEXT)
    return made.getvalue()


def _names(outside: Path) -> list[str]:
    up = "../" * 12
    return [f"{outside}/absolute", f"{up}{outside}/up", "../outside/beside", "link/through"]


@pytest.mark.parametrize("make", [_tar, _zip])
def test_no_member_is_unpacked_to_its_path(tmp_path: Path, make: Callable[[Path], bytes]) -> None:
    outside, work = tmp_path / "outside", tmp_path / "work"
    outside.mkdir()
    work.mkdir()
    (work / "in.bin").write_bytes(make(outside))
    shell(work, "grep -aq needle $1")
    ran = told(work, "reduce", "./test.sh", "in.bin")
    assert ran.code == 0, ran.err
    assert b"needle" in (work / "in.bin").read_bytes()
    assert len((work / "in.bin").read_bytes()) < len(make(outside))
    assert not list(outside.iterdir())
