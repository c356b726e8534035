"""A copy ends as the program does that is started: status, output, and all that is done at last."""

import pytest

from warm_program import Program
from wynot.machine import procfs
from wynot.machine.reaper import HAS_PIDFD

pytestmark = pytest.mark.skipif(not HAS_PIDFD, reason="processes are adopted on Linux only")


@pytest.mark.parametrize(
    "end",
    [
        "sys.exit()",
        "sys.exit(3)",
        "sys.exit('a message')",
        "raise SystemExit(5)",
        "os._exit(7)",
        "os.kill(os.getpid(), 9)",
        "os.kill(os.getpid(), 11)",
        "os.abort()",
        "raise KeyboardInterrupt",
        "1 / 0",
        "raise ExceptionGroup('some', [ValueError(1)])",
        "sys.excepthook = lambda *_: print('mine'); 1 / 0",
        "eval('1 +')",
        "del __file__; sys.exit(6)",
        "class Exit(SystemExit): code = 4\nraise Exit",
        "def leave(*_): sys.exit(8)\nsys.excepthook = leave\n1 / 0",
        "sys.last_type = sys.last_value = ValueError",
        "try: 1 / 0\nexcept ArithmeticError: sys.last_type, _, sys.last_traceback = sys.exc_info()",
        "atexit.register(sys.exit, 4)",
        "atexit.register(divmod, 1, 0)",
        "sys.stdout.close()",
        "sys.stdout = None",
        "sys.stdout = open('/dev/full', 'w'); print('x')",
        "sys.stdout = io.StringIO(); print('x')",
        "import ctypes; ctypes.CDLL(None).printf(b'by C'); print(ctypes.sizeof(ctypes.c_int))",
        "os.close(1)",
        "import threading; threading.Thread(target=print, args=['late']).start()",
        "open('new.txt', 'w').write('x'); os.execvp('cat', ['cat', 'in.txt'])",
        "import subprocess; print(subprocess.run('ls', capture_output=True).stdout)",
        "pid = os.fork(); os.waitpid(pid, 0) if pid else print('child')",
        "import multiprocessing; multiprocessing.get_context('fork').Process(target=print).start()",
    ],
)
def test_it_ends_the_same(program: Program, end: str) -> None:
    program.write(
        main=f"import atexit, io, os, sys\nimport other\nprint('unflushed', end='')\n{end}\n"
    )
    program.write(other="import atexit\natexit.register(print, 'at exit')\n")
    program.both()


LEFT = {
    "the program": "kept = Last()",
    "a cycle": "cycle = [Last()]\ncycle.append(cycle)",
    "a module": "other.kept = Last()",
    "a class of a module": "other.Last.kept = Last()",
    "a library": "import json\njson.kept = Last()",
    "a module that was loaded late": "import colorsys\ncolorsys.kept = Last()",
    "the interpreter": "sys.kept = Last()",
    "its names": "import builtins\nbuiltins.kept = Last()",
    "a reference that tells": "import weakref\nweakref.finalize(other, print, 'told')",
    "two places": "other.kept = kept = Last()",
    "an error": "other.kept = Last()\n1 / 0",
    "an exit": "other.kept = Last()\nsys.exit(3)",
    "a generator": "def parts():\n    try:\n        yield\n    finally: print('closed')\n"
    "other.kept = parts()\nnext(other.kept)",
    "a stream": "other.kept = open(1, 'w', closefd=False)\nother.kept.write('late')",
    "a finalizer that fails": "sys.unraisablehook = lambda told: print(told.exc_value, told.object"
    ".__name__, told.exc_traceback.tb_lineno)\nother.kept = other.Failing()",
}


@pytest.mark.parametrize("what", LEFT)
def test_what_is_left_is_taken_apart(program: Program, what: str) -> None:
    program.write(
        other="class Last:\n    def __del__(self):\n        print('gone')\n"
        "class Failing:\n    def __del__(self):\n        raise ValueError('at last')\n",
        main=f"import json, sys, other\nfrom other import Last\n{LEFT[what]}\n",
    )
    program.both()


def test_what_was_made_while_modules_were_loaded_is_taken_apart(program: Program) -> None:
    program.write(
        other="class Last:\n    def __del__(self):\n        print('gone')\nkept = Last()\n",
        main="import other\n",
    )
    assert program.both().stdout == b"gone\n"


def test_a_program_that_cannot_be_read_ends_the_same(program: Program) -> None:
    program.write(main="import json")
    program.prepare()
    for text in ("1 +", "# coding: none\n", None):
        if text is None:
            (program.folder / "main.py").unlink()
        else:
            program.write(main=text)
        usual, copy = (program.run(warm=warm) for warm in (False, True))
        assert copy.is_warm
        assert copy._replace(seconds=0, is_warm=False) == usual._replace(seconds=0)
        assert usual.status in {1, 2}


def test_a_process_that_a_copy_leaves_ends_with_it(program: Program) -> None:
    """Even one that is as the server was when it was copied: it has lost the mark of its run."""
    program.write(
        main="import os, resource, signal, sys\n"
        "ours, theirs = os.pipe()\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    resource.setrlimit(10, (resource.RLIM_INFINITY,) * 2)\n"
        "    if os.fork() == 0:\n"
        "        os.write(theirs, b'%d' % os.getpid())\n"
        "        signal.pause()\n"
        "    os._exit(0)\n"
        "os.wait()\n"
        "print(os.read(ours, 10).decode())\n"
    )
    program.prepare()
    for _ in range(2):
        ending = program.run(warm=True)
        assert ending.is_warm
        assert procfs.stat(int(ending.stdout)) is None
