"""What installers say, word for word, and what is made of it."""

import pytest

from wynot.core.ending import Ending
from wynot.core.errors import NoNetwork, NoSpace
from wynot.inquiries.packages.installing import clashing, refused
from wynot.oracle.provisioner import Inapplicable

UV_CLASH = """\
error: No solution found when resolving dependencies
  cause: Because jinja2==3.1.2 depends on markupsafe>=2.0 and you require jinja2==3.1.2, so no.
         And because you require markupsafe==1.1.1, your requirements are unsatisfiable.
"""
UV_BUILD = """\
error: Failed to build `fasttext==0.9.1`
  cause: The build backend returned an error
  cause: Call to `setuptools.build_meta:__legacy__` failed (exit status: 1)
"""
UV_ABSENT = """\
error: No solution found when resolving dependencies
  cause: Because there is no version of jinja2==99.1 and you require jinja2==99.1, so no.
"""
UV_REFUSED = """\
error: Failed to fetch: http://me:secret@127.0.0.1:9/simple/six/
  cause: error sending request for url (http://127.0.0.1:9/simple/six/)
  cause: client error (Connect)
  cause: tcp connect error
  cause: Connection refused (os error 111)
"""
UV_DNS = """\
error: Request failed after 3 retries in 11.2s
  cause: Failed to fetch: http://no-such-host.invalid/simple/six/
  cause: dns error
  cause: failed to lookup address information: Name or service not known
"""
UV_SERVER = """\
error: Request failed after 1 retry in 1.3s
  cause: Failed to fetch: http://127.0.0.1:8765/503/six/
  cause: HTTP status server error (503 Service Unavailable) for url (http://h/503/six/)
"""
UV_LOCKED_OUT = """\
error: No solution found when resolving dependencies
  cause: Because six was not found in the package registry and you require six==1.15.0, so no.
hint: An index URL (http://h/) could not be queried due to a lack of valid authentication \
credentials (401 Unauthorized)
"""
GIT_REFUSED = """\
  fatal: unable to access 'http://127.0.0.1:9/x.git/': Failed to connect to 127.0.0.1 port 9 \
after 0 ms: Couldn't connect to server
error: subprocess-exited-with-error
"""
PIP_CLASH = """\
WARNING: Retrying (Retry(total=4)) after connection broken by 'ReadTimeoutError(x)': /simple/a/
ERROR: Cannot install jinja2==3.1.2 and markupsafe==1.1.1 because these package versions have \
conflicting dependencies.
The conflict is caused by:
    The user requested markupsafe==1.1.1
    jinja2 3.1.2 depends on MarkupSafe>=2.0
ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/
"""
PIP_REFUSED = """\
WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError('<object>: \
Failed to establish a new connection: [Errno 111] Connection refused')': /simple/six/
ERROR: Could not find a version that satisfies the requirement six==1.15.0 (from versions: none)
ERROR: No matching distribution found for six==1.15.0
"""
PIP_ABSENT = PIP_REFUSED[PIP_REFUSED.index("ERROR: Could") :]
NPM_CLASH = """\
npm warn Unknown user config "nodedir".
npm error code EUSAGE
npm error
npm error `npm ci` can only install packages when package.json and package-lock.json are in sync.
npm error
npm error Missing: ansi-styles@4.3.0 from lock file
"""
NPM_PEER = """\
npm error code ERESOLVE
npm error ERESOLVE unable to resolve dependency tree
npm error
npm error Could not resolve dependency:
npm error peer react@"^18.2.0" from react-dom@18.2.0
"""
NPM_ABSENT = """\
npm error code E404
npm error 404 Not Found - GET https://registry.npmjs.org/no-such-package
"""
NPM_DNS = """\
npm error code ENOTFOUND
npm error network request to http://no-such-host.invalid/chalk failed, reason: getaddrinfo ENOTFOUND
"""
NPM_OFFLINE = """\
npm error code ENOTCACHED
npm error request to https://registry.npmjs.org/chalk failed: cache mode is 'only-if-cached'
"""
NPM_SCRIPT = """\
npm error code 1
npm error path /x/node_modules/native
npm error command failed
npm error command sh -c node-gyp rebuild; curl: Connection refused
"""


def said(text: str, status: int = 1) -> Ending:
    return Ending(status, 0.1, "", b"", text.encode())


