"""The worker that is started on another machine over ssh; `wynot.cluster.ssh_workers` does that.

One line on standard input tells it all it needs, certificates too, so that nothing of it is seen in
a list of processes or stays on a disk. It says on standard output that it is ready, and
ends when standard input does: that is when ssh or wynot has ended.

    python -P -m wynot.cluster.remote_worker
"""

import asyncio
import errno
import json
import os
import sys
from contextlib import closing, suppress
from typing import Any

from distributed import Worker
from distributed.security import Security

from wynot.commands.shared_options import cores
from wynot.machine.run_folder import RunFolder

READY, BUSY = b"wynot-worker: ready\n", b"wynot-worker: busy\n"
MAX_LINE_BYTES = 1 << 20


async def main() -> None:
    """Be a worker for as long as somebody wants one."""
    settings = json.loads(sys.stdin.buffer.readline(MAX_LINE_BYTES))
    with closing(RunFolder.make()) as root:  # if we are killed, the next worker removes it
        try:
            worker = await _worker(settings, str(root.folder))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                os.write(1, BUSY)
                return
            raise
        os.write(1, READY)
        with suppress(asyncio.CancelledError):
            await asyncio.wait(
                [asyncio.ensure_future(each) for each in (_end_of_input(), worker.finished())],
                return_when=asyncio.FIRST_COMPLETED,
            )
        await worker.close(timeout=5, nanny=False)


async def _worker(settings: dict[str, Any], folder: str) -> Worker:
    """Start a worker that listens on this machine alone; ssh passes on what is meant for it."""
    return await Worker(
        f"tls://127.0.0.1:{settings['scheduler']}",
        host="127.0.0.1",
        port=settings["port"],
        contact_address=f"tls://127.0.0.1:{settings['contact']}",
        nthreads=settings["slots"] or cores(),
        name=settings["name"],
        memory_limit=0,
        dashboard=False,
        local_directory=folder,
        security=Security(
            require_encryption=True,
            tls_ca_file=settings["ca"],
            tls_worker_cert=settings["cert"],
            tls_worker_key=settings["key"],
        ),
    )


async def _end_of_input() -> None:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.read(1 << 12):
        pass


if __name__ == "__main__":
    asyncio.run(main())
