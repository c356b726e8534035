"""How many files wynot may have open: each sandbox takes some, and there can be hundreds."""

import resource

from wynot.core.errors import TooManyOpenFiles

_EACH, _BESIDE = 2, 64
"""What a worker takes, a connection for each of its sandboxes, and what else there is."""
_usual: int | None = None


def allow(width: int) -> None:
    """Raise our own limit so that so many tests can run at a time, or say that they cannot."""
    global _usual  # noqa: PLW0603 - as the limit, it is one for the whole process
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = _EACH * width + _BESIDE
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    if hard != resource.RLIM_INFINITY and hard < needed:
        most = max((hard - _BESIDE) // _EACH, 1)
        raise TooManyOpenFiles(
            f"{width} tests at a time need {needed:,} open files, and the limit is {hard:,}",
            hint=f"-j {most}, or a higher limit: ulimit -n {needed}",
        )
    _usual = soft if _usual is None else _usual
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


def usual() -> int | None:
    """Return the limit that programs are to have, None if it is the one that we have.

    Some close every descriptor there could be when they start, others take only small ones.
    """
    return _usual
