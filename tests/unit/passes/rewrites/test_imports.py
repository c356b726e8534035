from forests import outcomes
from wynot.passes.rewrites.members import imports


def test_an_import_goes_with_the_statements_that_use_it() -> None:
    text = (
        'package p\nimport (\n\t"os"\n\t"net/http"\n)\nfunc f() {\n\thttp.Get()\n\tos.Exit()\n}\n'
    )
    assert outcomes(imports, "a.go", text) == {
        "import with its uses": [
            'package p\nimport (\n\t"net/http"\n)\nfunc f() {\n\thttp.Get()\n}\n',
            'package p\nimport (\n\t"os"\n)\nfunc f() {\n\tos.Exit()\n}\n',
        ]
    }


def test_an_import_without_uses_and_other_strings_stay() -> None:
    assert outcomes(imports, "a.go", 'package p\nimport "os"\nvar s = "p"\n') == {}
