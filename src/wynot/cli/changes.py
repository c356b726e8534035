"""``wynot changes``."""

from argparse import Namespace
from functools import partial

from wynot.cli.inquiring import terms_of, told
from wynot.inquiries.changes.ask import ChangesOptions, inquire


def run(arguments: Namespace) -> int:
    """Find the changes that make it fail, and the smallest revert that makes it pass."""
    asked = ChangesOptions(
        good=arguments.good,
        bad=arguments.bad,
        repo=arguments.repo,
        staged=arguments.staged,
        worktree=arguments.worktree,
        patch=arguments.patch,
        folders=arguments.arguments,
        atoms=arguments.atoms,
        clean=arguments.clean,
        cure=arguments.cure,
        out=arguments.out,
    )
    return told(arguments, partial(inquire, asked, terms_of(arguments)))
