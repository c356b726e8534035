"""Candidates installed into private environments, by each installer that is there."""

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from unit.inquiries.packages.questioning import read_pair
from unit.inquiries.packages.shelves import asked, bound, wheel
from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LoneSandbox
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import NoInstaller, NoNetwork
from wynot.inquiries.packages.circumstance import Upgrades
from wynot.inquiries.packages.installing import Site, cache_folders
from wynot.inquiries.packages.lock_file import Option, Pin, Pins
from wynot.inquiries.packages.python.python_environments import (
    PythonEnvironments,
    find_installer,
    find_python,
    python_environments,
)
from wynot.inquiries.packages.python.python_installers import Installer, Pip, Uv
from wynot.inquiries.packages.python.python_store import difference, installed
from wynot.machine import landlock
from wynot.oracle.provisioner import Inapplicable
from wynot.wire.run_request import Killed, Limits, RunRequest

SAMPLES = Path(__file__).parents[4] / "samples" / "packages"
LIMITS = Limits(timeout=300)
HAS_UV = bool(shutil.which("uv") or importlib.util.find_spec("uv"))
needs_uv = pytest.mark.skipif(not HAS_UV, reason="uv is not installed")
CLOSED = "http://127.0.0.1:9/simple"
"""Nobody listens there."""
_MODULES = f"python/env/lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Sandbox]:
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    made = LoneSandbox()
    yield made
    made.close()


@pytest.fixture(
    params=[pytest.param("uv", marks=needs_uv), pytest.param("pip", marks=pytest.mark.slow)]
)
def installer(request: pytest.FixtureRequest) -> Installer:
    if request.param == "uv":
        return find_installer(sys.executable)
    return Pip((sys.executable, "-m", "pip"), sys.executable)


@pytest.mark.parametrize(
    ("record", "name", "version"),
    [
        ("PyYAML-5.1-py3.8.egg-info", "pyyaml", "5.1"),
        ("PyYAML-5.1-py3.8-linux-x86_64.egg-info", "pyyaml", "5.1"),
        ("six-1.16.0.egg-info", "six", "1.16.0"),
        ("zope.interface-5.4.0.dist-info", "zope-interface", "5.4.0"),
        ("two-words-1.0.dist-info", "two-words", "1.0"),
    ],
)
def test_records_of_any_kind_name_a_package_and_its_version(
    tmp_path: Path, record: str, name: str, version: str
) -> None:
    (tmp_path / "lib/python3.8/site-packages" / record).mkdir(parents=True)
    assert installed(tmp_path) == {name: version}


@pytest.fixture
def best() -> Installer:
    return find_installer(sys.executable)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "wheels"
    wheel(folder, "core", "1.0")
    wheel(folder, "core", "2.0")
    wheel(folder, "tool", "1.0", "core<2", code="def main(): print('tool', version)\n")
    wheel(folder, "tool", "2.0", "core>=2", code="def main(): print('tool', version)\n")
    wheel(folder, "other", "1.0")
    return folder


def made(installer: Installer, shelf: Path, also: tuple[str, ...] = ()) -> PythonEnvironments:
    options = [Option("--no-index"), Option("--find-links", str(shelf))]
    return PythonEnvironments(installer, options, also=also)


def there(sandbox: Sandbox) -> dict[str, str]:
    return installed(sandbox.private / "python" / "env")


