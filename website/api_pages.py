"""Every public name, as its signature and docstrings have it.

What the reference says of the library is written by hand: what there is, and how it hangs together.
This is the other half, for looking up one name; it is made when the site is built, so that it
cannot be out of date.
"""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from enum import Enum
from types import FunctionType, ModuleType
from typing import cast

PARAMETER_STARS: dict[object, str] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}
WIDE_SIGNATURE = 88
"""Characters from which on each parameter has a line of its own."""
Function = Callable[..., object]


def api_page(title: str, lead: str, module: ModuleType) -> str:
    """Return a page of all public names of a module."""
    names = sorted(module.__all__, key=lambda name: (_rank(getattr(module, name)), name))
    entries = [_entry(name, getattr(module, name)) for name in names]
    return "\n".join([f"# {title}", "", lead, "", *entries])


def _rank(thing: object) -> int:
    """Functions first, then what they return, then what they raise."""
    if inspect.isclass(thing):
        return 2 if issubclass(thing, BaseException) else 1
    return 0 if inspect.isfunction(thing) else 1


def _entry(name: str, thing: object) -> str:
    lines = [f"## {name}", ""]
    if inspect.isfunction(thing):
        lines += [fenced(signature(name, thing)), *prose(inspect.getdoc(thing) or "")]
    elif inspect.isclass(thing):
        bases = [base.__name__ for base in thing.__bases__ if base not in {object, tuple}]
        of = f"({', '.join(bases)})" if bases else ""
        lines += [fenced(f"class {name}{of}"), *prose(vars(thing).get("__doc__") or "")]
        if issubclass(thing, Enum):
            lines += [f"- `{name}.{each.name}`" for each in thing] + [""]
        lines += [*_fields(thing), *_methods(thing)]
    else:
        kinds = re.findall(r"\.(\w+)\b(?= \||$)", str(thing))
        lines += ["One of: " + ", ".join(f"`{kind}`" for kind in kinds) + ".", ""]
    return "\n".join(lines)


def signature(name: str, function: Function) -> str:
    """Return a signature with its annotations as they are written, and its defaults as they are."""
    node = _source(function)
    assert isinstance(node, ast.FunctionDef)
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    given += [each for each in (node.args.vararg, node.args.kwarg) if each]
    written = {each.arg: ast.unparse(each.annotation) for each in given if each.annotation}
    shown: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        if written.get(parameter.name) == "Never":  # there only to name what is unknown
            continue
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in shown:
            shown.append("*")
        shown.append(_parameter(parameter, written.get(parameter.name, "")))
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    short = f"{name}({', '.join(shown)}){returned}"
    if len(short) <= WIDE_SIGNATURE:
        return short
    return f"{name}(\n" + "".join(f"    {each},\n" for each in shown) + f"){returned}"


def _parameter(parameter: inspect.Parameter, annotation: str) -> str:
    text = PARAMETER_STARS.get(parameter.kind, "") + parameter.name
    text += f": {annotation}" if annotation else ""
    if parameter.default is inspect.Parameter.empty:
        return text
    usual: object = parameter.default
    shown = usual.__name__ if isinstance(usual, FunctionType) else repr(usual)
    return f"{text} = {shown}" if annotation else f"{text}={shown}"


def _source(thing: object) -> ast.stmt:
    """Return the definition of a class or a function, as it is written."""
    source = inspect.getsource(cast("Function", thing))
    return ast.parse(inspect.cleandoc(f"\n{source}")).body[0]


def _fields(thing: type) -> Iterator[str]:
    """Yield the rows of the fields of a class, with what stands under each; inherited ones too."""
    rows: dict[str, tuple[str, str]] = {}
    for home in reversed(thing.__mro__):
        if home.__module__.startswith("wynot."):
            rows |= _own_fields(home)
    if rows:
        yield from ("| field | type | |", "| --- | --- | --- |")
        for name, (kind, said) in rows.items():
            shown = kind.replace("|", "\\|")
            yield f"| `{name}` | `{shown}` | {said} |"
        yield ""


def _own_fields(thing: type) -> dict[str, tuple[str, str]]:
    node = _source(thing)
    assert isinstance(node, ast.ClassDef)
    found = {}
    for number, each in enumerate(node.body):
        if not isinstance(each, ast.AnnAssign) or not isinstance(each.target, ast.Name):
            continue
        if each.target.id.startswith("_"):
            continue
        after = node.body[number + 1] if number + 1 < len(node.body) else None
        said = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            said = " ".join(str(after.value.value).split())
        found[each.target.id] = (ast.unparse(each.annotation), _ticked(said))
    return found


def _methods(thing: type) -> Iterator[str]:
    """Yield what a class can do, and what it is asked for."""
    for name in dir(thing):
        found = inspect.getattr_static(thing, name)
        if name.startswith("_") or not _is_ours(thing, name):
            continue
        if isinstance(found, property):
            yield from (f"**`{name}`**: {_ticked(_first(found.__doc__))}", "")
        elif isinstance(found, classmethod | staticmethod) or inspect.isfunction(found):
            function = found if inspect.isfunction(found) else found.__func__
            shown = signature(name, function).replace("\n", " ")
            yield from (f"**`{shown}`**: {_ticked(_first(function.__doc__))}", "")


def _is_ours(thing: type, name: str) -> bool:
    """Tell whether it is written here, and not what Python gives to every class of this kind."""
    home = next(each for each in thing.__mro__ if name in vars(each))
    if not home.__module__.startswith("wynot."):
        return False
    body = cast("ast.ClassDef", _source(home)).body
    return any(isinstance(each, ast.FunctionDef) and each.name == name for each in body)


def _first(docstring: str | None) -> str:
    """Return the first paragraph of a docstring, as one line."""
    return " ".join((docstring or "").strip().split("\n\n")[0].split())


def prose(docstring: str) -> Iterator[str]:
    """Yield the paragraphs of a docstring; what has columns stays as it is."""
    for paragraph in inspect.cleandoc(docstring).split("\n\n"):
        if re.search(r"^(\S.*)? {2,}\S", paragraph, re.MULTILINE):
            yield fenced(paragraph.replace("``", ""), "text")
        else:
            yield from (_ticked(paragraph), "")


def _ticked(text: str) -> str:
    """Return a text of a docstring as Markdown."""
    return text.replace("``", "`").replace("|", "\\|")


def fenced(text: str, language: str = "python") -> str:
    """Return a block of code."""
    return f"```{language}\n{text}\n```\n"
