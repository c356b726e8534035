"""How the command begins: ``wynot``, and ``python -m wynot``.

Ctrl-C may come while modules are still being imported, long before anything could be told about it.
So this module imports next to nothing, takes the signal, and only then asks for the rest.
"""

import gc
import os
import sys

LAST_WORDS, INTERRUPTED = b"wynot: interrupted before anything was done\n", 130
"""The exit code is that of `wynot.cli.exit_codes`, which is not imported yet."""

try:
    import signal
    from importlib import import_module
except KeyboardInterrupt:
    os.write(2, LAST_WORDS)
    os._exit(INTERRUPTED)


def main() -> int:
    """Run the command line; return the exit code."""
    signal.signal(signal.SIGINT, _leave)
    gc.disable()  # an import makes no garbage; the command turns it on
    code: int = import_module("wynot.cli.main").main()
    gc.freeze()  # the system frees the memory of a process faster than the interpreter does
    return code


def _leave(*_: object) -> None:
    """End at once: an exception could come up anywhere in the middle of an import, and get lost."""
    try:
        os.write(2, LAST_WORDS)
    finally:  # there may be nobody who reads it
        os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
