"""The start of a process, as `subprocess.Popen` does it, without what it does beside that.

Popen encodes the environment, opens what is null, checks arguments and makes locks each time anew:
65 µs of 105, for a program that needs 500 to start and end. Here all of that was done before. The
function that forks is not a public one: with a Python whose signature of it is not known, and
wherever something is unusual, Popen does the work, and says what is wrong.
"""

import _posixsubprocess
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import lru_cache

_IS_KNOWN = sys.implementation.name == "cpython" and sys.version_info < (3, 14)
_FIRST_FREE = 3  # below are the descriptors of the three streams
_NO = -1


def spawn(argv: Sequence[str], folder: str, environ: list[bytes], streams: tuple[int, ...]) -> int:
    """Start a program in a session of its own; return its number, raise OSError if it cannot be.

    The environment is a list of ``NAME=value``, the streams are three descriptors.
    """
    reading, writing = os.pipe()  # the other side closes it by the start of the program
    try:
        if not _IS_KNOWN or min(reading, writing, *streams) < _FIRST_FREE:
            return _by_popen(argv, folder, environ, streams)
        stdin, stdout, stderr = streams
        sys.audit("subprocess.Popen", argv[0], argv, folder, environ)
        pid = _posixsubprocess.fork_exec(
            [os.fsencode(each) for each in argv],
            _files_of(argv[0], environ),
            True,  # noqa: FBT003 - close all other descriptors; it takes no names
            (writing,),
            folder,
            environ,
            stdin,
            _NO,
            _NO,
            stdout,
            _NO,
            stderr,
            reading,
            writing,
            True,  # noqa: FBT003 - signals that Python ignores are not ignored there
            True,  # noqa: FBT003 - a new session
            _NO,
            None,
            None,
            None,
            _NO,
            None,  # type: ignore[arg-type]  # nothing is to be called in between
            True,  # noqa: FBT003 - vfork
        )
        os.close(writing)
        writing = _NO
        if os.read(reading, 1):  # it could not be started: let Popen find out, and say why
            os.waitpid(pid, 0)
            return _by_popen(argv, folder, environ, streams)
        return pid
    finally:
        os.close(reading)
        if writing != _NO:
            os.close(writing)


def _by_popen(
    argv: Sequence[str], folder: str, environ: list[bytes], streams: tuple[int, ...]
) -> int:
    stdin, stdout, stderr = streams
    process = subprocess.Popen(  # noqa: S603 - running what the user names is the point
        argv,
        cwd=folder,
        env=dict(line.split(b"=", 1) for line in environ),
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        start_new_session=True,
    )
    process.returncode = 0  # it is waited for by others
    return process.pid


def _files_of(program: str, environ: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the files that a program may be, in the order in which they are tried."""
    name = os.fsencode(program)
    if b"/" in name:
        return (name,)
    lines = (line for line in environ if line.startswith(b"PATH="))
    return _files_in(next(lines, b"PATH=" + os.defpath.encode())[5:], name)


@lru_cache
def _files_in(path: bytes, name: bytes) -> tuple[bytes, ...]:
    return tuple(os.path.join(folder, name) for folder in path.split(b":"))  # noqa: PTH118 - bytes
