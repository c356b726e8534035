"""Shelves that packages are taken from without a network: a folder of wheels, a registry."""

import base64
import hashlib
import io
import json
import tarfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from wynot.inquiries.packages.lock_file import Pin, Pins


def wheel(folder: Path, name: str, version: str, *needs: str, code: str = "") -> Path:
    """Put a package onto the shelf: a module that knows its version."""
    folder.mkdir(exist_ok=True)
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    files = {
        f"{name}.py": f"version = {version!r}\n{code}",
        f"{info}/METADATA": metadata + "".join(f"Requires-Dist: {each}\n" for each in needs),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": f"[console_scripts]\nsay-{name} = {name}:main\n",
    }
    record = "".join(f"{path},,\n" for path in (*files, f"{info}/RECORD"))
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for inner, text in {**files, f"{info}/RECORD": record}.items():
            archive.writestr(inner, text)
    return path


def asked(*texts: str) -> Pins:
    """Return pins of packages that are asked for: ``name==version``."""
    return Pins(Pin(text.partition("==")[0], text.partition("==")[2], text) for text in texts)


def bound(*texts: str) -> Pins:
    """Return pins of packages that are only bounds."""
    return Pins(replace(pin, role="bound") for pin in asked(*texts))


Packages = Mapping[tuple[str, str], Mapping[str, str]]
"""What each version of each package needs."""


@contextmanager
def registry(packages: Packages) -> Iterator[str]:
    """Serve packages to npm; yield the URL."""
    tarballs = {
        f"{name}-{version}.tgz": _tarball(name, version, needs)
        for (name, version), needs in packages.items()
    }

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.rpartition("/")[2]
            found = tarballs.get(name) or _described(name, packages, tarballs, url)
            self.send_response(200 if found else 404)
            self.end_headers()
            self.wfile.write(found or b"{}")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    url = f"http://127.0.0.1:{server.server_port}/"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield url
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def locked(packages: Packages) -> str:
    """Return a lock file that asks for all of these packages."""
    places = {
        f"node_modules/{name}": {"version": version, "dependencies": dict(needs)}
        for (name, version), needs in packages.items()
    }
    root = {"dependencies": dict(packages.keys())}
    return json.dumps({"lockfileVersion": 3, "packages": {"": root, **places}})


def _described(name: str, packages: Packages, tarballs: Mapping[str, bytes], url: str) -> bytes:
    versions = {
        version: {
            "name": name,
            "version": version,
            "dependencies": dict(needs),
            "dist": {
                "tarball": f"{url}{name}-{version}.tgz",
                "integrity": _integrity(tarballs[f"{name}-{version}.tgz"]),
            },
        }
        for (each, version), needs in packages.items()
        if each == name
    }
    if not versions:
        return b""
    return json.dumps(
        {"name": name, "dist-tags": {"latest": max(versions)}, "versions": versions}
    ).encode()


def _tarball(name: str, version: str, needs: Mapping[str, str]) -> bytes:
    described = {"name": name, "version": version, "dependencies": dict(needs), "main": "main.js"}
    files = {"package.json": json.dumps(described), "main.js": f"module.exports = '{version}'\n"}
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as archive:
        for path, text in files.items():
            entry = tarfile.TarInfo(f"package/{path}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return whole.getvalue()


def _integrity(content: bytes) -> str:
    return "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()
