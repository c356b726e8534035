"""What large sources are made of: files that are installed, put into one.

Each function returns one text, or an empty one if what it is made of is not installed.
"""

import ast
import importlib.util
import json
import posixpath
import re
import shutil
import sysconfig
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from zipfile import ZipFile

_REQUIRE = re.compile(r"""\brequire\(\s*(['"])(.+?)\1\s*\)""")
_MODULE = re.compile(r"(?m)^(?:import|export) ")
_JAVA_IMPORT = re.compile(r"(?m)^import [^;]+;\n")
COMMON = """
var commonJS = (made, module) => function () {
  if (!module) made[Object.keys(made)[0]]((module = { exports: {} }).exports, module);
  return module.exports;
};
"""


def python_text(folder: Path, names: Iterable[str], own: str = "") -> str:
    """Return modules one after the other, without what they import from their own package."""
    paths = [folder / f"{name}.py" for name in names]
    texts = [_freestanding(path.read_text(), own) for path in paths if path.exists()]
    return re.sub(r"(?m)^if __name__ == ['\"]__main__['\"]", "if False", "\n".join(texts))


def _freestanding(text: str, own: str) -> str:
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.ImportFrom(level=level, module=module):
                is_own = level > 0 or (module or "").partition(".")[0] in {own, "__future__"}
            case ast.Import(names=names):
                is_own = all(each.name.partition(".")[0] == own for each in names)
            case _:
                continue
        if is_own:
            first, last = node.lineno - 1, node.end_lineno or node.lineno
            lines[first:last] = [" " * node.col_offset + "pass\n", *["\n"] * (last - first - 1)]
    return "".join(lines)


def standard_folder() -> Path:
    """Return where Python's own modules are."""
    return Path(sysconfig.get_path("stdlib"))


def package_folder(name: str) -> Path | None:
    """Return where an installed package of Python is."""
    found = importlib.util.find_spec(name)
    return Path(found.origin).parent if found and found.origin else None


def script_files(packages: Iterable[str]) -> dict[str, str]:
    """Return the scripts of packages that npm comes with, by path."""
    root = Path(shutil.which("npm") or "").resolve().parent.parent / "node_modules"
    files = {
        f"{package}/{path.relative_to(root / package)}": path.read_text()
        for package in packages
        for path in sorted((root / package).rglob("*.js"))
        if "node_modules" not in path.relative_to(root).parts and "esm" not in path.parts
    }
    return {
        name: text
        for name, text in files.items()
        if not text.startswith("#!") and not _MODULE.search(text)
    }


def functions_by_name(files: Mapping[str, str]) -> str:
    """Return a bundle in which each script is a function of its own, called where it is needed."""
    names = {path: "require_" + re.sub(r"\W", "_", path[:-3]) for path in files}
    scripts = (
        f"var {names[path]} = commonJS({{\n{json.dumps(path)}(exports, module) {{\n"
        f"{_resolved(path, text, names, '{}()'.format)}\n}}\n}});\n"
        for path, text in files.items()
    )
    return COMMON + "".join(scripts)


def functions_by_number(files: Mapping[str, str]) -> str:
    """Return a bundle in which scripts are functions of a list."""
    numbers = {path: str(number) for number, path in enumerate(files)}
    scripts = (
        f"(module, exports, load) => {{\n{_resolved(path, text, numbers, 'load({})'.format)}\n}}"
        for path, text in files.items()
    )
    return "const modules = [\n" + ",\n".join(scripts) + "\n];\n"


def _resolved(path: str, text: str, names: Mapping[str, str], called: Callable[[str], str]) -> str:
    """Return a script with what it requires called by its name in the bundle."""

    def replaced(found: "re.Match[str]") -> str:
        target = found[2]
        endings = ("", ".js", "/index.js")
        if target.startswith("."):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        else:
            endings = (f"/{target}.js", "/index.js", "/node.js")
        targets = (target + ending for ending in endings)
        return next((called(names[each]) for each in targets if each in names), found[0])

    return _REQUIRE.sub(replaced, text)


def java_home() -> Path | None:
    """Return a compiler of Java that has come with the sources of its library."""
    homes = (path.parent.parent for path in Path("/usr/lib/jvm").glob("*/lib/src.zip"))
    return next((home for home in sorted(homes) if (home / "bin" / "javac").exists()), None)


def java_text(home: Path, package: str, classes: Iterable[str]) -> str:
    """Return classes of one package of the library in one file, none of them public."""
    folder = f"java.base/{package.replace('.', '/')}"
    with ZipFile(home / "lib" / "src.zip") as sources:
        texts = [sources.read(f"{folder}/{name}.java").decode() for name in classes]
    imports = dict.fromkeys(
        each.replace(f" {package}.", " large.")
        for text in texts
        for each in _JAVA_IMPORT.findall(text)
        if not each.startswith(f"import {package}.")
    )
    bodies = (_JAVA_IMPORT.sub("", re.sub(r"(?m)^package .*\n", "", text)) for text in texts)
    plain = (
        re.sub(r"(?m)^public ((?:\w+ )*(?:class|enum|interface) )", r"\1", text) for text in bodies
    )
    return "package large;\n" + "".join((*imports, *plain))
