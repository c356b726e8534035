"""A real sshd on the loopback device, for tests: with keys of its own, and for this user only."""

import getpass
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

LONGEST = 60.0
"""Seconds after which a server that should listen does not."""
_SSHD = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


MARK = "STARTED_OVER_SSH"
"""A variable that all processes have which the server has started, and those that they start."""


def started_over_ssh(folder: Path) -> list[int]:
    """Return the processes that a server in this folder has started, and those that they did."""
    mark = f"{MARK}={folder}\0".encode()
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (each / "environ").read_bytes():
                found.append(int(each.name))
    return found


@contextmanager
def ssh_server(folder: Path) -> Iterator[dict[str, str]]:
    """Have a server; yield the environment in which ``ssh`` knows it as the hosts one and two."""
    if _SSHD is None or shutil.which("ssh") is None:
        pytest.skip("sshd is not installed (Debian: openssh-server)")
    folder.mkdir(mode=0o700)
    for name in ("host", "mine"):
        _run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name))
    (folder / "authorized").write_bytes((folder / "mine.pub").read_bytes())
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    _write(
        folder / "sshd.conf",
        *(f"Port {port}", "ListenAddress 127.0.0.1", f"HostKey {folder}/host", "UsePAM no"),
        *(f"AuthorizedKeysFile {folder}/authorized", "StrictModes no", f"PidFile {folder}/pid"),
        *("PasswordAuthentication no", "PermitRootLogin prohibit-password"),
        f"SetEnv {MARK}={folder}",
    )
    key = " ".join((folder / "host.pub").read_text().split()[:2])
    _write(folder / "known", f"[127.0.0.1]:{port} {key}")
    _write(
        folder / "ssh.conf",
        *("Host one two", "HostName 127.0.0.1", f"Port {port}", f"User {getpass.getuser()}"),
        *(f"IdentityFile {folder}/mine", "IdentitiesOnly yes", "IdentityAgent none"),
        *(f"UserKnownHostsFile {folder}/known", "StrictHostKeyChecking yes"),
        *("Host stranger", "HostName 127.0.0.1", f"Port {port}", "IdentityFile none"),
        *("IdentitiesOnly yes", f"UserKnownHostsFile {folder}/known"),
    )
    (folder / "bin").mkdir()
    _write(folder / "bin" / "ssh", "#!/bin/sh", f'exec /usr/bin/ssh -F {folder}/ssh.conf "$@"')
    (folder / "bin" / "ssh").chmod(0o755)
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)  # where sshd lives that is run by root
    command = [_SSHD, "-D", "-e", "-f", str(folder / "sshd.conf")]
    with (folder / "log").open("wb") as log:
        daemon = subprocess.Popen(command, stderr=log)  # noqa: S603 - ours
    try:
        _await_listening(daemon, port)
        yield {"PATH": f"{folder}/bin:{os.environ['PATH']}"}
    finally:
        daemon.kill()
        daemon.wait()


def _await_listening(daemon: "subprocess.Popen[bytes]", port: int) -> None:
    until = time.monotonic() + LONGEST
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            assert daemon.poll() is None
            assert time.monotonic() < until
            time.sleep(0.02)
        else:
            return


def _write(path: Path, *lines: str) -> None:
    path.write_text("".join(f"{line}\n" for line in lines))


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)  # noqa: S603 - ours
