"""A stranger's repository: its config, hooks and attributes name a program wherever git takes one.

The program leaves a trace. Nothing that wynot does with the repository may run it.
"""

from pathlib import Path

from unit.inquiries.changes.repositories import Tree, git, make

HOOKS = (
    *("applypatch-msg", "commit-msg", "fsmonitor-watchman", "post-applypatch", "post-checkout"),
    *("post-commit", "post-index-change", "post-merge", "post-rewrite", "pre-auto-gc"),
    *("pre-commit", "pre-push", "pre-rebase", "prepare-commit-msg", "reference-transaction"),
    *("update", "pre-receive", "post-receive", "proc-receive", "push-to-checkout"),
)
PROGRAM_KEYS = (
    *("browser.x.cmd", "core.alternateRefsCommand", "core.askPass", "core.editor"),
    *("core.fsmonitor", "core.gitProxy", "core.pager", "core.sshCommand", "credential.helper"),
    *("diff.external", "diff.x.command", "diff.x.textconv", "difftool.x.cmd"),
    *("filter.x.clean", "filter.x.smudge", "gc.recentObjectsHook", "gpg.program"),
    *("gpg.openpgp.program", "gpg.ssh.defaultKeyCommand", "gpg.ssh.program", "gpg.x509.program"),
    *("guitool.x.cmd", "interactive.diffFilter", "man.x.cmd", "merge.x.driver"),
    *("mergetool.x.cmd", "pager.cat-file", "pager.diff-index", "pager.log", "pager.rev-list"),
    *("remote.origin.receivepack", "remote.origin.uploadpack", "sequence.editor"),
    *("tar.x.command", "trailer.x.cmd", "trailer.x.command", "uploadpack.packObjectsHook"),
)
"""Settings whose value is a program; `Clone` has one that leaves a trace in each."""
COMMANDS = (
    *("cat-file", "check-attr", "config", "diff-index", "diff-tree", "for-each-ref"),
    *("hash-object", "log", "ls-files", "merge-base", "rev-list", "rev-parse"),
)
"""What wynot calls git for: each is the name of an alias, too."""
OTHER_SETTINGS = {
    "log.showSignature": "true",
    "protocol.ext.allow": "always",
    "filter.x.required": "true",
    "diff.x.cachetextconv": "true",
}
_ATTRIBUTES = b"* filter=x diff=x merge=x\n"
_SIGNATURE = (
    b"gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQFHBAABCAAxFiEE\n -----END PGP SIGNATURE-----\n"
)


class Clone:
    """A repository with a commit for each tree, the last of them signed."""

    def __init__(self, folder: Path, *trees: Tree) -> None:
        """Make it in a new folder; the program and its trace are beside it."""
        self.folder = folder
        self.trace = folder.with_name(f"{folder.name}-trace")
        self.program = folder.with_name(f"{folder.name}-hostile")
        self.program.write_text(f'#!/bin/sh\necho "$0 $*" >>"{self.trace}"\n')
        self.program.chmod(0o755)
        make(folder, [{**tree, ".gitattributes": _ATTRIBUTES} for tree in trees])
        self._sign()
        self.commits = git(folder, "rev-list", "--reverse", "main").decode().split()
        self._configure()

    def _sign(self) -> None:
        """Give the last commit a signature, which git may be made to verify."""
        head, _, message = git(self.folder, "cat-file", "commit", "main").partition(b"\n\n")
        signed = head + b"\n" + _SIGNATURE + b"\n" + message
        made = git(self.folder, "hash-object", "-t", "commit", "-w", "--stdin", given=signed)
        git(self.folder, "update-ref", "refs/heads/main", made.decode().strip())

    def _configure(self) -> None:
        settings = dict.fromkeys(PROGRAM_KEYS, str(self.program))
        settings |= {f"alias.{name}": f"!{self.program}" for name in COMMANDS}
        settings |= {f"trace2.{name}Target": str(self.trace) for name in ("normal", "event")}
        settings |= {"submodule.x.update": f"!{self.program}"}
        settings |= {"remote.origin.url": f"ext::{self.program}"} | OTHER_SETTINGS
        settings |= {"include.path": str(self.folder / ".git" / "more")}
        with (self.folder / ".git" / "config").open("a") as config:
            config.writelines(map(_setting, settings.items()))
        included = self.folder / ".git" / "more"
        included.write_text(f'[gpg]\n\tprogram = "{self.program}"\n[log]\n\tshowSignature = true\n')
        hooks = self.folder / ".git" / "hooks"
        hooks.mkdir(exist_ok=True)
        for name in HOOKS:
            (hooks / name).unlink(missing_ok=True)
            (hooks / name).symlink_to(self.program)

    def set(self, key: str, value: str) -> None:
        """Change a setting of the repository's own config."""
        git(self.folder, "config", key, value)

    @property
    def was_run(self) -> str:
        """How the program was called, line by line."""
        return self.trace.read_text() if self.trace.exists() else ""


def _setting(item: tuple[str, str]) -> str:
    """Return the lines of a setting, whose key has a part in the middle that may have dots."""
    section, _, name = item[0].rpartition(".")
    first, _, middle = section.partition(".")
    head = f'{first} "{middle}"' if middle else first
    return f'[{head}]\n\t{name} = "{item[1]}"\n'
