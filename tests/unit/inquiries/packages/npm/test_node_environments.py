"""Candidates installed into private node_modules by npm."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from unit.inquiries.packages.questioning import read_pair
from unit.inquiries.packages.shelves import locked, registry
from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LoneSandbox
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import NoInstaller, NoNetwork
from wynot.core.files import Files
from wynot.inquiries.packages.circumstance import Upgrades
from wynot.inquiries.packages.lock_file import Pins, Table
from wynot.inquiries.packages.npm.node_environments import (
    NodeEnvironments,
    node_environments,
    project_settings,
)
from wynot.inquiries.packages.npm.npm_lock import overrides_of, package_json, read_package_lock
from wynot.machine import landlock
from wynot.oracle.provisioner import Inapplicable, Invocation
from wynot.wire.run_request import Limits, RunRequest

SAMPLES = Path(__file__).parents[4] / "samples" / "packages-npm"
LIMITS = Limits(timeout=300)
PROGRAM = b"import core from 'core'; import tool from 'tool'; console.log(tool, core)\n"
SHELF = {
    ("core", "1.0.0"): {},
    ("core", "2.0.0"): {},
    ("tool", "1.0.0"): {"core": "^1.0.0"},
    ("tool", "2.0.0"): {"core": ">=1.0.0"},
}
needs_npm = pytest.mark.skipif(not shutil.which("npm"), reason="npm is not installed")


@pytest.fixture
def sandbox(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Sandbox]:
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    made = LoneSandbox()
    yield made
    made.close()


@pytest.fixture
def upgrades(tmp_path: Path) -> Upgrades:
    for side in ("1.0.0", "2.0.0"):
        packages = {each: needs for each, needs in SHELF.items() if each[1] == side}
        (tmp_path / f"{side}.json").write_text(locked(packages))
    return Upgrades(*read_pair(tmp_path / "1.0.0.json", tmp_path / "2.0.0.json"))


def told(sandbox: Sandbox, given: Invocation) -> bytes:
    argv = ["node", "prog.mjs"]
    ending = sandbox.run(RunRequest(argv, limits=LIMITS, capture=True, env=given.env))
    return ending.stdout or ending.stderr


@pytest.mark.slow
@needs_npm
def test_a_program_finds_the_packages_of_its_candidate(
    sandbox: Sandbox, upgrades: Upgrades
) -> None:
    with registry(SHELF) as url:
        environments = node_environments(upgrades, files=Files({"prog.mjs": PROGRAM}), registry=url)
        core, tool = (upgrades.deltas_of({name}) for name in ("core", "tool"))
        wanted = {
            NONE: b"1.0.0 1.0.0\n",
            core: b"1.0.0 2.0.0\n",  # and inside of tool, which needs it, core 1.0.0
            tool: b"2.0.0 1.0.0\n",
        }
        for kept, output in wanted.items():
            assert told(sandbox, environments.provision(upgrades.chosen(kept), sandbox)) == output
        given = environments.provision(upgrades.chosen(tool), sandbox)  # nothing to be done
        modules = sandbox.private / "node" / "node_modules"
        assert given.env["NODE_PATH"] == str(modules)
        assert str(given.env["PATH"]).startswith(f"{modules}/.bin:")
        sides = {"tool": upgrades.chosen(NONE), "core": upgrades.chosen(upgrades.deltas)}
        clash = [pin for name, side in sides.items() for pin in side if pin.name == name]
        with pytest.raises(Inapplicable, match=r"core@1\.0\.0|core@2\.0\.0"):
            environments.provision(Pins(clash), sandbox)
        shutil.rmtree(modules)
        assert (
            told(sandbox, environments.provision(upgrades.chosen(NONE), sandbox))
            == b"1.0.0 1.0.0\n"
        )


@pytest.mark.slow
@needs_npm
@pytest.mark.skipif(not landlock.version(), reason="this system has no Landlock")
def test_npm_works_when_it_is_confined(
    upgrades: Upgrades, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    sandbox = LoneSandbox()
    with registry(SHELF) as url:
        files = Files({"prog.mjs": PROGRAM})
        environments = node_environments(upgrades, files=files, registry=url, writable=())
        assert environments.writable == (str(tmp_path / "cache"),)
        for kept, output in ((NONE, b"1.0.0 1.0.0\n"), (upgrades.deltas, b"2.0.0 2.0.0\n")):
            assert told(sandbox, environments.provision(upgrades.chosen(kept), sandbox)) == output
    sandbox.close()


@pytest.mark.slow
@needs_npm
def test_the_registry_is_read_once_for_each_package(
    sandbox: Sandbox, upgrades: Upgrades, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with registry(SHELF) as url:
        environments = node_environments(upgrades, files=Files({"prog.mjs": PROGRAM}), registry=url)
        for kept in (upgrades.deltas, NONE):
            environments.provision(upgrades.chosen(kept), sandbox)
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "empty"))
    given = environments.provision(upgrades.chosen(Deltas.of([1])), sandbox)
    assert told(sandbox, given) == b"2.0.0 1.0.0\n"


@pytest.mark.slow
@needs_npm
def test_a_test_that_writes_into_a_package_does_not_change_other_candidates(
    sandbox: Sandbox, upgrades: Upgrades
) -> None:
    with registry(SHELF) as url:
        environments = node_environments(upgrades, files=Files({"prog.mjs": PROGRAM}), registry=url)
        for kept in (upgrades.deltas, NONE):
            environments.provision(upgrades.chosen(kept), sandbox)
        with (sandbox.private / "node" / "node_modules" / "core" / "main.js").open("w") as file:
            file.write("module.exports = 'mine'")
        for kept, wanted in ((NONE, b"1.0.0 1.0.0\n"), (Deltas.of([1]), b"2.0.0 1.0.0\n")):
            assert told(sandbox, environments.provision(upgrades.chosen(kept), sandbox)) == wanted


@needs_npm
def test_settings_of_a_project_name_no_program_and_no_folder(
    sandbox: Sandbox, upgrades: Upgrades, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("npm_config_cache")  # it would take precedence
    stolen, program = tmp_path / "stolen", tmp_path / "program"
    hostile = {
        **dict.fromkeys(("cache", "logs-dir", "prefix", "globalconfig"), str(stolen)),
        **dict.fromkeys(("git", "script-shell", "editor", "shell"), str(program)),
        "node-options": f"--require={program}",
        "strict-ssl": "false",
        '"git"': str(program),
    }
    lines = [f"{name} = {value}" for name, value in hostile.items()]
    harmless = ["@own:registry=https://r/", "legacy-peer-deps = true", "omit[]=optional"]
    (tmp_path / ".npmrc").write_text("\n".join(["; a comment", *lines, "[section]", *harmless]))
    assert project_settings(upgrades) == (harmless, (*hostile,))
    with registry(SHELF) as url:
        node_environments(upgrades, registry=url).provision(upgrades.chosen(NONE), sandbox)
    written = (sandbox.private / "node" / ".npmrc").read_text().splitlines()
    assert written == [*harmless, f"registry={url}"]
    assert not stolen.exists()


@needs_npm
def test_a_version_that_does_not_exist_is_inapplicable(
    sandbox: Sandbox, upgrades: Upgrades
) -> None:
    few = {each: needs for each, needs in SHELF.items() if each != ("tool", "2.0.0")}
    with registry(few) as url:
        environments = node_environments(upgrades, registry=url)
        with pytest.raises(Inapplicable, match=r"No matching version found for tool@2\.0\.0"):
            environments.provision(upgrades.chosen(upgrades.deltas), sandbox)


@needs_npm
@pytest.mark.parametrize("url", ["http://127.0.0.1:9/", "http://no-such-host.invalid/"])
def test_a_registry_that_cannot_be_reached_ends_the_run(
    sandbox: Sandbox, upgrades: Upgrades, url: str
) -> None:
    environments = node_environments(upgrades, registry=url)
    with pytest.raises(NoNetwork, match=r"ECONNREFUSED|ENOTFOUND|EAI_AGAIN") as caught:
        environments.provision(upgrades.chosen(NONE), sandbox)
    assert "npm ping" in caught.value.hint


def test_without_npm_that_is_told(upgrades: Upgrades, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(NoInstaller, match="there is no program 'npm'"):
        node_environments(upgrades)


def test_the_root_asks_for_exact_versions_places_and_aliases() -> None:
    packages = {
        "": {"dependencies": {"a": "^1", "b": "1", "c": "git"}, "optionalDependencies": {"d": "1"}},
        "node_modules/a": {"version": "1.2.3"},
        "node_modules/b": {"version": "1.0.0", "name": "real-b"},
        "node_modules/c": {"version": "1.0.0", "resolved": "git+ssh://git@h/c.git#0123"},
        "node_modules/d": {"version": "1.0.0", "optional": True},
        "node_modules/e": {"version": "5.0.0"},
    }
    top = Table({"lockfileVersion": 3, "packages": packages}, "lock")
    pins = Pins(read_package_lock(Path("lock"), top).pins.values())
    root = package_json(pins, {"a": "2", "e": "5.0.0"})
    assert root["dependencies"] == {
        "a": "1.2.3",
        "b": "npm:real-b@1.0.0",
        "c": "git+ssh://git@h/c.git#0123",
    }
    assert root["optionalDependencies"] == {"d": "1.0.0"}
    assert root["overrides"] == {"e": "5.0.0"}


def test_overrides_are_those_of_the_first_root_that_has_any() -> None:
    texts = ["{", "[]", "{}", json.dumps({"overrides": {"a": "1"}}), '{"overrides": {"b": "1"}}']
    assert overrides_of(texts) == {"a": "1"}


@pytest.mark.slow
@needs_npm
def test_the_real_pair_breaks_by_one_upgrade() -> None:
    """From the registry, or from npm's cache."""
    files = Files({"prog.js": (SAMPLES / "prog.js").read_bytes()})
    sides = [SAMPLES / side / "package-lock.json" for side in ("good", "bad")]
    upgrades = Upgrades(*read_pair(*sides))
    culprit = [each.name for each in upgrades.changes].index("uuid")
    environments: NodeEnvironments = node_environments(upgrades, files=files)
    sandbox = LoneSandbox()
    try:
        for kept, wanted in ((NONE, 0), (upgrades.deltas, 1), (Deltas.of([culprit]), 1)):
            given = environments.provision(upgrades.chosen(kept), sandbox)
            argv = ["node", "prog.js"]
            ending = sandbox.run(RunRequest(argv, limits=LIMITS, capture=True, env=given.env))
            assert ending.status == wanted, ending.stderr
    except NoNetwork as error:
        pytest.skip(str(error))
    finally:
        sandbox.close()
