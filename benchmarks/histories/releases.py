"""Source releases from PyPI: fetched once, read as trees of files."""

import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.request import urlopen

HOME = Path(os.environ.get("WYNOT_BENCH_HOME", Path.home() / ".cache" / "wynot-bench"))
INDEX = "https://pypi.org/simple"
NEEDED = ("markupsafe==3.0.2", "asgiref==3.8.1", "sqlparse==0.5.3", "urllib3==2.2.3", "idna==3.10",
          "certifi==2024.8.30", "charset-normalizer==3.4.0")  # fmt: skip
"""What the packages import."""
LEFT_OUT = re.compile(
    r"PKG-INFO$|\.egg-info/|/locale/|/static/|/jquery|\.(mo|po|svg|png|gif|ico|jpg|pdf|zip|gz|pyc)$"
)
"""Made at the release, or neither text nor code."""

Tree = dict[str, bytes]


def dependencies() -> Path:
    """Return a folder with what the packages import, installed if it is not there yet."""
    folder = HOME / "histories" / "dependencies"
    if not folder.exists():
        made = folder.with_suffix(".new")
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--target", str(made), *NEEDED], check=True)
        made.rename(folder)
    return folder


def release(name: str, version: str, wanted: Sequence[str]) -> Tree:
    """Return the files of a release that are below one of some paths."""
    tree = {}
    for path, content in _members(_fetched(name, version)):
        inside = path.partition("/")[2]
        if inside.startswith(tuple(wanted)) and not LEFT_OUT.search(inside):
            tree[inside] = content
    return tree


def _members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Go through the files of an archive."""
    data = archive.read_bytes()
    if archive.suffix == ".zip":
        with zipfile.ZipFile(io.BytesIO(data)) as opened:
            yield from ((name, opened.read(name)) for name in opened.namelist() if name[-1] != "/")
        return
    with tarfile.open(fileobj=io.BytesIO(data)) as packed:
        for member in packed:
            if member.isfile() and (file := packed.extractfile(member)):
                yield member.name, file.read()


def _fetched(name: str, version: str) -> Path:
    """Return the archive of a release, checked against the hash that the index has for it."""
    folder = HOME / "releases"
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"{name}-{version}.{kind}" for kind in ("tar.gz", "zip")]
    for each in names:
        if (folder / each).exists():
            return folder / each
    page = urlopen(f"{INDEX}/{name}/", timeout=100).read().decode()  # noqa: S310 - of the index
    for url, digest, file in re.findall(r'<a href="([^"#]+)#sha256=(\w+)"[^>]*>([^<]+)</a>', page):
        if file.lower() in names:
            content = urlopen(url, timeout=100).read()  # noqa: S310 - of the index
            if hashlib.sha256(content).hexdigest() != digest:
                raise SystemExit(f"{url}: the content is not what the index says")
            made = folder / str(file).lower()
            made.with_suffix(".new").write_bytes(content)
            made.with_suffix(".new").rename(made)
            return made
    raise SystemExit(f"{INDEX}/{name}/ has no source release {version}")
