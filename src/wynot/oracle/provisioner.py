"""Placing: how a candidate gets to where its test finds it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeVar

from wynot.agents.sandbox import Sandbox
from wynot.core.files import Files

Subject_contra = TypeVar("Subject_contra", contravariant=True)


class Invocation(NamedTuple):
    """What a test is given, once the candidate is in place."""

    names: tuple[str, ...] = ()
    """The files or folders that the user named, where they are the candidate."""
    stdin: str | None = None
    """The one that comes in by standard input too: there can only be one, and no folder."""
    argv: tuple[str, ...] | None = None
    """The whole command, where it is part of the candidate; None: it is that of the trial."""
    env: Mapping[str, str | None] = MappingProxyType({})
    """Variables that are added to the environment, or with None taken out of it."""
    folder: Path | None = None
    """Where the test runs; None: in the sandbox's own folder."""


UNPLACED = "not run: "
"""What the words begin with that say why a candidate could not be put in place."""


class Inapplicable(Exception):
    """A candidate that cannot be put in place: a change that does not apply, packages that clash.

    Its message says why, in a few words. The verdict is *unresolved*.
    """


class Provisioner(Protocol[Subject_contra]):
    """Puts candidates in place, at any of several sandboxes at once."""

    def provision(self, subject: Subject_contra, sandbox: Sandbox) -> Invocation:
        """Put it in place; raise `Inapplicable` if that cannot be done.

        Programs that are needed for it are run by ``sandbox.run``, so that they end with the job;
        folders that stay from one candidate to the next are made in ``sandbox.private``.
        """


@dataclass(frozen=True, slots=True)
class FilesInFolder:
    """The usual way: the files are put into the sandbox's folder, and others beside them."""

    invocation: Invocation
    fixed: Files = field(default_factory=lambda: Files({}))
    """Files that are there for every test and never reduced."""

    def provision(self, subject: Files, sandbox: Sandbox) -> Invocation:
        """Make the folder hold exactly these files."""
        if self.fixed.contents:
            fixed = self.fixed
            subject = Files(
                {**fixed.contents, **subject.contents},
                {**fixed.modes, **subject.modes},
                {**fixed.links, **subject.links},
            )
        sandbox.place(subject)
        return self.invocation
