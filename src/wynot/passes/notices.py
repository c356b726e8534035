"""What a person should know of files before and after: what is damaged, what are plain bytes."""

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from wynot.core.events import Noticed
from wynot.core.files import Files, is_text
from wynot.formats.containers.opened import Opened, canonical, why_closed
from wynot.passes.binary_passes import ALWAYS_TRIED_CHUNKS
from wynot.passes.containers import containers_in

MAX_NOTICES = 5
"""Notices of a kind that are given one by one."""


def before(files: Files) -> Iterator[Noticed]:
    """What in the files cannot be unpacked, and why."""
    containers = containers_in(files)
    damaged = [each for path in containers for each in _damage(path, containers[path])]
    yield from (Noticed("damaged", each) for each in _few(damaged))
    opaque = [
        f"{path} is treated as plain bytes: "
        + (why_closed(content) or "it is neither text nor a container that wynot knows")
        for path, content in files.contents.items()
        if path not in containers and not is_text(content) and canonical(content) is None
    ]
    yield from (Noticed("bytes", each) for each in _few(opaque))


def after(files: Files) -> Iterator[Noticed]:
    """Say which files are too large for each of their bytes to be tried, if none of them was."""
    containers = containers_in(files)
    opaque = {
        path: len(content)
        for path, content in files.contents.items()
        if path not in containers and not is_text(content)
    }
    closed = [path for path in opaque if canonical(files.contents[path]) is not None]
    for name in _few(closed):
        yield Noticed(
            "bytes", f"{name} was treated as plain bytes: laid out anew, it does not fail"
        )
    sections = [path for path in containers if canonical(files.contents[path]) is not None]
    for name in _few(sections):
        yield Noticed(
            "bytes", f"{name} was reduced by its sections: laid out anew, it does not fail"
        )
    if sum(opaque.values()) > ALWAYS_TRIED_CHUNKS:
        names = ", ".join(_few(list(opaque)))
        chunks = f"almost no chunk of {names} could be left out"
        yield Noticed("bytes", f"{chunks}, so single bytes were not tried; --atoms bytes does that")


def _damage(name: str, container: Opened) -> Iterator[str]:
    """Say what is wrong with a container, and with those in it."""
    if container.packed.damage:
        yield (f"{name}: {container.packed.damage}; that stays so, and what can be read is reduced")
    for number, member in enumerate(container.packed.members):
        if member.damage:
            shown = member.name or f"{number + 1}"
            yield (
                f"{name}: member {shown} cannot be unpacked ({member.damage}): "
                "its bytes are kept as they are"
            )
        elif number in container.inner:
            inner = member.name or PurePosixPath(name.rpartition("!")[2]).stem
            yield from _damage(f"{name}!{inner}", container.inner[number])


def _few(notices: Sequence[str]) -> list[str]:
    more = [f"{len(notices) - MAX_NOTICES:,} more like these"] if len(notices) > MAX_NOTICES else []
    return [*notices[:MAX_NOTICES], *more]
