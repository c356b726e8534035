"""Programs that could tell a copy of a process from one that was started."""

from typing import NamedTuple


class Hazard(NamedTuple):
    """A program: a module that it imports, and what it does with the text of the file."""

    module: str
    body: str
    options: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    """Options of Python."""
    runs_warm: bool = True
    """Whether there are copies, all the same; False: there may be none."""


FAILS = "if 'needle' in text: raise ValueError('boom')"

HAZARDS = {
    "nothing special": Hazard("", FAILS),
    "a thread that was started at import does the work": Hazard(
        """\
        import queue, threading
        asked, said = queue.Queue(), queue.Queue()
        def work():
            while True: said.put('needle' in asked.get())
        threading.Thread(target=work, daemon=True).start()
        """,
        "lib.asked.put(text)\nif lib.said.get(): raise ValueError('boom')",
        runs_warm=False,
    ),
    "a lock that a thread holds": Hazard(
        """\
        import threading, time
        lock, taken = threading.Lock(), threading.Event()
        def hold():
            with lock:
                taken.set()
                time.sleep(0.05)
        threading.Thread(target=hold).start()
        taken.wait()
        """,
        f"with lib.lock: pass\n{FAILS}",
        runs_warm=False,
    ),
    "a thread pool": Hazard(
        """\
        from concurrent.futures import ThreadPoolExecutor
        pool = ThreadPoolExecutor(2)
        pool.submit(int).result()
        """,
        "if lib.pool.submit(text.count, 'needle').result(): raise ValueError('boom')",
        runs_warm=False,
    ),
    "threads of numpy, which it starts again": Hazard(
        "import numpy\n",
        "if lib.numpy.ones((99, 99)).dot(lib.numpy.ones(99))[0] == 99 and 'needle' in text: "
        "raise ValueError('boom')",
    ),
    "what is done at exit": Hazard(
        """\
        import atexit
        text = ''
        atexit.register(lambda: print('bye', 'needle' in text))
        """,
        "lib.text = text",
        ("--stdout", "bye True"),
    ),
    "an error at exit": Hazard(
        """\
        import atexit
        text = ''
        def leave():
            if 'needle' in text: raise RuntimeError('at exit')
        atexit.register(leave)
        """,
        "lib.text = text",
        ("--stderr", "RuntimeError: at exit"),
    ),
    "a file that is open since import": Hazard(
        """\
        import tempfile
        log = tempfile.TemporaryFile('w+')
        """,
        "lib.log.write(text)\nlib.log.seek(0)\n"
        "if lib.log.read() != text: raise SystemExit('what others have written')\n" + FAILS,
        runs_warm=False,
    ),
    "a file beside the module that is open since import": Hazard(
        "own = open(__file__)\n",
        f"if not lib.own.readline(): raise SystemExit('read by others')\n{FAILS}",
        runs_warm=False,
    ),
    "descriptors": Hazard(
        "import os\n",
        "import os\nprint(sorted(map(int, os.listdir('/proc/self/fd')))[:-1])\n" + FAILS,
        ("--stdout", r"^\[0, 1, 2\]$", "--stderr", "boom"),
    ),
    "a socket pair": Hazard(
        "import socket\none, other = socket.socketpair()\n",
        "lib.one.send(b'x')\nif lib.other.recv(9) != b'x': raise SystemExit('others')\n" + FAILS,
        runs_warm=False,
    ),
    "randomness": Hazard(
        "import os, random\nfirst = random.random(), os.urandom(4)\n",
        """\
import random, uuid, os
path = os.path.join(os.path.dirname(lib.__file__), 'seen')
seen = open(path).read().split() if os.path.exists(path) else []
now = [repr(random.random()), uuid.uuid4().hex, repr(lib.first[0])]
open(path, 'a').write(' '.join(now) + '\\n')
if set(now) & set(seen): raise SystemExit('not random')
"""
        + FAILS,
        runs_warm=False,
    ),
    "names of its own": Hazard(
        "import os, tempfile\n",
        "descriptor, path = lib.tempfile.mkstemp()\nprint('see', path)\n" + FAILS,
    ),
    "a generator seeded at import": Hazard(
        "import random\nrandom.seed(5)\n",
        f"import random\nif round(random.random(), 3) != 0.623: raise SystemExit('else')\n{FAILS}",
    ),
    "its own names": Hazard(
        "import sys\nargv = list(sys.argv)\n",
        """\
import os
main = sys.modules['__main__']
told = [__name__, os.path.basename(__file__), os.path.basename(main.__file__), main is not None,
        [os.path.basename(word) for word in sys.argv], lib.argv == sys.argv, __spec__ is None,
        [os.path.basename(word) for word in sys.orig_argv[1:]], os.path.basename(sys.path[0]),
        globals() is vars(main), os.path.isabs(sys.executable)]
wanted = ['__main__', 'tool.py', 'tool.py', True, ['tool.py', 'a.txt'], True, True,
          ['tool.py', 'a.txt'], 'program', True, True]
if told != wanted: raise SystemExit(repr(told))
"""
        + FAILS,
    ),
    "its own process": Hazard(
        "import os\npid = os.getpid()\n",
        """\
import os, resource, signal
told = [lib.pid == os.getpid(), os.getpgrp() == os.getpid(), os.getsid(0) == os.getpid(),
        signal.getsignal(signal.SIGINT) is signal.default_int_handler,
        signal.getsignal(signal.SIGPIPE) is signal.SIG_IGN,
        signal.getsignal(signal.SIGTERM) is signal.SIG_DFL, signal.pthread_sigmask(0, []) == set(),
        os.umask(0o22) == 0o22, resource.getrlimit(resource.RLIMIT_CORE)[0] == 0,
        os.path.samefile(os.getcwd(), os.environ['PWD'])]
if not all(told): raise SystemExit(repr(told))
"""
        + FAILS,
        runs_warm=False,
    ),
    "its start": Hazard(
        "import time\nstarted, used = time.monotonic(), time.process_time()\n",
        "import time\nif max(time.monotonic() - lib.started, time.process_time()) > 99: exit(7)\n"
        + FAILS,
        runs_warm=False,
    ),
    "a changed folder": Hazard(
        "import os\nhere = os.getcwd()\nos.chdir('/')\n",
        "import os\nif os.getcwd() != '/': raise SystemExit(os.getcwd())\n" + FAILS,
        runs_warm=False,
    ),
    "variables that were read and set": Hazard(
        "import os\nplace, mark = os.environ['TMPDIR'], os.environ['WYNOT_TEST']\n"
        "os.environ['OWN'] = 'set'\n",
        """\
import os, subprocess
same = lib.place == os.environ['TMPDIR'] and lib.mark == os.environ['WYNOT_TEST']
inner = subprocess.run(['sh', '-c', 'echo $OWN'], capture_output=True, text=True).stdout
ours = [name for name in os.environ if 'WARM' in name or name == 'PYTHONHASHSEED']
if not same or inner != 'set\\n' or ours or not os.path.isdir(lib.place): raise SystemExit('else')
"""
        + FAILS,
        runs_warm=False,
    ),
    "a cache": Hazard(
        "import functools\ncache = {}\n@functools.cache\ndef once(): return cache['text']\n",
        "lib.cache.setdefault('text', text)\n"
        "if 'needle' in lib.once(): raise ValueError('boom')",
    ),
    "a cache in a file": Hazard(
        "import os, tempfile\npath = os.path.join(tempfile.gettempdir(), 'cache')\n",
        """\
import os
if os.path.exists(lib.path): raise SystemExit('left by others')
open(lib.path, 'w').write(text)
"""
        + FAILS,
        runs_warm=False,
    ),
    "other processes": Hazard(
        "import multiprocessing\ndef count(text): return text.count('needle')\n",
        """\
if __name__ == '__main__':
    for way in ('fork', 'spawn'):
        with lib.multiprocessing.get_context(way).Pool(1) as pool:
            found = pool.map(lib.count, [text, text])
    if found[0]: raise ValueError('boom')
""",
    ),
    "signals": Hazard(
        "import signal\nsignal.signal(signal.SIGUSR1, lambda *_: exit(5))\n",
        "import os, signal, time\nif 'needle' in text:\n"
        "    os.kill(os.getpid(), signal.SIGUSR1)\n    time.sleep(100)",
        ("--exit", "5"),
        runs_warm=False,
    ),
    "an alarm": Hazard(
        "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_DFL)\n",
        "import signal, time\nif 'needle' in text:\n"
        "    signal.setitimer(signal.ITIMER_REAL, 0.01)\n    time.sleep(100)",
        ("--signal", "ALRM"),
    ),
    "an alarm set at import": Hazard(
        # Again and again, and of no effect without the needle: a slow machine makes no difference.
        "import signal, sys\nmain = vars(sys.modules['__main__'])\n"
        "signal.signal(signal.SIGALRM, lambda *_: 'needle' in main.get('text', '') and exit(6))\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)\n",
        "import time\nif 'needle' in text: time.sleep(100)",
        ("--exit", "6"),
        runs_warm=False,
    ),
    "much memory": Hazard(
        "table = bytearray(1 << 20)\n",
        "if 'needle' in text: bytearray(1 << 31)",
        ("--memory", "1G", "--stderr", "MemoryError"),
    ),
    "much time": Hazard(
        "import time\n",
        f"if 'last' not in text: lib.time.sleep(1000)\n{FAILS}",
        ("--timeout", "3"),
    ),
    "output at import": Hazard(
        "print('loading')\n",
        f"print('no end', end='')\n{FAILS}",
        ("--stdout", r"\Aloading\nno end\Z", "--stderr", "boom"),
        runs_warm=False,
    ),
    "output without an end": Hazard(
        "import os\n",
        "print('kept', flush=True)\nsys.stdout.write('lost')\n"
        "if 'needle' in text: lib.os._exit(3)",
        ("--exit", "3", "--stdout", "kept"),
    ),
    "a stream that was kept": Hazard(
        "import logging, sys\nlogging.basicConfig()\nout, err = sys.stdout, sys.stderr\n",
        "if 'needle' in text:\n    lib.logging.warning('logged')\n    print('out', file=lib.out)\n"
        "    print('err', file=lib.err)",
        ("--stderr", "(?s)logged.*err", "--stdout", "out"),
    ),
    "standard input": Hazard(
        "import sys\nstream = sys.stdin\n",
        "if 'needle' in lib.stream.read(): raise ValueError('boom')",
    ),
    "input that was read at import": Hazard(
        "import sys\ntext = sys.stdin.read()\n",
        "if 'needle' in lib.text: raise ValueError('boom')",
        runs_warm=False,
    ),
    "arguments that were read at import": Hazard(
        "import sys\ntext = open(sys.argv[1]).read()\n",
        "if 'needle' in lib.text: raise ValueError('boom')",
        runs_warm=False,
    ),
    "an exit with a message": Hazard("", "if 'needle' in text: sys.exit('boom')"),
    "a large exit status": Hazard("", "if 'needle' in text: sys.exit(256 + 3)", ("--exit", "3")),
    "an exit at once": Hazard("import os\n", "if 'needle' in text: lib.os._exit(9)"),
    "an abort": Hazard("import os\n", "if 'needle' in text: lib.os.abort()"),
    "a kill": Hazard("import os\n", "if 'needle' in text: lib.os.kill(lib.os.getpid(), 9)"),
    "another program": Hazard(
        "import os\n",
        "if 'needle' in text: lib.os.execv('/bin/sh', ['sh', '-c', 'echo boom >&2; exit 9'])",
    ),
    "a thread that is waited for": Hazard(
        """\
import threading
def late():
    threading.Event().wait(0.02)
    print('late')
""",
        "if 'needle' in text: lib.threading.Thread(target=lib.late).start()",
        ("--stdout", "late"),
    ),
    "a fork": Hazard(
        "import os\n",
        """\
pid = lib.os.fork()
if not pid: lib.os._exit(4 if 'needle' in text else 0)
raise SystemExit(lib.os.waitstatus_to_exitcode(lib.os.waitpid(pid, 0)[1]))
""",
    ),
    "the order of a set": Hazard(
        "names = set(map(str, range(50)))\n", f"print(' '.join(lib.names))\n{FAILS}"
    ),
    "how deep it is": Hazard(
        "import sys\ndef deep(n=0):\n"
        "    try: return deep(n + 1)\n    except RecursionError: return n\n",
        f"print(lib.deep() // 10)\n{FAILS}",
    ),
    "a change of limits": Hazard(
        "import sys\nsys.setrecursionlimit(5000)\n",
        "if sys.getrecursionlimit() != 5000: raise SystemExit('else')\n" + FAILS,
    ),
    "without assertions": Hazard(
        "", f"assert 'needle' not in text\n{FAILS}", ("--stderr", "ValueError"), ("-O",)
    ),
    "warnings as errors": Hazard(
        "import warnings\n",
        "if 'needle' in text: lib.warnings.warn('old', DeprecationWarning)",
        before=("-W", "error"),
    ),
    "modules that are there": Hazard(
        "import sys\nbefore = set(sys.modules)\n",
        "odd = [name for name in sys.modules if 'wynot' in name]\n"
        f"if odd: raise SystemExit(str(odd))\n{FAILS}",
    ),
    "a module that is replaced": Hazard(
        "import sys, types\nclass Own(types.ModuleType):\n    needle = 'needle'\n"
        "sys.modules[__name__] = Own(__name__)\n",
        "if lib.needle in text: raise ValueError('boom')",
        runs_warm=False,
    ),
    "an event loop": Hazard(
        "import asyncio\nloop = asyncio.new_event_loop()\n",
        "async def look():\n    return 'needle' in text\n"
        "if lib.loop.run_until_complete(look()): raise ValueError('boom')",
        runs_warm=False,
    ),
    "a database in memory": Hazard(
        """\
import sqlite3
base = sqlite3.connect(':memory:')
base.execute('create table t (x)')
""",
        """\
lib.base.execute('insert into t values (?)', [text])
if lib.base.total_changes != 1: exit(7)
"""  # noqa: S608 - it is a program
        + FAILS,
        runs_warm=False,
    ),
    "a process that was started at import": Hazard(
        "import subprocess\ncat = subprocess.Popen(['cat'], stdin=-1, stdout=-1, bufsize=0)\n",
        "lib.cat.stdin.write(b'x')\nif lib.cat.stdout.read(1) != b'x': exit(7)\n" + FAILS,
        runs_warm=False,
    ),
}  # fmt: skip
