"""Workers on other machines, which are started and spoken to over ssh alone.

dask's own SSHCluster has no temporary certificates, and its workers have to reach ports of this
machine. Here all connections are forwarded by ssh, in both directions: the machines need no other
way to each other. Only users of these machines could try to connect, and lack the certificate.
"""

import asyncio
import json
import random
import shlex
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from contextlib import suppress

from distributed.security import Security

from wynot.cluster.cluster_address import CONNECT_SECONDS, SshHost
from wynot.cluster.remote_worker import BUSY, READY
from wynot.core.errors import NoCluster

START_SECONDS = 30.0
"""Seconds that a worker may take to start once ssh has connected."""
AGAIN_SECONDS = 5.0
"""Seconds before a worker that has ended is started again."""
MAX_TRIES = 5
CLOSING_SECONDS = 10.0
SHOWN_LINES = 3
REMOTE_PORTS = range(20000, 32000)
"""Below those that systems give to whoever asks for any."""
_OPTIONS = {
    "BatchMode": "yes",
    "ConnectTimeout": str(int(CONNECT_SECONDS)),
    "ServerAliveInterval": "5",
    "ServerAliveCountMax": "3",
    "ExitOnForwardFailure": "yes",
    "ControlMaster": "no",
    "ControlPath": "none",
}
# The Python of this machine if it is there too, or else one that is found.
_REMOTE_SHELL = (
    'for each do if command -v "$each" >/dev/null 2>&1; then '
    'exec "$each" -P -m wynot.cluster.remote_worker; fi; done; '
    'echo "there is no $1, and no python3" >&2; exit 127'
)


class _PortTaken(Exception):
    """Somebody else has one of the ports that were to be used."""


class SshWorker:
    """A worker on another machine, which is started again if it is lost."""

    def __init__(self, host: SshHost, scheduler: int, security: Security) -> None:
        """Take the port of the scheduler here, and its certificates."""
        self.host = host
        self._scheduler = scheduler
        self._security = security
        self._ssh: Process | None = None
        self._output: deque[str] = deque(maxlen=SHOWN_LINES)
        """The last lines that ssh or the worker has written to standard error."""
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start it, and start it again whenever it is lost; raise NoCluster if it never starts."""
        await self._begin()
        self._tasks.append(asyncio.create_task(self._keep()))

    async def close(self) -> None:
        """End it by closing its standard input."""
        for task in self._tasks:
            task.cancel()
        if self._ssh is not None and self._ssh.returncode is None:
            assert self._ssh.stdin is not None  # noqa: S101 - it is a pipe
            self._ssh.stdin.close()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ssh.wait(), CLOSING_SECONDS)
                return
            await self._kill()

    async def _keep(self) -> None:
        while True:
            assert self._ssh is not None  # noqa: S101 - it was started
            await self._ssh.wait()
            await asyncio.sleep(AGAIN_SECONDS)
            with suppress(NoCluster, OSError):  # the next time, perhaps
                await self._begin()

    async def _begin(self) -> None:
        for _ in range(MAX_TRIES):
            try:
                await asyncio.wait_for(self._try(), START_SECONDS)
            except _PortTaken:
                continue
            except TimeoutError as error:
                await self._kill()
                raise self._failure(f"it takes more than {START_SECONDS:.0f} s") from error
            except BaseException:
                await self._kill()
                raise
            return
        raise self._failure("all ports that were tried are taken")

    async def _try(self) -> None:
        """Start ssh, and the worker with it, on some ports."""
        scheduler, listening = random.sample(REMOTE_PORTS, 2)
        contact = _free_port()
        forward = ["-R", f"127.0.0.1:{scheduler}:127.0.0.1:{self._scheduler}"]
        forward += ["-L", f"127.0.0.1:{contact}:127.0.0.1:{listening}"]
        options = [word for each in _OPTIONS.items() for word in ("-o", "=".join(each))]
        version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
        shell = ["sh", "-c", _REMOTE_SHELL, "sh", sys.executable, version, "python3"]
        argv = ["-T", "-a", "-x", *options, *forward, "--", self.host.target, shlex.join(shell)]
        try:
            self._ssh = await asyncio.create_subprocess_exec(
                "ssh", *argv, stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
            )
        except FileNotFoundError as error:
            raise self._failure("there is no program 'ssh'") from error
        self._output.clear()
        stderr = self._ssh.stderr
        assert stderr is not None  # noqa: S101 - it is a pipe
        complaints = asyncio.create_task(self._listen(stderr))
        self._tasks = [each for each in self._tasks if not each.done()] + [complaints]
        await self._tell({"scheduler": scheduler, "port": listening, "contact": contact})
        if not await self._is_ready():
            await self._kill()
            await complaints
            if any("forward" in each and "failed" in each for each in self._output):
                raise _PortTaken
            raise self._failure("; ".join(self._output) or "it ends without a word")

    async def _tell(self, ports: dict[str, int]) -> None:
        """Tell the worker what it needs."""
        assert self._ssh is not None  # noqa: S101 - it was started
        assert self._ssh.stdin is not None  # noqa: S101 - it is a pipe
        settings = {
            **ports,
            "slots": self.host.slots,
            "name": f"{self.host.target} {ports['contact']}",
            "ca": self._security.tls_ca_file,
            "cert": self._security.tls_worker_cert,
            "key": self._security.tls_worker_key,
        }
        self._ssh.stdin.write(json.dumps(settings).encode() + b"\n")
        with suppress(OSError):  # it has ended, and says why
            await self._ssh.stdin.drain()

    async def _is_ready(self) -> bool:
        """Wait for the worker, past whatever a login prints; raise if its port is taken."""
        assert self._ssh is not None  # noqa: S101 - it was started
        assert self._ssh.stdout is not None  # noqa: S101 - it is a pipe
        while line := await self._ssh.stdout.readline():
            if line.endswith(BUSY):
                await self._kill()
                raise _PortTaken
            if line.endswith(READY):
                return True
        return False

    async def _listen(self, errors: asyncio.StreamReader) -> None:
        with suppress(ValueError):  # an endless line is of no use
            while line := await errors.readline():
                self._output.append(line.decode(errors="replace").strip()[:200])

    async def _kill(self) -> None:
        if self._ssh is not None and self._ssh.returncode is None:
            with suppress(ProcessLookupError):
                self._ssh.kill()
            await self._ssh.wait()

    def _failure(self, why: str) -> NoCluster:
        target = self.host.target
        return NoCluster(
            f"no worker can be started on {target!r} over ssh: {why}",
            hint=f"does 'ssh {target} true' work without a question? Are wynot[cluster] and the "
            "same Python installed there?",
        )


def _free_port() -> int:
    """Return a port that nobody here has now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port
