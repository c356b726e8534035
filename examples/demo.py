"""The library at work on a real failure.

Python's own ``tokenize`` module promises that a program which is taken apart into tokens and put
together again means the same; most come back to the letter. `orders.txt` is a small program that
does not. Which part of it is to blame?
"""

import ast
import io
import sys
import tokenize
from pathlib import Path

import wynot

BOLD, DIM, RED, PLAIN = ("\033[1m", "\033[2m", "\033[31m", "\033[0m")
if not sys.stdout.isatty():
    BOLD = DIM = RED = PLAIN = ""


def comes_back_changed(pieces: list[str]) -> bool | None:
    """Tell whether a program is changed by the round trip; None if it is not a program."""
    text = "".join(pieces)
    try:
        ast.parse(text)
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        return tokenize.untokenize(tokens) != text
    except (SyntaxError, ValueError, tokenize.TokenError):
        return None


def shown(pieces: list[str]) -> str:
    """Return the text with what cannot be seen made visible, indented."""
    text = "".join(pieces).replace("\f", "␌").replace(" ", "·")
    return "".join(f"    {RED}{line}{PLAIN}\n" for line in text.splitlines())


def main() -> None:
    """Minimize by lines, then by characters; then isolate."""
    lines = Path(__file__).with_name("orders.txt").read_text().splitlines(keepends=True)
    print(f"{BOLD}{len(lines)} lines come back changed from tokenize.untokenize.{PLAIN}")
    if comes_back_changed(lines) is not True:
        sys.exit("not on this version of Python: it has been mended there")

    coarse = wynot.minimize(lines, comes_back_changed)
    print(f"\n{BOLD}minimize, by lines{PLAIN}: {len(coarse.items)} of {len(lines)} are needed")
    print(shown(coarse.items), end="")
    print(f"    {DIM}{coarse.tests} tests; 1-minimal: {coarse.minimal}{PLAIN}")

    fine = wynot.minimize("".join(coarse.items), comes_back_changed, jobs=4)
    print(f"\n{BOLD}minimize, by characters, 4 at a time{PLAIN}: {len(fine.items)} are needed")
    print(shown(fine.items), end="")
    print(f"    {DIM}{fine.tests} tests; 1-minimal: {fine.minimal}; {PLAIN}", end="")
    print(f"{DIM}{fine.extra} more were run ahead in vain{PLAIN}")

    apart = wynot.isolate([], "".join(lines), comes_back_changed)
    print(f"\n{BOLD}isolate{PLAIN}: with {apart.difference!r} it changes, without it does not")
    print(f"    {DIM}{apart.tests} tests; {len(apart.passing)} characters around it{PLAIN}")


if __name__ == "__main__":
    main()