@pytest.mark.skipif(not landlock.version(), reason="this system has no Landlock")
def test_installers_are_confined_if_tests_are(
    sandbox: Sandbox,
    installer: Installer,
    shelf: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To the environment and the cache: what builds a package is a stranger's program."""
    monkeypatch.delenv("PIP_NO_CACHE_DIR", raising=False)
    monkeypatch.setenv("PIP_CACHE_DIR", str(tmp_path / "cache of pip"))
    options = [Option("--no-index"), Option("--find-links", str(shelf))]
    cache = cache_folders((*installer.program, "cache", "dir"))
    assert cache
    environments = PythonEnvironments(installer, options, writable=cache)
    for pins in (asked("core==2.0"), asked("core==1.0", "other==1.0")):
        environments.provision(pins, sandbox)
    assert there(sandbox) == {"core": "1.0", "other": "1.0"}
    folder = sandbox.private / "python"
    free, confined = Site(sandbox, folder), Site(sandbox, folder, writable=cache)
    for place, may_write in ((tmp_path, False), (folder, True), (Path(cache[0]), True)):
        for site in (free, confined):
            made = site.succeeds("touch", str(place / "new"))
            assert made is (site is free or may_write)
            (place / "new").unlink(missing_ok=True)


def test_nothing_of_the_project_runs_to_find_an_installer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pip.py").write_text("open('ran', 'w')\n")
    (tmp_path / "uv.toml").write_text('cache-dir = "stolen"\n')
    (tmp_path / "python").symlink_to(sys.executable)
    monkeypatch.chdir(tmp_path)
    python = find_python("./python")
    assert Path(python).is_absolute()
    installer = find_installer(python, "pip")
    assert isinstance(installer, Pip)
    for found in (installer, find_installer(sys.executable)):
        assert "stolen" not in str(cache_folders((*found.program, "cache", "dir")))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pip.py", "python", "uv.toml"]


def test_no_settings_are_looked_for_above_the_private_folder(
    sandbox: Sandbox, installer: Installer, shelf: Path
) -> None:
    """It is in one that others can write to, as /dev/shm, where they may have put some."""
    for name in ("uv.toml", "pip.conf"):
        (sandbox.private.parent / name).write_text('[pip]\nno-binary = [":all:"]\n')
    made(installer, shelf).provision(asked("core==1.0"), sandbox)
    assert there(sandbox) == {"core": "1.0"}


def test_an_environment_is_brought_from_one_candidate_to_the_next(
    sandbox: Sandbox, installer: Installer, shelf: Path
) -> None:
    environments = made(installer, shelf)
    steps: list[tuple[Pins, dict[str, str]]] = [
        (asked("core==2.0", "other==1.0"), {"core": "2.0", "other": "1.0"}),
        (asked("tool==1.0"), {"core": "1.0", "tool": "1.0"}),  # it takes in what it needs
        (Pins(asked("tool") | bound("core==2.0", "other==1.0")), {"core": "2.0", "tool": "2.0"}),
    ]
    for subject, wanted in steps:
        environments.provision(subject, sandbox)
        assert there(sandbox) == wanted


def test_each_version_is_unpacked_once_and_linked_to_from_then_on(
    sandbox: Sandbox, best: Installer, shelf: Path, tmp_path: Path
) -> None:
    environments, module = made(best, shelf), sandbox.private / _MODULES / "core.py"
    seen = set()
    for version in ("1.0", "2.0", "1.0"):
        environments.provision(asked(f"core=={version}"), sandbox)
        seen.add(module.stat().st_ino)
        assert module.stat().st_nlink == 2  # none is in the installer's cache
    assert len(seen) == 2
    shutil.rmtree(tmp_path / "cache", ignore_errors=True)
    shutil.rmtree(sandbox.private / "python" / "env")
    environments.provision(asked("core==2.0"), sandbox)
    assert module.stat().st_ino in seen


def test_an_environment_outlives_a_candidate_that_is_given_up_before_it_is_changed(
    sandbox: Sandbox, best: Installer, shelf: Path
) -> None:
    environments, made_once = made(best, shelf), sandbox.private / "python" / "env" / "mine.txt"
    environments.provision(asked("core==1.0"), sandbox)
    made_once.write_text("it is gone if the environment is made anew")
    sandbox.switch.begin()
    sandbox.switch.kill()
    with pytest.raises(Killed):
        environments.provision(asked("core==2.0"), sandbox)
    assert sandbox.switch.finish()
    environments.provision(asked("core==2.0"), sandbox)
    assert there(sandbox) == {"core": "2.0"}
    assert made_once.exists()


def test_a_test_that_writes_into_a_package_does_not_change_other_candidates(
    sandbox: Sandbox, best: Installer, shelf: Path
) -> None:
    environments, module = made(best, shelf), sandbox.private / _MODULES / "core.py"
    for version in ("1.0", "2.0"):
        environments.provision(asked(f"core=={version}"), sandbox)
    with module.open("a") as file:
        file.write("mine = True\n")
    for also in ((), ("other==1.0",)):
        environments.provision(asked("core==2.0", *also), sandbox)
        assert module.read_text() == "version = '2.0'\n"
        assert module.stat().st_nlink == 1
        module.write_text("mine = True\n")


def test_programs_of_the_environment_come_first(
    sandbox: Sandbox, best: Installer, shelf: Path
) -> None:
    given = made(best, shelf).provision(asked("core==2.0", "tool==2.0"), sandbox)
    path = str(given.env["PATH"])
    assert shutil.which("python", path=path) == str(sandbox.private / "python/env/bin/python")
    script = "import tool, core; print(tool.version, core.version)"
    told = sandbox.run(
        RunRequest(["python", "-c", script], limits=LIMITS, capture=True, env=given.env)
    )
    assert told.stdout == b"2.0 2.0\n", told.stderr
    program = shutil.which("say-tool", path=path)
    assert program
    assert (
        sandbox.run(RunRequest([program], limits=LIMITS, capture=True, env=given.env)).stdout
        == b"tool 2.0\n"
    )


def test_packages_that_clash_are_inapplicable_and_the_next_candidate_is_not(
    sandbox: Sandbox, installer: Installer, shelf: Path
) -> None:
    environments = made(installer, shelf)
    with pytest.raises(Inapplicable, match=r"tool.*core"):
        environments.provision(asked("core==1.0", "tool==2.0"), sandbox)
    environments.provision(asked("core==2.0", "tool==2.0"), sandbox)
    assert there(sandbox) == {"core": "2.0", "tool": "2.0"}


def test_what_a_test_changed_is_made_anew(sandbox: Sandbox, best: Installer, shelf: Path) -> None:
    environments = made(best, shelf)
    subject = asked("core==1.0")
    environments.provision(subject, sandbox)
    (place,) = (sandbox.private / "python/env").glob("lib/python*/site-packages")
    (place / "core-1.0.dist-info").rename(place / "evil-6.6.dist-info")
    environments.provision(subject, sandbox)
    assert there(sandbox) == {"core": "1.0"}
    shutil.rmtree(sandbox.private / "python")
    environments.provision(subject, sandbox)
    assert there(sandbox) == {"core": "1.0"}


def test_the_same_candidate_again_costs_nothing(
    sandbox: Sandbox, best: Installer, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environments = made(best, shelf)
    first = environments.provision(asked("core==1.0"), sandbox)
    monkeypatch.setattr(Sandbox, "run", None)
    assert environments.provision(asked("core==1.0"), sandbox) == first


def test_what_a_test_needs_besides_is_there_too(
    sandbox: Sandbox, best: Installer, shelf: Path
) -> None:
    made(best, shelf, also=("other",)).provision(asked("core==1.0"), sandbox)
    assert there(sandbox) == {"core": "1.0", "other": "1.0"}


def test_hashes_are_held_to(sandbox: Sandbox, installer: Installer, shelf: Path) -> None:
    right = sha256((shelf / "core-1.0-py3-none-any.whl").read_bytes()).hexdigest()
    environments = made(installer, shelf)
    some = Pins([Pin("core", "1.0", "core==1.0", f"core==1.0 --hash=sha256:{right}")])
    environments.provision(Pins(some | asked("other==1.0")), sandbox)
    assert there(sandbox) == {"core": "1.0", "other": "1.0"}
    wrong = Pins([Pin("core", "2.0", "core==2.0", f"core==2.0 --hash=sha256:{right}")])
    for pins in (wrong, Pins(wrong | asked("other==1.0"))):  # one without does not change that
        with pytest.raises(Inapplicable, match=r"(?i)hash"):
            environments.provision(pins, sandbox)


def test_an_index_that_cannot_be_reached_ends_the_run(
    sandbox: Sandbox, installer: Installer
) -> None:
    environments = PythonEnvironments(installer, [Option("--index-url", CLOSED)])
    with pytest.raises(NoNetwork) as caught:
        environments.provision(asked("core==1.0"), sandbox)
    assert "refused" in str(caught.value)
    assert "--find-links" in caught.value.hint
    assert caught.value.exit_code == 5


def test_a_wheel_that_is_not_at_hand_ends_the_run(
    sandbox: Sandbox, installer: Installer, shelf: Path
) -> None:
    with pytest.raises(NoNetwork, match=r"no index may be used.*core==3\.0"):
        made(installer, shelf).provision(asked("core==3.0"), sandbox)
    wheel(shelf, "odd", "1.0", "missing")
    with pytest.raises(Inapplicable, match="missing"):  # that is of this candidate
        made(installer, shelf).provision(asked("odd==1.0"), sandbox)


@needs_uv
def test_uv_that_may_not_ask_the_network_ends_the_run(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("UV_OFFLINE", "1")
    sandbox = request.getfixturevalue("sandbox")  # it takes over what is set now
    with pytest.raises(NoNetwork, match="not found in the cache"):
        PythonEnvironments(find_installer(sys.executable)).provision(asked("core==1.0"), sandbox)


def test_a_proxy_that_is_not_there_ends_the_run(
    installer: Installer, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://me:secret@127.0.0.1:9")
    sandbox = request.getfixturevalue("sandbox")  # it takes over what is set now
    with pytest.raises(NoNetwork) as caught:
        PythonEnvironments(installer).provision(asked("core==1.0"), sandbox)
    assert "secret" not in str(caught.value)


def test_a_package_that_cannot_be_built_is_inapplicable(
    sandbox: Sandbox, best: Installer, tmp_path: Path
) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/pyproject.toml").write_text(
        "[build-system]\nrequires = []\n"
        "build-backend = 'none'\n[project]\nname = 'broken'\nversion = '1'\n"
    )
    line = f"broken @ {(tmp_path / 'broken').as_uri()}"
    with pytest.raises(Inapplicable, match=r"build|Backend|did not run"):
        made(best, tmp_path).provision(Pins([Pin("broken", "", line, line)]), sandbox)


def test_a_python_that_is_none_is_told() -> None:
    with pytest.raises(NoInstaller, match="'/bin/true' is not a Python interpreter"):
        find_python("/bin/true")
    with pytest.raises(NoInstaller):
        find_python("no-such-python")
    assert Path(find_python()).is_file()


def test_without_any_installer_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(sys, "executable", "/bin/true")
    with pytest.raises(NoInstaller, match="neither uv nor a pip"):
        find_installer("/bin/true")


def test_uv_is_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: "/somewhere/uv")
    assert find_installer("/usr/bin/python3") == Uv(("/somewhere/uv",), "/usr/bin/python3")


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("1.0", "1.0.0"),
        ("2.1", "2.1+cpu"),
        ("1.0-beta.1", "1.0b1"),
        ("1 or 2", "2"),
        ("1.0.post1", "1.0.post1"),
        ("1.0-1", "1.0.post1"),
        ("1.0c1", "1.0rc1"),
        ("01.0", "1.0"),
        ("2004d", "2004d"),  # from before PEP 440: compared as text
        ("1.0-Final", "1.0_final"),
    ],
)
def test_versions_are_compared_as_they_are_meant(wanted: str, found: str) -> None:
    assert not difference([Pin("a", wanted, f"a=={wanted}")], {"a": found})


