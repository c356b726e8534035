"""``wynot completion``: what makes a shell complete wynot's options, made from their records."""

import sys
from collections.abc import Iterator, Sequence

from wynot.cli.exit_codes import DONE
from wynot.cli.parser import help_text
from wynot.commands.table import COMMANDS, CompletionOptions
from wynot.core.options.option import CommandOption

BASH = """\
_wynot() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    local words="" i
    for ((i = 1; i < COMP_CWORD; i++)); do
        [ "${{COMP_WORDS[i]}}" = -- ] && return  # what follows is another program's
    done
    if [ "$word" = = ]; then
        word=""
    elif [ "$before" = = ]; then
        before=${{COMP_WORDS[COMP_CWORD-2]}}
    fi
    case "${{COMP_WORDS[1]}} $before" in
{values}
    esac
    if [ -z "$words" ] && [ "$COMP_CWORD" -eq 1 ]; then
        words="{commands}"
        [[ $word == -* ]] && words="--help --version"
    elif [ -z "$words" ] && [[ $word == -* ]]; then
        case "${{COMP_WORDS[1]}}" in
{options}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -o bashdefault -F _wynot wynot
"""
ZSH = """\
autoload -U +X compinit && compinit -i
autoload -U +X bashcompinit && bashcompinit
"""
FISH_OURS = "not contains -- -- (commandline -opc)"
"""What follows is wynot's, and not another program's."""


def run(options: CompletionOptions) -> int:
    """Print the completion for a shell."""
    text = fish() if options.which == "fish" else bash()
    if options.which == "zsh":
        text = ZSH + text
    sys.stdout.write(text)
    return DONE


def bash() -> str:
    """Return a function for bash, which zsh understands too."""
    values = [
        f'        "{name} {flag}") words="{" ".join(choices)}" ;;'
        for name in COMMANDS
        for option, choices in _choices(name)
        for flag in option.flags or [name]
    ]
    options = [
        f'            {name}) words="{" ".join(["-h", "--help", *command.flags])}" ;;'
        for name, command in COMMANDS.items()
    ]
    return BASH.format(
        values="\n".join(values), commands=" ".join(COMMANDS), options="\n".join(options)
    )


def _choices(name: str) -> Iterator[tuple[CommandOption, Sequence[str]]]:
    """Return the options of a command that have certain values, and these."""
    for option in COMMANDS[name].record.options():
        if option.choices:
            yield option, option.choices
        elif name == "help" and not option.flags:
            yield option, list(COMMANDS)


def fish() -> str:
    """Return the lines for fish."""
    top = "complete -c wynot -n __fish_use_subcommand"
    lines = [f"{top} -f -a {name} -d {_quoted(each.what)}" for name, each in COMMANDS.items()]
    lines.append(f"{top} -l version -d 'show the version'")
    lines.append("complete -c wynot -s h -l help -d 'show the options'")
    for name, command in COMMANDS.items():
        for option in command.record.options():
            if option.flags:
                lines.append(_fish_line(name, option, option.flags, help_text(option)))
            if option.off:
                flag, _, help_ = option.off.partition(" ")
                lines.append(_fish_line(name, option, (flag,), help_))
        for option, choices in _choices(name):
            if not option.flags:
                lines.append(f"{_fish_for(name)} -f -a '{' '.join(choices)}'")
    return "\n".join(lines) + "\n"


def _fish_for(command: str) -> str:
    return f"complete -c wynot -n '__fish_seen_subcommand_from {command}; and {FISH_OURS}'"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _fish_line(command: str, option: CommandOption, flags: tuple[str, ...], help_: str) -> str:
    line = _fish_for(command)
    for flag in flags:
        line += f" -l {flag[2:]}" if flag.startswith("--") else f" -s {flag[1:]}"
    if option.values:
        line += " -r"
    if option.choices:
        line += f" -f -a '{' '.join(option.choices)}'"
    return f"{line} -d {_quoted(help_)}"
