"""How the command begins: ``wynot``, and ``python -m wynot``.

Ctrl-C may come while modules are still being imported, long before anything could be told about it.
So this module imports next to nothing, takes the signal, and only then asks for the rest.
"""

import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from types import FrameType

INTERRUPTED = 130
"""As in `wynot.cli.exit_codes`, which is not imported yet."""


def main() -> int:
    """Run the command line; return the exit code."""
    signal.signal(signal.SIGINT, _leave)
    code: int = import_module("wynot.cli.main").main()
    return code


def _leave(_number: int, _frame: FrameType | None) -> None:
    """End at once: an exception could come up anywhere in the middle of an import, and get lost."""
    with suppress(OSError):  # there may be nobody who reads it
        os.write(2, b"wynot: interrupted before anything was done\n")
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
