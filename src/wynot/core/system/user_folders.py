"""Folders of the user, whose files are trusted, and what of an address is not shown."""

import os
import pwd
import re
from contextlib import suppress
from pathlib import Path

from wynot.core.errors import InvalidOption

ROOT_USER = 0


def trusted_users() -> set[int]:
    """Return the numbers of the user and the system: with sudo, also that of who called it."""
    caller = os.environ.get("SUDO_UID", "")
    also = {int(caller)} if os.geteuid() == ROOT_USER and caller.isdecimal() else set()
    return {os.geteuid(), ROOT_USER, *also}


def user_name(number: int) -> str:
    """Return what a user is called."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


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


_SECRET = re.compile(r"(?<=://)[^/\s]*@")


def masked(text: str) -> str:
    """Return a text without the user names and passwords of URLs."""
    return _SECRET.sub("***@", text)
