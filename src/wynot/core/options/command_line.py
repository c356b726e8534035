"""The command line that recorded options come from."""

from collections.abc import Iterator, Mapping

from wynot.core.options.option import OptionRecord


def command_line(options: Mapping[str, object], name: str, record: type[OptionRecord]) -> list[str]:
    """Return the arguments of a command; of strange options, as far as they can be made out."""
    argv = ["wynot", name, *_flags(options, record)]
    if (test := options.get("test")) and isinstance(test, str):
        argv.append(test)
    for each in record.options():
        if not each.flags:
            argv += _strings(options.get(each.name))
    if recorded := _strings(options.get("command")):
        argv += ["--", *recorded]
    return argv


def _flags(options: Mapping[str, object], record: type[OptionRecord]) -> Iterator[str]:
    for each in record.options():
        value = options.get(each.name)
        value = list(value) if isinstance(value, tuple) else value
        usual = list(each.default) if isinstance(each.default, tuple) else each.default
        if not each.flags or value is None or value == usual:
            continue
        if each.is_flag:
            yield each.spellings[-1 if value is False else len(each.flags) - 1]
        else:
            for one in value if isinstance(value, list) and each.is_many else [value]:
                yield each.flags[-1]
                yield ",".join(map(str, one)) if isinstance(one, list) else str(one)


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value] if value else []
    many = value if isinstance(value, list | tuple) else ()
    return [each for each in many if isinstance(each, str)]
