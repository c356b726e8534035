"""Whose words a config file has.

Whoever can write a file in a folder above, say in /tmp, would otherwise choose what another user's
wynot runs and where it writes.
"""

import os
import pwd
import stat
from pathlib import Path

ROOT_USER = 0


def strangers(path: Path) -> str:
    """Return who else can write a file in words; empty if only the user and the system can."""
    seen = [path.lstat(), path.stat()]
    for each in seen:
        if each.st_uid not in _mine():
            return f"belongs to {_name(each.st_uid)}, not to you"
    if seen[1].st_mode & stat.S_IWOTH:
        return "can be written by anyone"
    return ""


def strange_folder(path: Path) -> str:
    """Return whose the folder of a file is, if it is neither the user's own nor the system's."""
    owner = path.parent.stat().st_uid
    if owner in _mine():
        return ""
    return f"is in a folder that belongs to {_name(owner)}, not to you"


def _mine() -> set[int]:
    """Return the numbers of the user and the system: with sudo, also that of who called it."""
    caller = os.environ.get("SUDO_UID", "")
    also = {int(caller)} if os.geteuid() == ROOT_USER and caller.isdecimal() else set()
    return {os.geteuid(), ROOT_USER, *also}


def _name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
