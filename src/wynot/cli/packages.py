"""``wynot packages``."""

from argparse import Namespace
from functools import partial

from wynot.cli.inquiring import terms_of, told
from wynot.inquiries.packages.ask import PackagesOptions, inquire


def run(arguments: Namespace) -> int:
    """Find the upgrades that broke it, and those to hold back."""
    asked = PackagesOptions(
        good=arguments.good,
        bad=arguments.bad,
        python=arguments.python,
        installer=arguments.installer,
        index_url=arguments.index_url,
        find_links=arguments.find_links,
        also=arguments.also,
        cure=arguments.cure,
        out=arguments.out,
    )
    return told(arguments, partial(inquire, asked, terms_of(arguments, jobs=1)))
