"""Installers: where they run, and what they say when they do not install.

The messages are those of uv 0.13, pip 23 to 26 and npm 11. A message that is not known counts as a
fault of the candidate: the search goes on, and the line is shown.
"""

import os
import re
import subprocess
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

from wynot.agents.sandbox import Sandbox
from wynot.core.ending import Ending
from wynot.core.errors import NoNetwork, NoSpace
from wynot.core.system.user_folders import masked
from wynot.machine.removal import put_file
from wynot.oracle.provisioner import Inapplicable
from wynot.wire.run_request import Limits, RunRequest

_UNREACHABLE = re.compile(
    r"""connection\ refused | connection\ reset | connection\ broken | connection\ aborted
    | name\ or\ service\ not\ known | temporary\ failure\ in\ name\ resolution | dns\ error
    | could(?:n't|\ not)\ (?:resolve\ host|connect\ to\ server) | network\ is\ unreachable
    | nodename\ nor\ servname | no\ route\ to\ host | cannot\ connect\ to\ proxy | tunnel\ error
    | newconnectionerror | proxyerror | sslerror | certificate_verify_failed
    | (?:invalid|self[- ]signed)\ (?:peer\ )?certificate | operation\ timed\ out
    | read\ timed\ out | connect\ timeout | connecttimeout | readtimeout
    | network\ was\ disabled | network\ connectivity\ is\ disabled | index\ lookups\ were\ disabled
    | http\ status\ server\ error | \b(?:401\ unauthorized|403\ forbidden)\b
    | valid\ authentication\ credentials
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NODE_UNREACHABLE = re.compile(
    r"ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|ENETUNREACH|EHOSTUNREACH"
    r"|ERR_SOCKET_TIMEOUT|EPROTO|E401|E403|E5\d\d|(?<!\w)\w*CERT\w*|ERR_TLS\w*"
)
_NODE_CODE = re.compile(r"^npm (?:error|ERR!) code (\S+)", re.MULTILINE)
_FULL_DISK = re.compile(r"no space left on device|ENOSPC|disk quota exceeded", re.IGNORECASE)
_TELLING = [
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"(?i:^[^\S\n]*cause: (because .*))",
        r"^(\S+ \S+ has requirement .*)",
        r"^    (\S+ \S+ depends on .*)",
        r"^ERROR: (Cannot install .*)",
        r"^ERROR: (No matching distribution .*)",
        r"^npm (?:error|ERR!) ((?:Missing|Invalid): .*)",
        r"^npm (?:error|ERR!) (?:notarget|404)\s+((?:No matching|Not Found).*)",
        r"^npm (?:error|ERR!) Could not resolve dependency:\n(.*)",
        r"^npm (?:error|ERR!) (?!code|errno|path)(.*\w.*)",
        r"^(?:error|ERROR): (.*(?:\n +cause: .*)?)",
        r"^\u00d7 (.*)",
    )
]
_MISSING = re.compile(
    r"(?:no version of|distribution found for) ([\w.-]+)==|because ([\w.-]+) was not found in",
    re.IGNORECASE,
)
_CLASH = [
    re.compile(pattern, re.DOTALL | re.MULTILINE)
    for pattern in (
        r"^ *cause: (Because .*)",
        r"The conflict is caused by:\n((?>(?:(?![^\n]*The conflict is)[^\n]+\n)*))\n",
        r"^(\S+ \S+ has requirement .*)",
    )
]
"""Where installers say which packages do not fit each other."""
_PARTY = re.compile(
    r"(?<![\w.-])([A-Za-z][\w.-]*?)"
    r"(?=(?:\[[\w.,-]*\])?(?:[<>=!~]| depends? on | \d[\w.+-]* (?:depends|has requirement)))"
)
"""A package in what they say: ``a==1``, ``a 1 depends on``, ``all versions of a depend on``."""
_DO_NOT_FIT = " do not fit together: "
_NOISE = re.compile(
    r"^(?:error|cause|hint): |^npm (?:error|ERR!) (?:network )?|^WARNING: Retrying \(.*?\)\) after "
    r"|<[^<>]*>: "
)
_MAX_REASON_CHARS = 300
_MAX_PARTIES = 100
_HINT = (
    "check the network or the proxy, or give --index-url URL, or a folder of wheels by --find-links"
)
_NODE_HINT = "check the network, the proxy, or the registry: npm ping"


def refused(ending: Ending, what: str, given: Container[str] = ()) -> Exception:
    """Return what to raise after an installer has failed: a candidate's fault, or the run's end.

    Given are the packages that the user has to have at hand, since no index may be asked: if one of
    them is missing, that is no fault of a candidate.
    """
    text = (ending.stderr + b"\n" + ending.stdout).decode("utf-8", "replace")
    if _FULL_DISK.search(text):
        return NoSpace(f"{what}: no space is left", hint="make room, or use fewer workers")
    if is_unreachable(text):
        node = _NODE_CODE.search(text) is not None
        return NoNetwork(
            f"{what}: the packages are unavailable: {_line_of(text)}",
            hint=_NODE_HINT if node else _HINT,
        )
    missing = _MISSING.search(text)
    if missing and canonicalize_name(missing[1] or missing[2]) in given:
        return NoNetwork(
            f"{what}: no index may be used, and what is there is not enough: {essence(text)}",
            hint=_HINT,
        )
    if ending.limit:
        return Inapplicable(f"{what}: {ending.description}")
    message = essence(text) or f"{what}: {ending.description}"
    names = _parties(text)
    return Inapplicable(f"{', '.join(names)}{_DO_NOT_FIT}{message}" if len(names) > 1 else message)


def clashing(why: str) -> list[str]:
    """Return the packages that do not fit together, by the message of a refusal."""
    names, found, _ = why.partition(_DO_NOT_FIT)
    return names.split(", ") if found else []


def _parties(text: str) -> Sequence[str]:
    """Return the packages that an installer names as it says what does not fit."""
    message = next((found[1] for pattern in _CLASH if (found := pattern.search(text))), "")
    return sorted({canonicalize_name(name) for name in _PARTY.findall(message)})[:_MAX_PARTIES]


def is_unreachable(text: str) -> bool:
    """Tell whether it failed since nothing could be fetched.

    pip tells of every vain attempt, also if a later one succeeds. So if it has come to the point of
    comparing versions, or of building, that is what it failed for.
    """
    code = _NODE_CODE.search(text)
    if code:
        return _NODE_UNREACHABLE.fullmatch(code[1]) is not None
    if "ResolutionImpossible" in text:
        return False
    return _UNREACHABLE.search(text) is not None


def essence(text: str) -> str:
    """Return the one line that says why, without secrets."""
    for pattern in _TELLING:
        if found := pattern.search(text):
            message = found[1].removeprefix("npm error").replace("\n  cause: ", ": ")
            # An error inside of pip itself ends with what it was.
            return _short(text.strip().splitlines()[-1] if message == "Exception:" else message)
    return ""


def _line_of(text: str) -> str:
    """Return the lines that say what could not be reached, and why."""
    lines = [_NOISE.sub("", each.strip()) for each in text.splitlines()]
    if _NODE_CODE.search(text):
        known = [each for each in lines if "failed" in each or _NODE_UNREACHABLE.search(each)]
        return _short(next((each for each in known if "failed" in each), known[0]))
    fetched = [each for each in lines if "Failed to fetch" in each or "was not found in" in each]
    # uv goes from the general to the particular, one cause after the other.
    causes = [each for each in lines if _UNREACHABLE.search(each)]
    return "; ".join(_short(each) for each in (*fetched[:1], *causes[-1:]))


def _short(text: str) -> str:
    text = masked(" ".join(text.split()))
    return text if len(text) <= _MAX_REASON_CHARS else f"{text[: _MAX_REASON_CHARS - 1]}…"


QUIET: Mapping[str, str | None] = {
    "UV_PYTHON_DOWNLOADS": "never",
    "UV_LINK_MODE": "copy",  # a test that writes into a package must not write into uv's cache
    "UV_NO_PROGRESS": "1",
    "UV_SYSTEM_PYTHON": None,
    "UV_PYTHON": None,
    "PIP_NO_INPUT": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PIP_PROGRESS_BAR": "off",
    "PIP_REQUIRE_VIRTUALENV": None,
    "PIP_USER": None,
    "PIP_TARGET": None,
    "PIP_PREFIX": None,
    "NO_COLOR": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C.UTF-8",
    "VIRTUAL_ENV": None,
    "PYTHONHOME": None,
    "PYTHONPATH": None,
}
"""What installers are told besides the user's own settings of them: to ask and to draw nothing."""

_ANSWER_TIMEOUT = 60.0  # seconds for an installer to tell where its cache is
_INSTALL_TIMEOUT = 600.0  # seconds: some packages are built
_DISK_BYTES = 64 << 30  # builds are large, and made in a folder that is watched


@dataclass(frozen=True, slots=True)
class Site:
    """The place of packages in a sandbox, and how installers are run for it."""

    sandbox: Sandbox
    folder: Path
    given: frozenset[str] = frozenset()
    """Packages that the user has to have at hand, since no index may be asked."""
    writable: tuple[str, ...] | None = None
    """Where installers can write besides this place, as their caches; None: wherever you may."""

    def run(self, *argv: str) -> None:
        """Run an installer; raise what its failure means."""
        ending = self.attempt(*argv)
        if ending.status or ending.limit:
            raise refused(ending, _called(argv), self.given)

    def succeeds(self, *argv: str) -> bool:
        """Run an installer that may fail; tell whether it has not."""
        ending = self.attempt(*argv)
        return not ending.status and not ending.limit

    def attempt(self, *argv: str) -> Ending:
        """Run an installer; return how it ended."""
        limits = Limits(timeout=_INSTALL_TIMEOUT, disk=_DISK_BYTES)
        if self.writable is not None:
            limits = limits._replace(writable=(str(self.folder), *self.writable))
        request = RunRequest(argv, limits, capture=True, env=QUIET, folder=self.folder)
        return self.sandbox.run(request)

    def write(self, name: str, lines: Sequence[str]) -> None:
        """Write a file for an installer; it may hold passwords of indexes."""
        content = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
        put_file(self.folder / name, content)


def answer_of(argv: Sequence[str]) -> str:
    """Return what a program of the user's prints, empty if it fails.

    It does not run in the project, whose settings and modules may be a stranger's: there,
    ``python -m pip`` would run a ``pip.py``.
    """
    program, *arguments = argv
    try:
        done = subprocess.run(  # noqa: S603 - an interpreter, or an installer
            [os.path.abspath(program) if os.sep in program else program, *arguments],  # noqa: PTH100
            cwd=os.sep,
            capture_output=True,
            text=True,
            timeout=_ANSWER_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def cache_folders(argv: Sequence[str]) -> tuple[str, ...]:
    """Return the cache of an installer, which a command prints, if it has one: it is made."""
    folder = Path(answer_of(argv))
    if not folder.is_absolute():
        return ()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:  # it has none, then
        return ()
    return (str(folder),)


def _called(argv: Sequence[str]) -> str:
    """Return how the program is called, by the words of its command that say what it does."""
    known = {"uv", "pip", "npm", "venv", "compile", "sync", "install", "uninstall", "ci"}
    names = [name for each in argv if (name := Path(each).name) in known]
    return " ".join(dict.fromkeys(names)) or Path(argv[0]).name
