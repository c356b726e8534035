"""``--serve``: a program that stays answers for the candidates, and all is as with a command."""

import shutil
import sys
from pathlib import Path
from shlex import quote

import pytest

from e2e.programs import CALM, told, wynot
from structure.pages import ROOT
from wynot.job import warm_tests

CONFIG = "{\n" + "".join(f'  "key{i}": [{i}, {i}],\n' for i in range(30)) + '  "last": 01\n}\n'
PROGRAM = quote(sys.executable)
PYTHON = f"{PROGRAM} -S {quote(str(ROOT / 'examples/serve/server.py'))} {{}}"
NODE = f"node {quote(str(ROOT / 'examples/serve/server.js'))} {{}}"
needs_node = pytest.mark.skipif(not shutil.which("node"), reason="there is no node here")

LOOP = """\
import os, sys
print("ready", flush=True)
asked = 0
for line in sys.stdin:
    asked += 1
    name = line.split()[0]
    text = open(sys.argv[1]).read()
    {}
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "config.json").write_text(CONFIG)
    return tmp_path


def server(folder: Path, body: str) -> str:
    (folder / "server.py").write_text(LOOP.format(body.replace("\n", "\n    ")))
    return f"{PROGRAM} -S server.py {{}}"


@pytest.mark.parametrize("line", [PYTHON, pytest.param(NODE, marks=needs_node)])
def test_the_examples_reduce(config: Path, line: str) -> None:
    done = told(config, "reduce", *CALM, "--serve", line, "config.json")
    assert done.code == 0, done.err
    assert "Error" in done.out  # what it keeps was learned from what the server printed
    assert len((config / "config.json").read_bytes()) <= 8


@pytest.mark.slow
def test_the_same_as_with_a_command_at_any_width(config: Path) -> None:
    body = "sys.stderr.write('boom\\n' * ('last' in text))\nprint(name, 3, flush=True)"
    serve = ("--serve", server(config, body))
    command = (
        "import sys; sys.stderr.write('boom\\n' * ('last' in open(sys.argv[1]).read())); exit(3)"
    )
    results = set()
    for number, given in enumerate([("-j", "1", *serve), ("-j", "3", *serve), ()]):
        after = () if given else ("--", sys.executable, "-S", "-c", command, "{}")
        out = f"out{number}.json"
        options = ("--stderr", "boom", *CALM, "--json", "-o", out)
        done = told(config, "reduce", *options, *given, "config.json", *after)
        assert done.code == 0, done.err
        results.add(((config / out).read_text(), done.events[-1]["tests"]))
    assert len(results) == 1


def test_a_server_that_dies_is_an_outcome(config: Path) -> None:
    line = server(config, "if 'last' in text: os.abort()\nprint(name, 0, flush=True)")
    done = told(config, "reduce", *CALM, "--serve", line, "config.json")
    assert done.code == 0, done.err
    assert "SIGABRT" in done.out
    assert (config / "config.json").read_text().strip() == "last"


def test_an_exit_status_can_be_asked_for(config: Path) -> None:
    line = server(config, "print(name, 0 if 'key7' in text else 1, flush=True)")
    done = told(config, "reduce", *CALM, "--exit", "0", "--serve", line, "config.json")
    assert done.code == 0, done.err
    assert (config / "config.json").read_text().strip() == "key7"


def test_it_can_be_checked_and_explained(config: Path) -> None:
    line = server(config, "print(name, 4 * ('key7' in text), flush=True)")
    assert told(config, "check", "--serve", line, "config.json").code == 0
    done = told(config, "reduce", *CALM, "--explain", "--serve", line, "config.json")
    assert done.code == 0, done.err
    assert "key7" in done.out


def started(folder: Path) -> int:
    """Tell how often the server was started, if it says so."""
    return len((folder / "started").read_text())


COUNTS = "if asked == 1: open({!r}, 'a').write('x')\n"


def test_servers_are_kept_unless_cold_is_asked_for(config: Path) -> None:
    counts = COUNTS.format(str(config / "started"))
    line = server(config, counts + "print(name, 3 * ('last' in text), flush=True)")
    options = ("-j", "1", *CALM, "--json", "-o", "out", "--serve", line)
    tests = told(config, "reduce", *options, "config.json").events[-1]["tests"]
    kept = started(config)
    assert kept < tests / 2
    cold = told(config, "reduce", *options, "--cold", "--fresh", "config.json")
    assert cold.events[-1]["tests"] == tests
    assert started(config) - kept >= tests


@pytest.mark.parametrize("share", [1, 1000])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_server_that_remembers_candidates_is_found_out(
    config: Path, jobs: str, share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of so few candidates hardly one in a thousand is asked for again; but the result always is.
    monkeypatch.setattr(warm_tests, "CHECKED_SHARE", share)
    body = "seen = globals().get('seen', False) or 'last' in text\n"
    line = server(config, body + "print(name, 3 * seen, flush=True)")
    done = told(config, "reduce", "-j", jobs, *CALM, "--serve", line, "config.json")
    assert done.code == 0, done.err
    assert "from here on each candidate has a new one" in " ".join(done.out.split())
    assert (config / "config.json").read_text() == "last\n"


def test_a_hanging_server_is_unresolved_and_the_next_one_answers(config: Path) -> None:
    body = (
        "while 'key3' in text and 'last' not in text: pass\nprint(name, 'last' in text, flush=True)"
    )
    line = server(config, body.replace("'last' in text, f", "int('last' in text), f"))
    done = told(config, "reduce", "--timeout", "2", "--serve", line, "config.json")
    assert done.code == 0, done.err
    assert (config / "config.json").read_text().strip() == "last"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("false", "the server 'false' ended before it was ready: exit status 1"),
        ("echo some noise", "| some noise"),
        ("nosuchprogram x", "--serve takes a command to run"),
        ("'unclosed", '--serve is "\'unclosed": No closing quotation'),
    ],
)
def test_a_server_that_is_none_is_told_of(config: Path, line: str, words: str) -> None:
    done = told(config, "reduce", "--serve", line, "config.json")
    assert done.code in {1, 2}
    assert words in done.err
    assert (config / "config.json").read_text() == CONFIG


def test_an_answer_without_a_status_is_told_of(config: Path) -> None:
    line = server(config, "print(name, 'undefined', flush=True)")
    done = told(config, "reduce", "--serve", line, "config.json")
    assert done.code == 1
    assert "not a status" in done.err
    assert "[broken-server]" in done.err


def test_nonsense_about_a_candidate_leaves_it_unresolved(config: Path) -> None:
    body = "print(name, 3 if 'last' in text else 'None' if 'key1' in text else 0, flush=True)"
    line = server(config, body)
    done = told(config, "reduce", *CALM, "--serve", line, "config.json")
    assert done.code == 0, done.err
    assert (config / "config.json").read_text().strip() == "last"


@pytest.mark.parametrize("more", [("-c", "true"), ("--", "true")])
def test_it_stands_alone(config: Path, more: tuple[str, str]) -> None:
    given = more if more[0] == "-c" else ()
    after = () if given else more
    done = told(config, "reduce", *given, "--serve", "true", "config.json", *after)
    assert done.code == 2
    assert "choose one of the two" in done.hint


def test_a_run_is_resumed_with_the_same_server_only(config: Path) -> None:
    line = server(config, "print(name, 3 * ('last' in text), flush=True)")
    first = told(config, "reduce", *CALM, "--max-tests", "5", "--serve", line, "config.json")
    assert first.code == 3, first.err
    again = told(config, "reduce", *CALM, "--resume", "--serve", line, "config.json")
    assert again.code == 0, again.err
    server(config, "print(name, 3 * ('las' in text), flush=True)")
    other = told(config, "reduce", *CALM, "--resume", "--serve", line, "config.json")
    assert "nothing to resume" in other.err


@pytest.mark.slow
def test_a_confined_server_cannot_write_elsewhere(config: Path) -> None:
    other = config / "elsewhere"
    body = f"try: open({str(other)!r}, 'w').close()\nexcept OSError: pass\n"
    line = server(config, body + "print(name, 3 * ('last' in text), flush=True)")
    done = wynot(config, "reduce", "--confine", "--serve", line, "config.json")
    assert done.code == 0, done.err
    assert not other.exists()
