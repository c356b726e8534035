"""Python programs whose behaviour depends on the state of their process, by kind.

Each program fails if the text has a needle and, for a small text, if a pseudo-random function of
the text and of the process state is not zero. So a state that is different in a copy of a process
changes about half of the verdicts. A state that varies a little between starts is made coarse: it
is compared with its value in a first start, so that no start is near a limit on any machine.
"""

import random
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class ProcessState(NamedTuple):
    """A state that a program can look at."""

    expression: str
    """Its value, in a program that has imported ``lib``."""
    module: str = ""
    """What ``lib`` does when it is imported."""
    header: str = ""
    """What the program does before it imports ``lib``."""
    width: int = 0
    """For a number that varies between starts, how far it has to be away to be another one."""


STATES = {
    # Not its peak memory: that of a program that Linux starts begins with that of its starter.
    "page faults": ProcessState(
        "resource.getrusage(0).ru_minflt", header="import resource", width=500
    ),
    "page faults by lib": ProcessState(
        "lib.faults()",
        module="import resource\ndef faults(): return resource.getrusage(0).ru_minflt",
        width=500,
    ),
    "page faults at import": ProcessState(
        "lib.faults",
        module="import resource\nfaults = resource.getrusage(0).ru_minflt",
        width=500,
    ),
    "peak memory in /proc": ProcessState(
        "int([line.split()[1] for line in open('/proc/self/status') if "
        "line.startswith('VmHWM:')][0])",
        width=3000,
    ),
    "size in statm": ProcessState("int(open('/proc/self/statm').read().split()[1])", width=800),
    "size by pathlib": ProcessState(
        "int(pathlib.Path('/proc/self/statm').read_text().split()[0])",
        header="import pathlib",
        width=2000,
    ),
    "memory by os.open": ProcessState(
        "int(os.read(os.open(b'/proc/self/statm', 0), 99).split()[1])",
        header="import os",
        width=800,
    ),
    "relative /proc": ProcessState(
        "look()",
        header=(
            "import os\ndef look():\n    here = os.getcwd()\n"
            "    os.chdir('/proc/self')\n"
            "    try: return int(open('statm').read().split()[1])\n"
            "    finally: os.chdir(here)"
        ),
        width=800,
    ),
    "parent": ProcessState("open(f'/proc/{os.getppid()}/comm').read()", header="import os"),
    "parent by posix": ProcessState(
        "posix.getppid() != lib.parent",
        module="import os\nparent = os.getppid()",
        header="import posix",
    ),
    "parent at import": ProcessState(
        "lib.parent == os.getppid()", module="import os\nparent = os.getppid()", header="import os"
    ),
    "parent by libc": ProcessState(
        "ctypes.CDLL(None).getppid() == os.getppid()", header="import ctypes, os"
    ),
    "process number at import": ProcessState(
        "lib.pid == os.getpid()", module="import os\npid = os.getpid()", header="import os"
    ),
    "open files": ProcessState("sorted(os.listdir('/proc/self/fd'))", header="import os"),
    "open files by scandir": ProcessState(
        "sorted(each.name for each in os.scandir('/dev/fd'))", header="import os"
    ),
    "open files by fstat": ProcessState(
        "[is_open(each) for each in range(400)]",
        header=(
            "import os\ndef is_open(number):\n"
            "    try: return bool(os.fstat(number))\n"
            "    except OSError: return False"
        ),
    ),
    "kinds of open files": ProcessState(
        "[os.fstat(each).st_mode >> 12 for each in (0, 1, 2)]", header="import os"
    ),
    "next descriptor": ProcessState("os.dup(0)", header="import os"),
    "command name": ProcessState("open('/proc/self/comm').read()"),
    "threads": ProcessState(
        "[line.split()[1] for line in open('/proc/self/status') if line.startswith('Threads:')]"
    ),
    "voluntary switches": ProcessState(
        "int([line.split()[1] for line in open('/proc/self/status') if "
        "line.startswith('voluntary_ctxt_switches:')][0]) > 100"
    ),
    "memory maps": ProcessState("len(open('/proc/self/maps').readlines())", width=8),
    "page faults in stat": ProcessState(
        "int(open('/proc/self/stat').read().split()[9])", width=500
    ),
    "environment in /proc": ProcessState("'WARM' in open('/proc/self/environ').read()"),
    "number of modules": ProcessState("len(sys.modules)"),
    "order of modules": ProcessState("list(sys.modules)"),
    "module before import": ProcessState(
        "early",
        header=(
            "import sys\n"
            "early = [name in sys.modules for name in ('lib', 'json', 'email', "
            "'argparse')]\nimport json"
        ),
    ),
    "submodule that nobody imports": ProcessState(
        "reached()",
        header=(
            "import xml\ndef reached():\n    if 'deep' in text:\n"
            "        import xml.etree.ElementTree\n    return hasattr(xml, 'etree')"
        ),
    ),
    "module imported by content": ProcessState(
        "known()",
        header=(
            "import sys\ndef known():\n    if 'deep' in text:\n"
            "        import wave, colorsys\n    return 'colorsys' in sys.modules"
        ),
    ),
    "warnings changed by content": ProcessState(
        "known()",
        header=(
            "import sys, warnings\ndef known():\n    if 'deep' in text:\n"
            "        import lib_filters\n    return len(warnings.filters)"
        ),
    ),
    "collector counts": ProcessState("gc.get_count()[2]", header="import gc"),
    "collector statistics": ProcessState(
        "[each['collections'] for each in gc.get_stats()][2]", header="import gc"
    ),
    "frozen objects": ProcessState("gc.get_freeze_count() > 0", header="import gc"),
    "tracked objects": ProcessState("len(gc.get_objects())", header="import gc", width=1000),
    "collected objects": ProcessState("gc.collect()", header="import gc", width=10),
    "allocated blocks": ProcessState("sys.getallocatedblocks()", width=2000),
    "reference counts": ProcessState("sys.getrefcount(sys)", width=5),
    "processor time": ProcessState("time.process_time() > 0.012", header="import time"),
    "thread time": ProcessState("time.thread_time_ns() > 12_000_000", header="import time"),
    "processor time by clock": ProcessState(
        "time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID) > 0.012", header="import time"
    ),
    "os.times": ProcessState("sum(os.times()[:2]) > 0.005", header="import os"),
    "time since import": ProcessState(
        "time.monotonic() - lib.start > 0.4",
        module="import time\nstart = time.monotonic()",
        header="import time",
    ),
    "wall clock since import": ProcessState(
        "time.time() - lib.start > 0.4",
        module="from time import time\nstart = time()",
        header="import time",
    ),
    "time since logging": ProcessState(
        "logging.makeLogRecord({}) and logging.LogRecord('', 0, '', 0, '', (), "
        "None).relativeCreated > 400",
        header="import logging",
    ),
    "random seeded at import": ProcessState(
        "random.random()", module="import random\nrandom.seed(7)", header="import random"
    ),
    "counter at import": ProcessState(
        "next(lib.counter)", module="import itertools\ncounter = itertools.count()\nnext(counter)"
    ),
    "cache at import": ProcessState(
        "lib.once.cache_info()",
        module="import functools\n@functools.cache\ndef once(x): return x\nonce(1)",
    ),
    "file counted at import": ProcessState(
        "lib.count > 1 and 'many'",
        module=(
            "import os\npath = __file__ + '.count'\n"
            "with open(path, 'a') as stream: stream.write('1')\n"
            "count = os.path.getsize(path)"
        ),
    ),
    "open file at import": ProcessState(
        "lib.stream.fileno(), lib.stream.read(3)", module="stream = open(__file__)"
    ),
    "signal handlers": ProcessState(
        "[signal.getsignal(each) == signal.SIG_DFL for each in (1, 2, 10, 13, 15, 17)]",
        header="import signal",
    ),
    "signal mask": ProcessState("sorted(signal.pthread_sigmask(0, []))", header="import signal"),
    "environment": ProcessState(
        "sorted(name for name in os.environ if name != 'WYNOT_TEST')", header="import os"
    ),
    "arguments": ProcessState("len(sys.argv), sys.flags, sys.orig_argv[1:2] == [__file__]"),
    "main module": ProcessState("sorted(vars(sys.modules['__main__']))"),
    "stack depth": ProcessState("len(traceback.extract_stack())", header="import traceback"),
    "recursion": ProcessState(
        "depth()",
        header=(
            "def depth(n=0):\n    try: return depth(n + 1)\n    except RecursionError: return n"
        ),
    ),
    "terminal": ProcessState("[os.isatty(each) for each in (0, 1, 2)]", header="import os"),
    "folder": ProcessState(
        "os.path.basename(os.getcwd()) == os.path.basename(os.environ['PWD'])", header="import os"
    ),
    "umask": ProcessState("os.umask(0o22)", header="import os"),
    "limits": ProcessState(
        "[resource.getrlimit(each) for each in range(16) if each != 10]", header="import resource"
    ),
    "processors": ProcessState("sorted(os.sched_getaffinity(0)), os.nice(0)", header="import os"),
    "session": ProcessState(
        "os.getsid(0) == os.getpid(), os.getpgrp() == os.getpid()", header="import os"
    ),
    "exit functions": ProcessState("atexit._ncallbacks()", header="import atexit"),
    "finders": ProcessState("len(sys.meta_path), len(sys.path_hooks), sys.path[1:]"),
    "thread names": ProcessState(
        "[each.name for each in threading.enumerate()], threading.get_ident() == "
        "threading.main_thread().ident",
        header="import threading",
    ),
    "memory by ps": ProcessState(
        "int(subprocess.run(['ps', '-o', 'rss=', '-p', str(os.getpid())], "
        "capture_output=True).stdout)",
        header="import os, subprocess",
        width=4000,
    ),
}


