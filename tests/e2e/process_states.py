"""Python programs whose behaviour depends on the state of their process, by kind and seed.

Each program fails if the text has a needle and, for a small text, if a pseudo-random function of
the text and of the process state is not zero. So a state that is different in a copy of a process
changes about half of the verdicts. A state that varies between starts is rounded.
"""

import random
from typing import NamedTuple


class ProcessState(NamedTuple):
    """A state that a program can look at."""

    expression: str
    """Its value, in a program that has imported ``lib``."""
    module: str = ""
    """What ``lib`` does when it is imported."""
    header: str = ""
    """What the program does before it imports ``lib``."""


STATES = {
    "peak memory": ProcessState(
        "resource.getrusage(0).ru_maxrss // 3000", header="import resource"
    ),
    "peak memory by lib": ProcessState(
        "lib.peak()",
        module=("import resource\ndef peak(): return resource.getrusage(0).ru_maxrss // 3000"),
    ),
    "peak memory at import": ProcessState(
        "lib.peak", module="import resource\npeak = resource.getrusage(0).ru_maxrss // 3000"
    ),
    "page faults": ProcessState("resource.getrusage(0).ru_minflt // 500", header="import resource"),
    "peak memory in /proc": ProcessState(
        "int([line.split()[1] for line in open('/proc/self/status') if "
        "line.startswith('VmHWM:')][0]) // 3000"
    ),
    "size in statm": ProcessState("int(open('/proc/self/statm').read().split()[1]) // 800"),
    "size by pathlib": ProcessState(
        "int(pathlib.Path('/proc/self/statm').read_text().split()[0]) // 2000",
        header="import pathlib",
    ),
    "memory by os.open": ProcessState(
        "int(os.read(os.open(b'/proc/self/statm', 0), 99).split()[1]) // 800", header="import os"
    ),
    "relative /proc": ProcessState(
        "look()",
        header=(
            "import os\ndef look():\n    here = os.getcwd()\n"
            "    os.chdir('/proc/self')\n"
            "    try: return int(open('statm').read().split()[1]) // 800\n"
            "    finally: os.chdir(here)"
        ),
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
    "memory maps": ProcessState("len(open('/proc/self/maps').readlines()) // 8"),
    "start in stat": ProcessState(
        "open('/proc/self/stat').read().split()[4:7] != [] and "
        "int(open('/proc/self/stat').read().split()[9]) // 500"
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
    "tracked objects": ProcessState("len(gc.get_objects()) // 1000", header="import gc"),
    "collected objects": ProcessState("gc.collect() // 10", header="import gc"),
    "allocated blocks": ProcessState("sys.getallocatedblocks() // 2000"),
    "reference counts": ProcessState("sys.getrefcount(sys) // 5"),
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
        "capture_output=True).stdout) // 4000",
        header="import os, subprocess",
    ),
}


def process_program(state: ProcessState, seed: int) -> tuple[str, str]:
    """Return the text of a program, and that of its module ``lib``."""
    choice = random.Random(f"{state} {seed}")
    small, salt = choice.choice((300, 360, 400)), choice.randrange(1000)
    needle = choice.choice(("'needle' in text", "text.count('needle') % 2 == 1"))
    program = f"""\
import sys, zlib
{state.header}
import lib
text = open(sys.argv[1]).read()
def is_kept():
    seen = repr(({state.expression}, len(text), {salt}))
    return zlib.crc32(seen.encode()) % 2 > 0
if {needle} and (len(text) > {small} or is_kept()):
    raise ValueError('boom')
"""
    return program, f"import argparse, email.message, json\n{state.module}\n"


FILTERS = "import warnings\nwarnings.filterwarnings('ignore', 'nothing')\n"
"""A module that changes a state that all modules share."""

TEXT = "".join(
    f"{word} {'-' * 40}\n"
    for word in ("one", "deep", "two", "three", "needle", "four", "five", "six", "seven", "last")
)