@pytest.mark.parametrize(
    ("text", "essence"),
    [
        (UV_CLASH, "jinja2, markupsafe do not fit together: Because jinja2==3.1.2 depends on"),
        (UV_ABSENT, "Because there is no version of jinja2==99.1"),
        (UV_BUILD, "Failed to build `fasttext==0.9.1`: The build backend returned an error"),
        (PIP_CLASH, "jinja2, markupsafe do not fit together: jinja2 3.1.2 depends on MarkupSafe"),
        (PIP_ABSENT, "No matching distribution found for six==1.15.0"),
        (NPM_CLASH, "Missing: ansi-styles@4.3.0 from lock file"),
        (NPM_PEER, 'peer react@"^18.2.0" from react-dom@18.2.0'),
        (NPM_ABSENT, "Not Found - GET https://registry.npmjs.org/no-such-package"),
        (NPM_SCRIPT, "command failed"),
        ("", "uv pip sync: exit status 1"),
    ],
)
def test_what_is_wrong_with_a_candidate_is_told_in_a_line(text: str, essence: str) -> None:
    error = refused(said(text), "uv pip sync")
    assert isinstance(error, Inapplicable)
    assert str(error).startswith(essence)
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (UV_REFUSED, "***@127.0.0.1:9/simple/six/; Connection refused"),
        (UV_DNS, "simple/six/; failed to lookup address information: Name or"),
        (UV_SERVER, "503 Service Unavailable"),
        (UV_LOCKED_OUT, "401 Unauthorized"),
        (GIT_REFUSED, "Couldn't connect to server"),
        (PIP_REFUSED, "unavailable: connection broken by 'NewConnectionError('Failed to establish"),
        (
            NPM_DNS,
            "unavailable: request to http://no-such-host.invalid/chalk failed, reason: getaddr",
        ),
        (NPM_OFFLINE, "npm ci: the packages are unavailable: request to https://registry.npmjs"),
    ],
)
def test_what_is_wrong_with_the_network_ends_the_run(text: str, words: str) -> None:
    error = refused(said(text), "npm ci")
    assert isinstance(error, NoNetwork)
    assert words in str(error)
    assert error.hint
    assert "secret" not in str(error)


def test_what_the_user_has_to_have_at_hand_is_no_fault_of_a_candidate() -> None:
    for text, name in ((UV_ABSENT, "jinja2"), (PIP_ABSENT, "six")):
        assert isinstance(refused(said(text), "x", {name}), NoNetwork)
        assert isinstance(refused(said(text), "x", {"other"}), Inapplicable)


def test_a_full_disk_and_a_long_wait_are_told() -> None:
    full = refused(said("OSError: [Errno 28] No space left on device"), "pip install")
    assert isinstance(full, NoSpace)
    late = refused(Ending(-9, 600.0, "timeout"), "pip install")
    assert isinstance(late, Inapplicable)
    assert str(late).startswith("pip install: ")


UV_CHAIN = """\
error: No solution found when resolving dependencies
  cause: Because web<=1 depends on io<2 and all versions of api depend on io>=2, we can conclude \
that all versions of api and web<=1 are incompatible.
         And because you require api[fast]==2 and web==1, we can conclude that your requirements \
are unsatisfiable.
"""
PIP_CHAIN = """\
ERROR: Cannot install -r asked.txt (line 1) and -r asked.txt (line 2) because of conflicts.

The conflict is caused by:
    The user requested A.P_I==2
    web 1 depends on io<2
    other 1.0.post1 depends on io>=2

To fix this you could try to:
1. loosen the range of package versions you've specified
ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/
"""
PIP_CHECK = "web 1 has requirement io<2, but you have io 2.\napi 1 has requirement io<2, but no.\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (UV_CHAIN, ["api", "io", "web"]),
        (PIP_CHAIN, ["a-p-i", "io", "other", "web"]),
        (PIP_CHECK, ["api", "io", "web"]),
        (UV_ABSENT, []),
        (UV_BUILD, []),
        (NPM_CLASH, []),
    ],
)
def test_who_does_not_fit_with_whom_is_in_what_is_said(text: str, names: list[str]) -> None:
    assert clashing(str(refused(said(text), "uv pip compile"))) == names
