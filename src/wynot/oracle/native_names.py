"""The names of functions, as debuggers and runtimes write them.

Parameters, templates, places and numbers that a compiler gave differ from one build to the next.
"""

import re

from wynot.oracle.wording import LONGEST_LINE


def function(text: str) -> str:
    """Return the bare name of a function of C, C++ or Rust: no parameters, no templates, no place.

    Returns the empty string for what has no name: an address, a library.
    """
    text = text.strip()[:LONGEST_LINE].replace("(anonymous namespace)", "anonymous")
    text = re.sub(r"\boperator (new|delete)\b", r"operator_\1", text)
    if text.startswith("<"):
        # Rust: <Vec<T> as Index<I>>::index is the index of Vec.
        end = _closing(text)
        text = text[1:end].split(" as ")[0] + text[end + 1 :] if text[end + 1 :] else ""
    bare = _without_arguments(text)
    words = [word for word in bare.split() if not re.search(r"/|:\d+$|^<|^\?\?", word)]
    if not words:
        return ""
    # A template function is shown with the type that it returns in front.
    name = words[-1] if bare != text else words[0]
    name = re.sub(r"::h[0-9a-f]{16}$|\+0x[0-9a-f]+$", "", name)
    name = re.sub(r"\.(?:isra|constprop|part|cold|lto_priv|llvm)\b.*", "", name)
    name = re.sub(r"(?:::){2,}", "::", name).strip(":*&,")
    return unnumbered(name.replace("operator_", "operator "))


def unnumbered(name: str) -> str:
    """Return a name without the number that a compiler gave to it, or the address of a lambda."""
    name = re.sub(r"/0x[0-9a-f]+$", "", name)
    return re.sub(r"(?<=[#$])\d+|(?<=\.func)\d+(?:\.\d+)*|(?<=\$_)\d+|@v?[\d.]+(?=/)", "", name)


def _closing(text: str) -> int:
    """Return where the angle bracket closes that a text begins with, or its end."""
    depth = 0
    for at, character in enumerate(text):
        if character == "<":
            depth += 1
        elif character == ">" and text[at - 1] != "-":
            depth -= 1
            if not depth:
                return at
    return len(text)


def _without_arguments(text: str) -> str:
    """Return what is before the parameters, without anything between angle brackets."""
    kept: list[str] = []
    depth = 0
    for at, character in enumerate(text):
        operator = not depth and text.endswith(("operator", "operator<", "operator>"), 0, at)
        if operator and character in "<>(":
            kept.append(character)
        elif character == "<":
            depth += 1
        elif character == ">" and depth:
            depth -= text[at - 1] != "-"
        elif not depth:
            if character == "(":
                break
            kept.append(character)
    return "".join(kept)
