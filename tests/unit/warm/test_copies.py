"""A copy of a process that has its modules loaded does what the program does that is started."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from agents import left_by_tests
from warm_program import LIMITS, Program
from wynot.agents.workers import LoneSandbox
from wynot.core.files import Files
from wynot.machine.reaper import HAS_PIDFD
from wynot.wire.run_request import Killed, RunRequest

pytestmark = pytest.mark.skipif(not HAS_PIDFD, reason="processes are adopted on Linux only")

SELF = """
import argparse, ast, json, tokenize, traceback
import os, resource, signal, sys

def look():
    for name in ("argv", "path", "flags", "warnoptions", "executable", "dont_write_bytecode"):
        print(name, getattr(sys, name))
    print(getattr(sys, "orig_argv", None), open("/proc/self/cmdline").read())
    print(__name__, __spec__ and (__spec__.name, __spec__.origin), __builtins__)
    print(list(globals()), globals().get("__file__"))
    print(sorted(sys.modules), len(sys.meta_path), sys.getrecursionlimit())
    kept = {name: value for name, value in os.environ.items() if name != "WYNOT_TEST"}
    print(kept, list(os.environ)[:3], os.getcwd(), os.umask(0o22))
    print(os.getsid(0) == os.getpid() == os.getpgid(0), os.getppid())
    print(sorted(os.listdir("/proc/self/fd")))
    print([resource.getrlimit(each) for each in range(16) if each != 10])
    print([signal.getsignal(each) for each in (1, 2, 13, 15)], signal.pthread_sigmask(0, []))
    print(sys.stdin, sys.stdin.read(), sys.stdout, os.isatty(1), sys.stdin.seekable())
    traceback.print_stack()
    raise ValueError("boom")

