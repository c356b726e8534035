"""Whose files and folders are trusted: the user's own, and the system's."""

import os
import pwd

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
