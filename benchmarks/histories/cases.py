"""Ten real changes of behaviour, and what the histories around them are like."""

from typing import NamedTuple


class Case(NamedTuple):
    """A package, a few of its releases, and a program that one of them broke."""

    package: str
    releases: str
    paths: str
    """What of a release is in the history."""
    program: str
    """Python that sets ``result``."""
    good: str
    """The result before; a string, or the name of an exception."""
    bad: str
    """The result after."""
    marks: tuple[tuple[str, bytes], ...]
    """Which hunks do it: the path of a file, and an expression for what they take out or put in.
    If there are two marks, both are needed."""
    commits: int
    """About how many commits to make."""
    sides: int = 0
    """How many side branches."""
    guilty: str = "main"
    """Where the guilty change is: on the ``main`` line, on a ``side`` branch, in a ``merge`` that
    brings it along by itself, in one that brings two changes ``together``, or in the commit that
    also gives its files other names: ``move``."""
    hunks: int = 6
    """So many hunks at least are in the guilty commit."""
    breaks: int = 0
    """How often to leave the package so that it cannot be imported, for a few commits."""
    says_unbuilt: bool = True
    """Whether the test exits with 125 then. If not, it fails in some other way."""
    seed: int = 1


CASES = {
    "attrs": Case(
        "attrs",
        "20.1.0 20.2.0 20.3.0 21.1.0 21.2.0 21.3.0 21.4.0 22.1.0 22.2.0 23.1.0 23.2.0 24.1.0"
        " 24.2.0 25.1.0",
        "src/ docs/ CHANGELOG conftest.py",
        "import attr\n"
        "Pair = attr.make_class('Pair', ['x', 'y'])\n"
        "result = repr(attr.evolve(inst=Pair(1, 2), x=3))",
        "Pair(x=3, y=2)",
        "TypeError",
        (("src/attr/_funcs.py", rb"\(inst,\) = args|        raise TypeError\(msg\) from None"),),
        commits=180,
        sides=8,
        guilty="side",
    ),
    "click": Case(
        "click",
        "7.0 7.1 7.1.1 7.1.2 8.0.0 8.0.1 8.0.2 8.0.3 8.0.4",
        "click/ src/ docs/ CHANGES.rst setup.",
        "import click\nfrom click.testing import CliRunner\n"
        "@click.command()\n@click.option('--n', type=click.Choice(['a', 'b']))\n"
        "def command(n): pass\n"
        "result = CliRunner().invoke(command, ['--n', 'c']).output[-34:]",
        "invalid choice: c. (choose from a, b)\n"[-34:],
        "--n': 'c' is not one of 'a', 'b'.\n"[-34:],
        (("src/click/types.py", b"is not one of"),),
        commits=140,
        sides=4,
    ),
    "django": Case(
        "django",
        "4.1 4.1.4 4.1.7 4.2 4.2.3 4.2.7 5.0 5.0.1 5.0.4 5.0.7 5.1",
        "django/",
        "from django.utils.timezone import utc\nresult = str(utc)",
        "UTC",
        "ImportError",
        (("django/utils/timezone.py", b""),),
        commits=340,
        sides=12,
        guilty="side",
    ),
    "jinja2": Case(
        "jinja2",
        "3.0.0 3.0.1 3.0.2 3.0.3 3.1.0 3.1.1 3.1.2 3.1.3 3.1.4",
        "src/ docs/ CHANGES.rst",
        "import jinja2\nresult = repr(jinja2.Markup('x'))",
        "Markup('x')",
        "AttributeError",
        (("src/jinja2/__init__.py", b"import Markup"),),
        commits=90,
        sides=4,
        guilty="merge",
    ),
    "markdown": Case(
        "markdown",
        "3.2.2 3.3 3.3.1 3.3.2 3.3.3 3.3.4 3.3.6 3.3.7 3.4.1 3.4.3 3.4.4 3.5",
        "markdown/ docs/ tests/test_syntax",
        "import markdown\nfrom markdown import util\n"
        "old = hasattr(util, 'isBlockLevel') or hasattr(util.Processor, 'markdown')\n"
        "result = 'old' if old else 'new'",
        "old",
        "new",
        (
            ("markdown/util.py", b"def isBlockLevel"),
            ("markdown/util.py", rb"def markdown\(self\)"),
        ),
        commits=160,
        sides=6,
        guilty="together",
        hunks=1,
    ),
    "pyparsing": Case(
        "pyparsing",
        "3.0.0 3.0.1 3.0.2 3.0.3 3.0.4 3.0.5 3.0.6 3.0.7 3.0.8 3.0.9 3.1.0 3.1.1",
        "pyparsing/ examples/ CHANGES",
        "import pyparsing\n"
        "try:\n    pyparsing.Combine(pyparsing.Word('a') + '.').parse_string('a .')\n"
        "except pyparsing.ParseException as error:\n    result = str(error)[:8]",
        "Expected",
        ", found ",
        (("pyparsing/core.py", b"pbe.msg = self.errmsg"),),
        commits=150,
        sides=4,
        hunks=24,
    ),
    "requests": Case(
        "requests",
        "2.27.0 2.27.1 2.28.0 2.28.1 2.28.2 2.29.0 2.30.0 2.31.0 2.32.0 2.32.1 2.32.2 2.32.3",
        "requests/ src/ tests/ HISTORY.md setup.",
        "import requests\n"
        "request = requests.Request('POST', 'http://a/', data='\\xe9').prepare()\n"
        "result = request.headers['Content-Length']",
        "1",
        "2",
        (("requests/utils.py", rb'o = o\.encode\("utf-8"\)'),),
        commits=110,
        sides=3,
        guilty="move",
    ),
    "sqlparse": Case(
        "sqlparse",
        "0.3.0 0.3.1 0.4.0 0.4.1 0.4.2 0.4.3 0.4.4 0.5.0 0.5.1 0.5.2 0.5.3",
        "sqlparse/ tests/ docs/ CHANGELOG",
        "import sqlparse\nresult = type(sqlparse.parse('a regexp b')[0].tokens[0]).__name__",
        "Identifier",
        "Comparison",
        (("sqlparse/keywords.py", b"REGEXP"),),
        commits=100,
        sides=6,
        guilty="side",
    ),
    "tomlkit": Case(
        "tomlkit",
        "0.7.0 0.7.2 0.8.0 0.9.0 0.9.1 0.9.2 0.10.0 0.11.0 0.11.1 0.11.4 0.11.6 0.11.8 0.12.0"
        " 0.12.1 0.12.3 0.12.5 0.13.0",
        "tomlkit/ README.md",
        "import tomlkit\nresult = tomlkit.dumps({'a': {'b': 1}, 'c': 1})",
        "c = 1\n\n[a]\nb = 1\n",
        "c = 1\n[a]\nb = 1\n",
        (("tomlkit/items.py", rb"key=lambda i: \(isinstance\(i\[1\], dict\), i\[0\]"),),
        commits=120,
        breaks=8,
    ),
    "werkzeug": Case(
        "werkzeug",
        "2.0.0 2.0.1 2.0.2 2.0.3 2.1.0 2.1.1 2.1.2 2.2.0 2.2.1 2.2.2 2.2.3 2.3.0 2.3.1 2.3.3"
        " 2.3.6 2.3.7 3.0.0 3.0.1",
        "src/ docs/ CHANGES.rst",
        "from werkzeug.security import generate_password_hash\n"
        "result = generate_password_hash('secret')[:6]",
        "pbkdf2",
        "scrypt",
        (("src/werkzeug/security.py", b'method: str = "scrypt"'),),
        commits=220,
        sides=4,
        breaks=8,
        says_unbuilt=False,
    ),
}
