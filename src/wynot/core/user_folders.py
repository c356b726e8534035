"""Folders that belong to the user and not to a project, as the XDG convention has them."""

import os
from pathlib import Path


def user_folder(variable: str, usual: str) -> Path:
    """Return wynot's folder in the one that a variable names; it counts only if it is absolute.

    Raise `RuntimeError` for a user without a home.
    """
    named = os.environ.get(variable, "")
    base = Path(named) if named.startswith("/") else Path.home() / usual
    return base / "wynot"
