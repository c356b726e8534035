"""Runs a check written for lithium: a module with ``interesting(args, prefix)``.

It is started as ``python -m wynot.programs.lithium MODULE.py FILE``, and exits with 0 if the check
says yes. It also calls ``init`` and ``cleanup`` of such a module, if they are there.
"""

import importlib.util
import sys
from pathlib import Path


def main(module: str, *args: str) -> int:
    """Ask the module about the file, which is the last argument."""
    path = Path(module)
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None  # noqa: S101 - the path ends in .py
    assert spec.loader is not None  # noqa: S101
    check = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(check)
    given = list(args)
    if hasattr(check, "init"):
        check.init(given)
    try:
        return 0 if check.interesting(given, "wynot") else 1
    finally:
        if hasattr(check, "cleanup"):
            check.cleanup(given)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
