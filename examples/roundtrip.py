"""Takes a Python program apart into tokens, puts it together again, and expects no change.

Python's own ``tokenize`` module promises that the result means the same; most programs come back
to the letter. `orders.txt`, a program too, does not.
"""

import ast
import io
import sys
import tokenize
from pathlib import Path


def roundtrip(text: str) -> None:
    """Raise AssertionError if the program comes back changed."""
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    assert tokenize.untokenize(tokens) == text, "it comes back changed"  # noqa: S101 - the failure


if __name__ == "__main__":
    program = Path(sys.argv[1]).read_text(encoding="utf-8")
    try:
        ast.parse(program)
    except (SyntaxError, ValueError) as error:
        sys.exit(f"this is no program: {error}")
    roundtrip(program)
