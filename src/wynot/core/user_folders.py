"""Folders that belong to the user and not to a project, as the XDG convention has them."""

import os
from contextlib import suppress
from pathlib import Path

from wynot.core.errors import InvalidOption


def user_folder(variable: str, usual: str) -> Path:
    """Return wynot's folder in the one that a variable names; it counts only if it is absolute.

    Raise InvalidOption for a user without a home. A relative HOME is none: it would lead into the
    current folder, which may be a stranger's.
    """
    named = os.environ.get(variable, "")
    if named.startswith("/"):
        return Path(named) / "wynot"
    with suppress(RuntimeError):  # neither HOME nor the system names a home
        home = Path.home()
        if home.is_absolute():
            return home / usual / "wynot"
    raise InvalidOption(
        "you have no home folder", hint=f"set HOME or {variable} to an absolute path"
    )