def test_what_is_not_as_wanted_is_told() -> None:
    pins = [Pin("a", "1.0", "a==1.0")]
    assert difference(pins, {"a": "1.0.1"}) == "a is there in 1.0.1, not in 1.0"
    assert difference([Pin("a", "2004d", "a===2004d")], {"a": "2004c"})
    assert difference(pins, {}) == "a 1.0 is not there"
    assert not difference([Pin("a", "1", "a==1 ; os_name == 'nt'")], {})


@pytest.mark.slow
@needs_uv
def test_the_real_pair_is_installed_for_real(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From PyPI, or from uv's cache: one upgrade among 31 breaks a program."""
    monkeypatch.delenv("UV_CACHE_DIR", raising=False)
    if not os.access(Path.home(), os.W_OK):
        monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path))
    upgrades = Upgrades(*read_pair(SAMPLES / "good.txt", SAMPLES / "bad.txt"))
    culprit = [each.name for each in upgrades.changes].index("werkzeug")
    environments = python_environments(upgrades, python=sys.executable)
    real = LoneSandbox()
    try:
        for kept, wanted in ((NONE, 0), (upgrades.deltas, 1), (Deltas.of([culprit]), 1)):
            given = environments.provision(upgrades.chosen(kept), real)
            argv = ["python", str(SAMPLES / "prog.py")]
            ending = real.run(RunRequest(argv, LIMITS, capture=True, env=given.env))
            assert ending.status == wanted, ending.stderr
            assert wanted == 0 or b"url_quote" in ending.stderr
    except NoNetwork as error:
        pytest.skip(str(error))
    finally:
        real.close()
