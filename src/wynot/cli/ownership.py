"""Whose words a config file has.

Whoever can write a file in a folder above, say in /tmp, would otherwise choose what another user's
wynot runs and where it writes.
"""

import stat
from pathlib import Path

from wynot.core.trusted_users import trusted_users, user_name


def strangers(path: Path) -> str:
    """Return who else can write a file in words; empty if only the user and the system can."""
    seen = [path.lstat(), path.stat()]
    for each in seen:
        if each.st_uid not in trusted_users():
            return f"belongs to {user_name(each.st_uid)}, not to you"
    if seen[1].st_mode & stat.S_IWOTH:
        return "can be written by anyone"
    return ""


def strange_folder(path: Path) -> str:
    """Return whose the folder of a file is, if it is neither the user's own nor the system's."""
    owner = path.parent.stat().st_uid
    if owner in trusted_users():
        return ""
    return f"is in a folder that belongs to {user_name(owner)}, not to you"