def write_program(folder: Path, state: ProcessState) -> Path:
    """Write a program that depends on a state, and its modules; return its path."""
    folder.mkdir()
    (folder / "lib.py").write_text(f"import argparse, email.message, json\n{state.module}\n")
    (folder / "lib_filters.py").write_text(_FILTERS)
    program, first = folder / "tool.py", folder / "first.py"
    seen = state.expression
    if state.width:
        first.write_text(_BEGINNING.format(header=state.header) + f"print({seen})\n")
        usual = [_printed(first) for _ in range(2)][1]  # the first one compiles modules
        seen = f"round(({seen} - {usual}) / {state.width})"
    choice = random.Random(str(state))
    small, salt = choice.choice((300, 360, 400)), choice.randrange(1000)
    needle = choice.choice(("'needle' in text", "text.count('needle') % 2 == 1"))
    program.write_text(f"""\
{_BEGINNING.format(header=state.header)}
def is_kept():
    seen = repr(({seen}, len(text), {salt}))
    return zlib.crc32(seen.encode()) % 2 > 0
if {needle} and (len(text) > {small} or is_kept()):
    raise ValueError('boom')
""")
    return program


_BEGINNING = """\
import sys, zlib
{header}
import lib
text = open(sys.argv[1]).read()
"""


def _printed(program: Path) -> int:
    command: list[str | Path] = [sys.executable, program, program]
    return int(subprocess.run(command, capture_output=True, check=True).stdout)  # noqa: S603


_FILTERS = "import warnings\nwarnings.filterwarnings('ignore', 'nothing')\n"
"""A module that changes a state that all modules share."""

TEXT = "".join(
    f"{word} {'-' * 40}\n"
    for word in ("one", "deep", "two", "three", "needle", "four", "five", "six", "seven", "last")
)
