"""Run a command as on a kernel without some system calls: they answer ENOSYS.

    python benchmarks/without_syscalls.py openat2 make test
    python benchmarks/without_syscalls.py landlock make test

A seccomp filter does it, for the command and for all that it starts, on x86-64 and aarch64.
"""

import argparse
import ctypes
import errno
import os
import platform
import struct

SYSTEM_CALLS = {"openat2": (437,), "landlock": (444, 445, 446)}
"""Their numbers, which are the same on both machines."""
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_NUMBER, _ARCHITECTURE = 0, 4  # where they are in what a filter is shown
_LOAD, _JUMP_IF_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _FILTER_MODE = 22, 38, 2


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def instructions(numbers: tuple[int, ...], architecture: int) -> bytes:
    """Return the filter: programs of another architecture are left alone."""
    to_end = len(numbers) + 1
    steps = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_IF_EQUAL, 0, to_end, architecture),
        (_LOAD, 0, 0, _NUMBER),
        *((_JUMP_IF_EQUAL, to_end - at - 1, 0, number) for at, number in enumerate(numbers)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _FAIL | errno.ENOSYS),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def do_without(numbers: tuple[int, ...]) -> None:
    """Have these system calls fail in this process, and in all that it will start."""
    filter_ = instructions(numbers, ARCHITECTURES[platform.machine()])
    program = _Program(len(filter_) // 8, filter_)
    library = ctypes.CDLL(None, use_errno=True)
    # Root needs no such promise, and with it programs could not change their user by set-uid bits.
    if os.geteuid() != 0 and library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no_new_privs")
    if library.prctl(_PR_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp")


def main() -> None:
    """Run what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("without", choices=SYSTEM_CALLS)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    do_without(SYSTEM_CALLS[options.without])
    os.execvp(options.command[0], options.command)  # noqa: S606 - what the command line names


if __name__ == "__main__":
    main()
