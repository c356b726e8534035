"""Servers: what they are asked, what counts as an answer, and when another one is started."""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep

import pytest

from agents import agent_in_thread
from wynot.agent import server
from wynot.agents.sandbox import Sandbox
from wynot.core.ending import Ending
from wynot.core.files import Files
from wynot.machine import procfs
from wynot.machine.capture import Stream
from wynot.wire.run_request import Killed, Limits, RunRequest

LIMITS = Limits(timeout=300)
BEFORE = "import os, sys, time, subprocess\nprint('ready', flush=True)\nasked = 0\n"
LOOP = "for line in sys.stdin:\n    asked += 1\n    ID, question = line.split(' ', 1)\n    "

Ask = Callable[..., Ending]


@pytest.fixture
def started() -> Callable[[], set[int]]:
    """Return what finds the processes that were started since: other tests have left some."""
    before = set(procfs.children(os.getpid()))
    return lambda: set(procfs.children(os.getpid())) - before


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with agent_in_thread() as (made,):
        yield made


@pytest.fixture
def ask(sandbox: Sandbox, tmp_path: Path) -> Ask:
    """Ask a server that does this for every line that it reads."""

    def asked(
        body: str, *, before: str = BEFORE, fresh: bool = False, limits: Limits = LIMITS
    ) -> Ending:
        text = before + LOOP + body.replace("\n", "\n    ") + "\n"
        path = tmp_path / f"{abs(hash(text))}.py"
        path.write_text(text)
        argv = [sys.executable, "-S", str(path)]
        return sandbox.run(
            RunRequest(argv, question='{"files": []}', limits=limits, needs_new_server=fresh)
        )

    return asked


ANSWER = "print(ID, {}, flush=True)"


@pytest.mark.parametrize("status", [0, 1, 124, 255, -11])
def test_the_status_of_the_answer_is_told(ask: Ask, status: int) -> None:
    ending = ask(ANSWER.format(status))
    assert (ending.status, ending.limit, ending.stdout, ending.stderr) == (status, "", b"", b"")
    assert ending.seconds > 0


def test_one_server_answers_for_all_candidates(ask: Ask) -> None:
    assert [ask(ANSWER.format("asked")).status for _ in range(5)] == [1, 2, 3, 4, 5]


def test_a_fresh_server_has_seen_nothing(ask: Ask) -> None:
    body = ANSWER.format("asked")
    assert [ask(body, fresh=fresh).status for fresh in (False, False, True, False)] == [1, 2, 1, 2]


def test_it_sees_the_candidate_in_its_own_working_folder(sandbox: Sandbox, ask: Ask) -> None:
    body = ANSWER.format("len(open('a.txt').read())")
    for size in (7, 3, 0):
        sandbox.place(Files({"a.txt": b"x" * size}))
        assert ask(body).status == size


def test_it_is_asked_by_one_line_with_the_question(ask: Ask) -> None:
    assert ask("print(question, end='')\n" + ANSWER.format(0)).stdout == b'{"files": []}\n'


def test_what_is_printed_before_the_answer_is_output_of_the_candidate(ask: Ask) -> None:
    body = "print('out', asked)\nprint('err', asked, file=sys.stderr)\n" + ANSWER.format(3)
    for number in (b"1", b"2"):
        ending = ask(body)
        assert (ending.stdout, ending.stderr) == (b"out %s\n" % number, b"err %s\n" % number)


def test_output_without_a_line_end_does_not_hide_the_answer(ask: Ask) -> None:
    ending = ask("print('no end', end='')\n" + ANSWER.format(4))
    assert (ending.status, ending.stdout) == (4, b"no end")


@pytest.mark.parametrize("noise", ["0", "ready", "1234567890abcdef 0", "{}", "\\0\\xff"])
def test_noise_is_never_taken_for_an_answer(ask: Ask, noise: str) -> None:
    ending = ask(f"print('{noise}')\n" + ANSWER.format(7))
    assert ending.status == 7
    assert ending.stdout == f"{noise}\n".encode().decode("unicode_escape").encode()


def test_noise_before_it_is_ready_belongs_to_no_candidate(ask: Ask) -> None:
    before = "import sys\nasked = 0\nprint('already here')\nprint('x\\nready \\r', flush=True)\n"
    ending = ask(ANSWER.format(5), before=before)
    assert (ending.status, ending.stdout) == (5, b"")


def test_late_output_is_not_that_of_the_next_candidate(sandbox: Sandbox, ask: Ask) -> None:
    body = (
        "print('early')\nprint(ID, 0, flush=True)\nprint('late', flush=True)\n"
        "sys.stderr.write(f'late {asked}')\nopen('done', 'w').close()"
    )
    sandbox.place(Files({}))
    for before in (b"late 0", b"late 1"):
        ending = ask(body)
        assert ending.stdout == b"early\n"
        assert before not in ending.stderr
        while not (sandbox.folder / "done").exists():
            sleep(0.001)
        sandbox.place(Files({}))


