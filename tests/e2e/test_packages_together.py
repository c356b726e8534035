"""Packages that go together, and trees of npm: real installers, and packages made here."""

import json
import shutil
from pathlib import Path

import pytest

from e2e.programs import Ran, wynot
from unit.inquiries.packages.shelves import registry, wheel

NO_INDEX = "--no-index\n--find-links shelf\n"
needs_npm = pytest.mark.skipif(not shutil.which("npm"), reason="npm is not installed")


def asked(folder: Path, *command: str, lock: str = "{}.txt", options: tuple[str, ...] = ()) -> Ran:
    sides = ("--good", lock.format("good"), "--bad", lock.format("bad"))
    ran = wynot(folder, "packages", "--json", *sides, *options, "--", *command)
    assert ran.code == 0, ran
    return ran


def answers(ran: Ran) -> dict[str, list[str]]:
    answered = [event for event in ran.events if event["event"] == "answered"]
    assert all(event["minimal"] == "packages" for event in answered)
    return {event["question"]: event["data"]["packages"] for event in answered}


def refusals(ran: Ran) -> int:
    return sum(count for _, count in ran.events[-1]["refused"])


@pytest.mark.slow
def test_the_installer_says_who_goes_with_whom(tmp_path: Path) -> None:
    """What ties them to each other is in no file: the index has it in two versions."""
    shelf = tmp_path / "shelf"
    for version, need in (("1", "io<2"), ("2", "io>=2")):
        wheel(shelf, "io", version)
        wheel(shelf, "web", version, need)
        wheel(shelf, "api", version, need, code="" if version == "1" else "raise KeyError(version)")
        for at in range(4):
            wheel(shelf, f"x{at}", version)
        names = ("x0", "web", "x1", "x2", "api", "x3")
        side = "good" if version == "1" else "bad"
        lines = [f"{name}=={version}\n" for name in names]
        (tmp_path / f"{side}.txt").write_text(NO_INDEX + "".join(lines))
    command = ("python", "-c", "import api")
    ran = asked(tmp_path, *command, options=("--log", "log"))
    both = ["web 1 → 2", "api 1 → 2"]
    assert answers(ran) == {"cause": both, "cure": both}
    assert 1 <= refusals(ran) <= 3
    assert ran.events[-1]["tests"] <= 10
    again = asked(tmp_path, *command, options=("--replay", "log", "--fresh"))
    assert answers(again) == answers(ran)


@pytest.mark.slow
def test_a_family_of_nine_among_49(tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    circle = [f"otel{at}" for at in range(9)]
    for version, side in (("1", "good"), ("2", "bad")):
        for name, other in zip(circle, circle[1:] + circle[:1], strict=True):
            code = "raise KeyError(version)\n" if (name, version) == ("otel4", "2") else ""
            wheel(shelf, name, version, f"{other}=={version}", code=code)
        others = [f"x{at}" for at in range(40)]
        for name in others:
            wheel(shelf, name, version)
        names = [*others[:20], *circle[:5], *others[20:], *circle[5:]]
        (tmp_path / f"{side}.txt").write_text(
            NO_INDEX + "".join(f"{name}=={version}\n" for name in names)
        )
    ran = asked(tmp_path, "python", "-c", "import otel4")
    family = [f"{name} 1 → 2" for name in circle]
    assert {each: sorted(lines) for each, lines in answers(ran).items()} == {
        "cause": family,
        "cure": family,
    }
    assert (refusals(ran), ran.events[-1]["tests"] <= 14) == (0, True)


@needs_npm
@pytest.mark.slow
def test_one_of_46_of_npm_that_others_still_need_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    shelf: dict[tuple[str, str], dict[str, str]] = {
        ("js-yaml", "3.0.0"): {},
        ("js-yaml", "4.0.0"): {},
    }
    for major, side in ((1, "good"), (2, "bad")):
        top = f"{major + 2}.0.0"
        places: dict[str, object] = {"node_modules/js-yaml": {"version": top}}
        root = {"js-yaml": top}
        for number in range(9):
            name, version = f"tool{number}", f"{major}.{number}.0"
            inner = {f"{name}-{part}": f"^{version}" for part in range(4)}
            needs = {**inner, **({"js-yaml": "^3.0.0"} if number % 2 else {})}
            shelf |= {(each, version): {} for each in inner}
            shelf[name, version] = needs
            root[name] = version
            places |= {f"node_modules/{each}": {"version": version} for each in inner}
            places[f"node_modules/{name}"] = {"version": version, "dependencies": needs}
            if number % 2 and major > 1:
                places[f"node_modules/{name}/node_modules/js-yaml"] = {"version": "3.0.0"}
        lock = {"lockfileVersion": 3, "packages": {"": {"dependencies": root}, **places}}
        (folder / side).mkdir(parents=True)
        (folder / side / "package-lock.json").write_text(json.dumps(lock))
    (folder / "prog.js").write_text(
        "if (require('js-yaml') > '4') throw new Error('safeLoad is removed')\n"
    )
    with registry(shelf) as url:
        ran = asked(
            folder, "node", "prog.js", lock="{}/package-lock.json", options=("--index-url", url)
        )
    one = ["js-yaml 3.0.0 → 4.0.0"]
    assert answers(ran) == {"cause": one, "cure": one}
    assert (refusals(ran), ran.events[-1]["tests"] <= 14) == (0, True)
