"""Archives that are damaged, with the programs that complain of them."""

import gzip
import hashlib
import io
import random
import tarfile
import zipfile
from pathlib import Path
from shutil import which

import pytest

from e2e.programs import Ran, told

MEMBERS = 30
BAD = "f17.txt"


def words(number: int) -> bytes:
    """Return a text that does not compress well, and is another for each number."""
    return " ".join(random.Random(number).choices(["ab", "cd", "ef", "gh"], k=99)).encode()


def zipped(method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for number in range(MEMBERS):
            archive.writestr(f"f{number}.txt", words(number))
    return file.getvalue()


def tarred() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for number in range(MEMBERS):
            info = tarfile.TarInfo(f"f{number}.txt")
            info.size = len(words(number))
            archive.addfile(info, io.BytesIO(words(number)))
    return file.getvalue()


def spoiled(content: bytes, place: int) -> bytes:
    return content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :]


def count_of(ran: Ran) -> int:
    assert ran.code == 0, ran
    tests: int = ran.events[-1]["tests"]
    return tests


def notices(ran: Ran) -> list[str]:
    return [event["message"] for event in ran.events if event["event"] == "noticed"]


@pytest.mark.skipif(which("unzip") is None, reason="there is no unzip")
def test_the_one_damaged_member_of_a_zip_is_what_is_left(tmp_path: Path) -> None:
    content = zipped(zipfile.ZIP_STORED)
    start = content.index(BAD.encode()) - 30
    content = spoiled(content, start + 60)
    file = tmp_path / "x.zip"
    file.write_bytes(content)
    ran = told(
        tmp_path, "reduce", "--json", "--stdout", "bad CRC", "x.zip", "--", "unzip", "-tq", "{}"
    )
    assert count_of(ran) <= 40
    assert notices(ran) == [
        f"x.zip: member {BAD} cannot be unpacked (bad CRC-32): its bytes are kept as they are"
    ]
    with zipfile.ZipFile(file) as archive:
        assert archive.namelist() == [BAD]
    left = file.read_bytes()
    member = left[: left.index(b"PK\1\2")]
    assert member in content


@pytest.mark.skipif(which("unzip") is None, reason="there is no unzip")
def test_a_zip_without_its_directory_is_reduced_by_what_is_in_it(tmp_path: Path) -> None:
    content = zipped()
    (tmp_path / "x.zip").write_bytes(content[: content.index(b"PK\1\2")])
    line = "unzip -tq x.zip 2>&1 | grep -q 'signature not found' && grep -aq f3.txt x.zip"
    ran = told(tmp_path, "reduce", "--json", "-c", line, "x.zip")
    assert count_of(ran) <= 60
    assert "the central directory is missing" in notices(ran)[0]
    left = (tmp_path / "x.zip").read_bytes()
    assert left.count(b"PK\3\4") == 1
    assert left[30:36] == b"f3.txt"


def test_a_truncated_tar_gz_stays_truncated(tmp_path: Path) -> None:
    packed = gzip.compress(tarred(), mtime=0)
    (tmp_path / "x.tar.gz").write_bytes(packed[: len(packed) * 2 // 3])
    line = (
        "gzip -t x.tar.gz 2>&1 | grep -q 'unexpected end' &&"
        " gzip -dc x.tar.gz 2>&- | tar xOf - f3.txt 2>&- | grep -q 'ab cd'"
    )
    ran = told(tmp_path, "reduce", "--json", "-c", line, "x.tar.gz")
    assert count_of(ran) <= 60
    assert notices(ran)[0].startswith("x.tar.gz: the data end too soon")
    left = (tmp_path / "x.tar.gz").read_bytes()
    with pytest.raises(EOFError):
        gzip.decompress(left)
    with tarfile.open(fileobj=io.BytesIO(left), mode="r|gz") as archive:
        assert [info.name for info in (archive.next(),) if info] == ["f3.txt"]


def test_a_bad_header_of_a_tar_is_what_is_left(tmp_path: Path) -> None:
    content = tarred()
    content = spoiled(content, content.index(BAD.encode()) + 110)
    (tmp_path / "x.tar").write_bytes(content)
    line = "tar tf x.tar 2>&1 | grep -q 'Skipping to next header'"
    ran = told(tmp_path, "reduce", "--json", "-c", line, "x.tar")
    assert count_of(ran) <= 60
    left = (tmp_path / "x.tar").read_bytes()
    assert left.startswith(BAD.encode())
    assert left.rstrip(b"\0") in content


@pytest.mark.slow
def test_bytes_that_cannot_go_take_few_tests_and_that_is_said(tmp_path: Path) -> None:
    content = random.Random(0).randbytes(2000)
    (tmp_path / "x.bin").write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    ran = told(tmp_path, "reduce", "--json", "-c", f"sha256sum x.bin | grep -q {digest}", "x.bin")
    # Up to a fifth of them try whether bytes can be zero.
    assert count_of(ran) <= 2600
    first, last = notices(ran)
    assert first.startswith("x.bin is treated as plain bytes: it is neither text nor")
    assert "--atoms bytes" in last
    assert ran.events[-1]["minimal"] == []