def test_of_long_output_the_beginning_and_the_end_are_kept(ask: Ask) -> None:
    limits = Limits(timeout=300, output=1000)
    body = "print('first')\nfor i in range(50000): print('x' * 50)\nprint('last')\n"
    ending = ask(body + ANSWER.format(9), limits=limits)
    assert ending.status == 9
    assert ending.stdout.startswith(b"first\n")
    assert ending.stdout.endswith(b"last\n")
    assert len(ending.stdout) < 2000


def test_the_end_of_a_server_is_the_outcome(ask: Ask) -> None:
    assert ask("os._exit(42)").status == 42
    ending = ask("print('oh', end='', file=sys.stderr, flush=True)\nos.kill(os.getpid(), 11)")
    assert (ending.status, ending.stderr) == (-11, b"oh")


def test_a_new_server_is_asked_if_one_ends_that_has_answered_before(ask: Ask) -> None:
    body = "if asked == 2: os._exit(1)\n" + ANSWER.format("10 + asked")
    assert [ask(body).status for _ in range(3)] == [11, 11, 11]


def test_a_server_that_ends_after_its_answer_is_started_again(ask: Ask) -> None:
    body = ANSWER.format("asked") + "\nsys.exit(3)"
    assert [ask(body).status for _ in range(4)] == [1, 1, 1, 1]


@pytest.mark.parametrize("said", ["'ok'", "'undefined'", "''", "256", "-65", "1.5", "'9' * 70"])
def test_an_answer_that_is_not_a_status_is_told_of(ask: Ask, said: str) -> None:
    assert ask(ANSWER.format(said)).limit == "answer"
    assert ask(ANSWER.format(6)).status == 6


def test_nonsense_of_a_server_that_has_answered_before_is_asked_again(ask: Ask) -> None:
    body = ANSWER.format("asked if asked < 2 else 'nonsense'")
    assert [ask(body).status for _ in range(3)] == [1, 1, 1]


@pytest.mark.parametrize(
    "before", ["import sys\nsys.exit('cannot')\n", "import sys\nprint('already')\nsys.exit(2)\n"]
)
def test_a_server_that_ends_before_it_is_ready_is_told_of(ask: Ask, before: str) -> None:
    ending = ask(ANSWER.format(0), before=before)
    assert ending.limit == "start"
    assert ending.status in {1, 2}
    assert (ending.stdout + ending.stderr).strip() in {b"cannot", b"already"}


def test_a_server_that_is_never_ready_is_given_up(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "SERVER_START_SECONDS", 0.3)
    ending = ask(ANSWER.format(0), before=BEFORE.replace("ready", "steady"), limits=Limits(0.1))
    assert (ending.limit, ending.stdout) == ("start", b"steady\n")


@pytest.mark.parametrize(
    "body",
    [
        "time.sleep(1000)",
        "while True: print('x' * 1000)",
        "sys.stdout.close()\nos.close(1)\ntime.sleep(1000)",
        "subprocess.Popen(['sleep', '1000'], start_new_session=True)\ntime.sleep(1000)",
    ],
)
def test_a_server_that_takes_too_long_is_ended_with_all_it_has_started(
    started: Callable[[], set[int]], ask: Ask, body: str
) -> None:
    assert ask(body, limits=Limits(0.5)).limit == "timeout"
    assert not started()
    assert ask(ANSWER.format(8)).status == 8


def test_a_server_that_was_given_up_is_asked_nothing_more(sandbox: Sandbox, ask: Ask) -> None:
    body = "if asked > 1: time.sleep(1000)\n" + ANSWER.format("asked")
    assert ask(body).status == 1
    threading.Timer(0.2, sandbox.switch.kill).start()
    with pytest.raises(Killed):
        ask(body)
    assert ask(body).status == 1


def test_nothing_is_left_when_the_sandbox_is_closed(
    started: Callable[[], set[int]], ask: Ask, sandbox: Sandbox
) -> None:
    ask("subprocess.Popen(['sleep', '1000'], start_new_session=True)\n" + ANSWER.format(0))
    assert started()
    sandbox.close()
    while started():  # its agent is another thread
        os.sched_yield()


def test_memory_is_limited(ask: Ask) -> None:
    limits = Limits(timeout=300, memory=200 << 20)
    body = "try: bytearray(1 << 30)\nexcept MemoryError: print(ID, 12, flush=True)"
    assert ask(body, limits=limits).status == 12


def test_temporary_files_of_a_server_stay_and_those_of_a_candidate_are_in_its_folder(
    ask: Ask, sandbox: Sandbox
) -> None:
    before = BEFORE + "import tempfile\nkept = tempfile.NamedTemporaryFile()\n"
    body = ANSWER.format("os.path.exists(kept.name) + 0")
    assert [ask(body, before=before).status for _ in range(3)] == [1, 1, 1]
    assert str(sandbox.private) in ask("print(kept.name)\n" + body, before=before).stdout.decode()


def test_a_line_is_found_however_it_comes_in_pieces(tmp_path: Path) -> None:
    text = b"noise\nalready\nready\nmore"
    for cut in range(len(text)):
        stream = Stream(tmp_path, 1000)
        line = server.AwaitedLine(rb"\n(ready)\n", stream)
        assert line.feed(text[:cut]) or line.feed(text[cut:])
        assert (line.found, stream.read()) == (b"ready", b"noise\nalready")
        stream.close()