look()
"""


def test_it_looks_the_same_from_inside(program: Program) -> None:
    program.write(main=SELF)
    ending = program.both()
    assert ending.status == 1
    assert b"boom" in ending.stderr


def test_a_long_path_of_temporary_files_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / ("long" * 25)
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    with closing(LoneSandbox()) as sandbox:
        program = Program(tmp_path, sandbox)
        program.write(main="print(open('in.txt').read())")
        assert program.both().stdout == b"text\n"


def test_options_of_the_interpreter_hold(program: Program) -> None:
    program.write(main=SELF)
    program.both("-u", "-W", "error", "-X", "dev", f"{program.folder}/main.py", "in.txt")


@pytest.mark.parametrize("how", ["-c", "-m", "-"])
def test_a_program_may_be_named_in_any_way(program: Program, how: str) -> None:
    program.write(main="", tool=SELF)
    words = {"-c": ("-c", SELF), "-m": ("-m", "tool"), "-": ("-",)}[how]
    assert program.both(*words, PYTHONPATH=str(program.folder)).status == 1


def test_a_package_is_run(program: Program) -> None:
    package = program.folder / "package"
    package.mkdir()
    (package / "__init__.py").write_text("import json")
    (package / "__main__.py").write_text(SELF)
    program.both("-m", "package", PYTHONPATH=str(program.folder))
    assert "package" in dict(program.plan.modules)


@pytest.mark.parametrize(
    "last",
    [
        "try: import nowhere\nexcept ImportError: pass\ndef look(): pass",
        "import tempfile\nfolder = tempfile.gettempdir()\ndef look(): print(folder)",
    ],
)
def test_what_is_looked_for_in_vain_does_not_hide_the_last_modules(
    program: Program, last: str
) -> None:
    program.write(last=last, main="import last\nlast.look()\n")
    program.both()
    assert program.plan.modules[-1][0] == "last"


@pytest.mark.parametrize(
    "unfit",
    [
        "print('loaded')",
        "import sys; print('loaded', file=sys.stderr)",
        "import _thread, time; _thread.start_new_thread(time.sleep, (99,))",
        "kept = open('/etc/passwd')",
        "import sys; print(len(sys.stdin.read()))",
        "import os; os.chdir('/')",
        "import os; os.umask(0)",
        "import subprocess; kept = subprocess.Popen(['sleep', '9'])",
        "text = open('in.txt').read(); print(text)",
        "import os; text = os.listdir()",
        "import signal; signal.alarm(99)",
        "import tempfile; folder = tempfile.mkdtemp(); print(len(folder))",
        "import sqlite3; kept = sqlite3.connect('new.db')",
    ],
)
def test_a_module_that_does_more_than_load_is_loaded_each_time(
    program: Program, unfit: str
) -> None:
    program.write(unfit=unfit, other="import unfit, json", main="import other, argparse\n1 / 0")
    program.both()
    assert {"unfit", "other"} <= program.avoided
    assert "argparse" not in program.avoided


@pytest.mark.slow
def test_threads_that_their_library_starts_again_are_no_obstacle(program: Program) -> None:
    squared = "print(numpy.ones((99, 99)).dot(numpy.ones(99))[0])"
    program.write(main=f"import numpy\n{squared}\n1 / 0")
    program.both()
    assert "numpy" not in program.avoided


def test_a_module_of_the_candidate_is_loaded_each_time(program: Program) -> None:
    program.prepare("-c", "import own; print(own.value)")
    for value in (b"1", b"2"):
        program.sandbox.place(Files({"own.py": b"value = " + value}))
        ran = program.sandbox.run(
            RunRequest(
                program.argv("-c", "import own; print(own.value)"),
                limits=LIMITS._replace(warm_plan=program.folder / "plan"),
                capture=True,
            )
        )
        assert ran.stdout == value + b"\n"


def test_a_file_of_the_candidate_may_take_the_place_of_a_module(program: Program) -> None:
    program.prepare("-c", "import colorsys; print(colorsys)")
    program.sandbox.place(Files({"colorsys.py": b""}))
    limits = LIMITS._replace(warm_plan=program.folder / "plan")
    argv = program.argv("-c", "import colorsys; print(colorsys)")
    ran = program.sandbox.run(RunRequest(argv, limits=limits, capture=True))
    assert not ran.is_warm
    assert b"/case/colorsys.py" in ran.stdout


def test_chance_is_not_the_same_in_all_copies(program: Program) -> None:
    program.write(main="import random, tempfile, uuid\nprint(random.random(), uuid.uuid4())")
    program.prepare()
    said = {program.run(warm=True).stdout for _ in range(4)}
    assert len(said) == 4


def test_strings_have_the_same_hash_in_all_copies(program: Program) -> None:
    program.write(main="print(hash('text'))")
    program.prepare()
    assert len({program.run(warm=True).stdout for _ in range(3)}) == 1


def test_the_seed_of_the_user_holds(program: Program) -> None:
    program.write(main="print(hash('text'))")
    program.both(PYTHONHASHSEED="42")


def test_a_sitecustomize_of_the_users_own_is_loaded(program: Program) -> None:
    program.write(
        sitecustomize="value = 5", main="import sitecustomize\nprint(sitecustomize.value)"
    )
    assert program.both(PYTHONPATH=str(program.folder)).stdout == b"5\n"


def test_memory_that_copies_would_share_is_not_copied(program: Program) -> None:
    shared = "import mmap\nshared = mmap.mmap(-1, 4096)"
    program.write(shared=shared, main="import shared\nprint(shared.shared.read_byte())")
    program.prepare()
    ran = program.run(warm=True)
    assert (ran.is_warm, ran.stdout) == (False, b"0\n")


def test_limits_hold(program: Program) -> None:
    program.write(main="import mmap\nprint(len(mmap.mmap(-1, 1 << 32)))")
    program.prepare()
    assert program.run(warm=True).status == 0
    program.limits = LIMITS._replace(memory=1 << 31)
    usual, copy = (program.run(warm=warm) for warm in (False, True))
    assert copy.is_warm
    assert usual.stderr == copy.stderr
    assert b"Cannot allocate memory" in copy.stderr


@pytest.mark.slow
def test_what_runs_too_long_is_killed_with_all_it_has_started(program: Program) -> None:
    program.write(main="import os, time\nif os.fork() == 0: os.setsid()\ntime.sleep(999)")
    program.limits = LIMITS._replace(timeout=3.0)
    program.prepare("-c", "import os, time")
    ending = program.run(warm=True)
    assert ending.is_warm
    assert ending.limit == "timeout"
    assert ending.status == -signal.SIGKILL


def test_the_time_that_a_copy_takes_counts(program: Program) -> None:
    slow = "import os, time\nos.register_at_fork(after_in_child=lambda: time.sleep(0.1))"
    program.write(slow=slow, main="import slow")
    program.prepare()
    first, second = (program.run(warm=True) for _ in range(2))
    assert first.is_warm
    assert min(first.seconds, second.seconds) >= 0.1


def test_another_environment_has_another_process(program: Program) -> None:
    program.write(main="import os\nprint(os.environ['MODE'])")
    program.prepare(MODE="1")
    said = [program.run(warm=True, MODE=mode) for mode in "12"]
    assert [each.stdout for each in said] == [b"1\n", b"2\n"]
    assert all(each.is_warm for each in said)


def test_a_program_that_is_not_python_any_more_is_started(program: Program) -> None:
    program.prepare("-c", "pass")
    ran = program.run("-I", "-c", "print(1)", warm=True)
    assert (ran.is_warm, ran.stdout) == (False, b"1\n")


def test_a_process_that_was_killed_is_started_again(program: Program) -> None:
    program.write(main="import os, signal\nprint(open('in.txt').read())")
    program.prepare()
    assert program.run(warm=True).is_warm
    [server] = left_by_tests()
    os.kill(server, signal.SIGKILL)
    said = [program.run(warm=True, text=f"{number}") for number in range(3)]
    assert [each.stdout for each in said] == [b"0\n", b"1\n", b"2\n"]
    assert said[-1].is_warm


def test_a_process_whose_start_was_given_up_is_waited_for_again(program: Program) -> None:
    gate = program.folder / "gate"
    wait = f"import os\nif os.path.exists({str(gate)!r}): open({str(gate)!r}).read()"
    program.write(slow=wait, main="import slow\nprint(1)")
    program.prepare()
    os.mkfifo(gate)
    with ThreadPoolExecutor(1) as pool:
        begun = pool.submit(program.run, warm=True)
        with gate.open("w"):  # it is loading now
            assert program.sandbox.switch.kill()
            assert isinstance(begun.exception(), Killed)
            [server] = left_by_tests()
    gate.unlink()
    assert program.run(warm=True).is_warm
    assert left_by_tests() == [server]


@pytest.mark.parametrize(
    ("look", "is_doubtful"),
    [
        ("os.getppid()", True),
        ("posix.getppid()", True),
        ("resource.getrusage(0)", True),
        ("os.times()", True),
        ("time.process_time()", True),
        ("time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID)", True),
        ("time.clock_gettime(time.CLOCK_MONOTONIC)", False),
        ("open('/proc/self/statm').read()", True),
        (f"open('{'../' * 30}proc/self/statm').read()", True),  # from any folder
        ("os.listdir('/proc/self/fd')", True),
        ("os.readlink('/proc/self/exe')", True),
        ("open('/proc/meminfo').read()", False),
        ("gc.get_stats()", True),
        ("gc.collect()", False),
        ("print(gc.collect())", True),
        ("time.sleep(0 * gc.collect())", True),
        ("ctypes.CDLL(None).getppid", True),
        ("subprocess.run(['sh', '-c', 'cat /proc/$PPID/stat'], capture_output=True)", True),
        ("subprocess.run(['true'])", False),
        ("open('in.txt').read(), os.listdir(), os.getpid(), time.time()", False),
    ],
)
def test_copy_that_looks_at_its_process_is_doubtful(
    program: Program, look: str, is_doubtful: bool
) -> None:
    program.write(
        main=f"import ctypes, gc, os, posix, resource, subprocess, sys, time\n"
        f"if open('in.txt').read() == 'look': {look}"
    )
    program.prepare()
    calm, looking = (program.run(text=text, warm=True) for text in ("calm", "look"))
    assert calm.is_warm
    assert looking.is_warm
    assert (calm.is_doubtful, looking.is_doubtful) == (False, is_doubtful)


def test_modules_are_in_the_order_of_a_start(program: Program) -> None:
    names = "argparse, asyncio, email.message, json, multiprocessing, sqlite3, unittest"
    program.write(
        main=f"import sys\nprint(list(sys.modules))\nimport {names}\nprint(list(sys.modules))"
    )
    program.both()


def test_module_is_there_only_when_it_is_imported(program: Program) -> None:
    program.write(
        late="import atexit, colorsys\natexit.register(print, 'bye')",
        main="import sys, xml\n"
        "if open('in.txt').read() == 'text\\n':\n"
        "    import xml.etree.ElementTree, late\n"
        "print(hasattr(xml, 'etree'), 'colorsys' in sys.modules, 'late' in sys.modules)",
    )
    program.prepare()
    assert {"late", "xml.etree"} <= dict(program.plan.modules).keys()
    for text, printed in (("text\n", b"True True True\nbye\n"), ("", b"False False False\n")):
        usual, copy = (program.run(text=text, warm=warm) for warm in (False, True))
        assert copy.is_warm
        assert usual.stdout == copy.stdout == printed


def test_copy_is_doubtful_while_it_lacks_a_module_that_changes_others(program: Program) -> None:
    program.write(
        strict="import sys\nsys.setrecursionlimit(5000)",
        main="if open('in.txt').read() == 'text\\n': import strict",
    )
    program.prepare()
    assert not program.run(text="text\n", warm=True).is_doubtful
    assert program.run(text="", warm=True).is_doubtful


@pytest.mark.parametrize(
    "kept",
    [
        "import time; start = time.monotonic()",
        "from time import time; start = time()",
        "import datetime; start = datetime.datetime.now()",
        "import os; number = os.getpid()",
        "import os; parent = os.getppid()",
        "import random; random.seed(7)",
        "size = open('/proc/self/statm').read()",
        "open(__file__ + '.log', 'w').close()",
    ],
)
def test_module_that_keeps_the_state_of_its_process_is_loaded_each_time(
    program: Program, kept: str
) -> None:
    program.write(kept=f"import json\n{kept}", main="import kept")
    program.prepare()
    assert "kept" in program.avoided
    assert "json" in dict(program.plan.modules)


def test_module_that_only_has_such_functions_is_loaded_ahead(program: Program) -> None:
    program.write(
        plain="import logging, random, tempfile, time\nnumbers = random.Random(7)\n"
        "def now(): return time.time()",
        main="import plain\nplain.now()",
    )
    program.prepare()
    assert "plain" in dict(program.plan.modules)
