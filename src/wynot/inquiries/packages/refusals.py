"""What an installer says when it has not installed: the candidate's fault, or the network's.

The words are those of uv 0.13, pip 23 to 26 and npm 11. What is not known is held against the
candidate: then a search goes on, and the line that is shown tells.
"""

import re
from collections.abc import Container, Sequence

from packaging.utils import canonicalize_name

from wynot.core.ending import Ending
from wynot.core.errors import NoNetwork, NoSpace
from wynot.core.masking import masked
from wynot.oracle.provisioner import Inapplicable

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
        return Inapplicable(f"{what}: {ending.words}")
    said = essence(text) or f"{what}: {ending.words}"
    names = _parties(text)
    return Inapplicable(f"{', '.join(names)}{_DO_NOT_FIT}{said}" if len(names) > 1 else said)


def clashing(why: str) -> list[str]:
    """Return the packages that do not fit together, by the message of a refusal."""
    names, found, _ = why.partition(_DO_NOT_FIT)
    return names.split(", ") if found else []


def _parties(text: str) -> Sequence[str]:
    """Return the packages that an installer names as it says what does not fit."""
    said = next((found[1] for pattern in _CLASH if (found := pattern.search(text))), "")
    return sorted({canonicalize_name(name) for name in _PARTY.findall(said)})[:_MAX_PARTIES]


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
            said = found[1].removeprefix("npm error").replace("\n  cause: ", ": ")
            # An error inside of pip itself ends with what it was.
            return _short(text.strip().splitlines()[-1] if said == "Exception:" else said)
    return ""


def _line_of(text: str) -> str:
    """Return the lines that say what could not be reached, and why."""
    lines = [_NOISE.sub("", each.strip()) for each in text.splitlines()]
    if _NODE_CODE.search(text):
        told = [each for each in lines if "failed" in each or _NODE_UNREACHABLE.search(each)]
        return _short(next((each for each in told if "failed" in each), told[0]))
    fetched = [each for each in lines if "Failed to fetch" in each or "was not found in" in each]
    # uv goes from the general to the particular, one cause after the other.
    causes = [each for each in lines if _UNREACHABLE.search(each)]
    return "; ".join(_short(each) for each in (*fetched[:1], *causes[-1:]))


def _short(text: str) -> str:
    text = masked(" ".join(text.split()))
    return text if len(text) <= _MAX_REASON_CHARS else f"{text[: _MAX_REASON_CHARS - 1]}…"
