"""The store of installed packages, without an installer."""

from pathlib import Path

import pytest

from wynot.inquiries.packages.python.python_store import PythonStore, installed

SITE = Path("lib", "python3.11", "site-packages")


def install(environment: Path, name: str, version: str, *more: str) -> None:
    """Put a package into an environment as an installer does: a module, a script, a record."""
    site, info = environment / SITE, f"{name}-{version}.dist-info"
    script = f"#!{environment}/bin/python\nprint('{name}')\n"
    files = {
        f"{name}/__init__.py": f"version = '{version}'\n",
        f"{name}/deep/data.txt": f"{name} {version}",
        f"{info}/METADATA": f"Name: {name}\n",
        f"../../../bin/{name}": script,
        **dict.fromkeys(more, f"{name} {version}"),
    }
    lines = [f"{path},," for path in (*files, f"{info}/RECORD", f"{name}/__pycache__/x.pyc")]
    for path, text in {**files, f"{info}/RECORD": "\n".join(lines)}.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text)


def listed(environment: Path) -> dict[str, str]:
    files = (path for path in environment.rglob("*") if path.is_file())
    return {str(path.relative_to(environment)): path.read_text() for path in files}


@pytest.fixture
def store(tmp_path: Path) -> PythonStore:
    """A store with two versions of two packages."""
    made = PythonStore(tmp_path / "store")
    for version in ("1.0", "2.0"):
        environment = tmp_path / f"side-{version}"
        for name in ("core", "tool"):
            install(environment, name, version)
        made.take_in(environment)
    return made


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """An environment in which nothing is installed yet."""
    made = tmp_path / "environment"
    (made / "bin").mkdir(parents=True)
    (made / SITE).mkdir(parents=True)
    return made


def test_an_environment_is_changed_by_links(
    store: PythonStore, environment: Path, tmp_path: Path
) -> None:
    assert store.change(environment, {"core": "1.0", "tool": "1"})  # 1 is 1.0
    (environment / SITE / "tool" / "__pycache__").mkdir()
    (environment / SITE / "tool" / "__pycache__" / "x.pyc").write_text("compiled")
    assert store.change(environment, {"core": "2.0", "tool": "1.0"})
    assert installed(environment) == {"core": "2.0", "tool": "1.0"}
    expected = tmp_path / "expected"
    install(expected, "core", "2.0")
    install(expected, "tool", "1.0")
    moved = {
        path: text.replace(str(expected), str(environment))
        for path, text in listed(expected).items()
    }
    assert listed(environment) == {**moved, f"{SITE}/tool/__pycache__/x.pyc": "compiled"}
    linked, side = environment / SITE / "core", tmp_path / "side-2.0" / SITE / "core"
    assert (linked / "__init__.py").samefile(side / "__init__.py")
    assert store.is_intact(environment)


def test_what_is_taken_out_leaves_nothing_that_could_be_imported(
    store: PythonStore, environment: Path
) -> None:
    assert store.change(environment, {"core": "1.0", "tool": "1.0"})
    for folder in ("core", "core/deep"):
        (environment / SITE / folder / "__pycache__").mkdir()
        (environment / SITE / folder / "__pycache__" / "x.pyc").write_text("compiled")
    assert store.change(environment, {"tool": "1.0"})
    assert sorted(path.name for path in (environment / SITE).iterdir()) == [
        "tool",
        "tool-1.0.dist-info",
    ]
    assert [path.name for path in (environment / "bin").iterdir()] == ["tool"]


def test_a_version_that_is_not_here_is_left_to_the_installer(
    store: PythonStore, environment: Path
) -> None:
    assert store.change(environment, {"core": "1.0"})
    before = listed(environment)
    assert not store.change(environment, {"core": "3.0"})
    assert not store.change(environment, {"core": "2.0", "other": "1.0"})
    install(environment, "other", "1.0")
    assert not store.change(environment, {"core": "1.0"})  # what is to go is not known either
    assert before.items() <= listed(environment).items()


def test_what_a_test_has_written_to_is_neither_kept_nor_shared_again(
    store: PythonStore, environment: Path, tmp_path: Path
) -> None:
    assert store.change(environment, {"core": "1.0", "tool": "1.0"})
    with (environment / SITE / "core" / "__init__.py").open("a") as file:
        file.write("changed = True\n")
    assert not store.is_intact(environment)
    assert not store.is_intact(tmp_path / "side-1.0")
    assert store.losses == 0
    assert not store.change(environment, {"core": "2.0", "tool": "2.0"})
    assert store.losses == 1
    anew = tmp_path / "anew"
    install(anew, "core", "1.0")
    store.take_in(anew)
    (tmp_path / "last" / SITE).mkdir(parents=True)
    assert store.change(tmp_path / "last", {"core": "1.0"})
    last = tmp_path / "last" / SITE / "core" / "__init__.py"
    assert last.read_text() == "version = '1.0'\n"
    assert last.stat().st_nlink == 1


@pytest.mark.parametrize("path", ["../../../../outside.txt", "/etc/hostname"])
def test_packages_with_files_elsewhere_are_not_kept(
    store: PythonStore, environment: Path, tmp_path: Path, path: str
) -> None:
    side = tmp_path / "side"
    install(side, "odd", "1.0")
    with (side / SITE / "odd-1.0.dist-info" / "RECORD").open("a") as file:
        file.write(f"\n{path},,\n")
    store.take_in(side)
    assert not store.change(environment, {"odd": "1.0"})


def test_packages_from_a_place_are_not_kept(
    store: PythonStore, environment: Path, tmp_path: Path
) -> None:
    install(tmp_path / "side", "mine", "1.0")
    (tmp_path / "side" / SITE / "mine-1.0.dist-info" / "direct_url.json").write_text("{}")
    store.take_in(tmp_path / "side")
    assert not store.change(environment, {"mine": "1.0"})


def test_packages_that_have_a_file_in_common_are_left_to_the_installer(
    store: PythonStore, environment: Path, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        install(tmp_path / name, name, "1.0", "tests/__init__.py")
        store.take_in(tmp_path / name)
    assert store.change(environment, {"one": "1.0"})
    assert not store.change(environment, {"one": "1.0", "two": "1.0"})
    assert (environment / SITE / "tests" / "__init__.py").read_text() == "one 1.0"
    assert installed(environment) == {"one": "1.0"}
