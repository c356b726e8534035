"""Runs in the interpreter of the user's program, just before the program begins.

An interpreter imports ``sitecustomize`` when all is ready but the program itself. So a process can
wait here with modules loaded, and be copied: each copy goes on with what its command line says,
just as it would have without us. Nothing of ours is in its stack, paths or environment then.

Any CPython from 3.8 on runs what is in this folder, without wynot: so it uses nothing but what is
loaded anyway, or is hardly noticed. ``WYNOT_WARM`` says what is to be done:

* ``record PATH``: run the program, and write down which modules it loads;
* ``serve PATH``: load modules, connect to that socket, and be copied for each message.
"""

import os
import sys

OURS = "sitecustomize"
HERE = os.path.dirname(os.path.abspath(__file__))
DOING = {"record": "_wynot_record", "serve": "_wynot_serve"}


def _restored() -> "dict[str, str]":
    """Take all of ours out of the environment, and return it."""
    environ = os.environ
    ours = {name: environ.pop(name) for name in list(environ) if name.startswith("WYNOT_WARM")}
    for name, kept in (
        ("PYTHONPATH", "WYNOT_WARM_PYTHONPATH"),
        ("PYTHONHASHSEED", "WYNOT_WARM_SEED"),
    ):
        if kept not in ours:
            continue
        if ours[kept] == "-":
            environ.pop(name, None)
        else:
            environ[name] = ours[kept][1:]
    return ours


def _has_own() -> bool:
    """Import the module of this name that would have been imported; tell if there is one."""
    ours = sys.modules.pop(OURS)
    try:
        __import__(OURS)
    except ImportError as error:
        if error.name != OURS:
            raise
        sys.modules[OURS] = ours
        return False
    return True


def _main() -> bool:
    """Do what is to be done; tell whether the program has a module of this name itself."""
    settings = _restored()
    what, _, path = settings.get("WYNOT_WARM", "").partition(" ")
    name, before = DOING.get(what), set(sys.modules)
    doing = name and __import__(name)
    ours = set(sys.modules) - before
    sys.path[:] = [each for each in sys.path if os.path.abspath(each) != HERE]
    sys.path_importer_cache.pop(HERE, None)
    has_own = _has_own()
    if name and doing:
        for each in [each for each in ours if each.startswith("_wynot_")]:
            del sys.modules[each]
        doing.main(path, settings.get("WYNOT_WARM_PLAN", ""), set(sys.modules) - ours)
    return has_own


if not _main():
    raise ImportError(name=OURS)  # as if there were none, which the interpreter is prepared for
