"""``wynot completion``: what makes a shell complete wynot's options, made from its parser."""

import sys
from argparse import Action, ArgumentParser, Namespace

from wynot.cli.config import commands_of
from wynot.cli.exit_codes import DONE
from wynot.cli.parser import actions, parser

BASH = """\
_wynot() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    local words=""
    case "${{COMP_WORDS[1]}} $before" in
{values}
    esac
    if [ -z "$words" ] && [ "$COMP_CWORD" -eq 1 ]; then
        words="{commands}"
    elif [ -z "$words" ] && [[ $word == -* ]]; then
        case "${{COMP_WORDS[1]}}" in
{options}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -o bashdefault -F _wynot wynot
"""


def run(arguments: Namespace) -> int:
    """Print the completion for a shell."""
    text = fish() if arguments.which == "fish" else bash()
    if arguments.which == "zsh":
        text = f"autoload -U +X bashcompinit && bashcompinit\n{text}"
    sys.stdout.write(text)
    return DONE


def bash() -> str:
    """Return a function for bash, which zsh understands too."""
    commands = commands_of(parser())
    values = [
        f'        "{name} {option}") words="{" ".join(map(str, action.choices))}" ;;'
        for name, command in commands.items()
        for action in actions(command)
        if action.choices
        for option in action.option_strings or [name]
    ]
    options = [
        f'            {name}) words="{" ".join(_options(command))}" ;;'
        for name, command in commands.items()
    ]
    return BASH.format(
        values="\n".join(values), commands=" ".join(commands), options="\n".join(options)
    )


def fish() -> str:
    """Return the lines for fish."""
    commands = commands_of(parser())
    lines = [f"complete -c wynot -n __fish_use_subcommand -a {name}" for name in commands]
    for name, command in commands.items():
        lines += [_fish_line(name, action) for action in actions(command) if _is_told(action)]
    return "\n".join(lines) + "\n"


def _fish_line(command: str, action: Action) -> str:
    line = f"complete -c wynot -n '__fish_seen_subcommand_from {command}'"
    for option in action.option_strings:
        line += f" -l {option[2:]}" if option.startswith("--") else f" -s {option[1:]}"
    if action.nargs != 0:
        line += " -r"
    if action.choices:
        line += f" -f -a '{' '.join(map(str, action.choices))}'"
    told = (action.help or "").replace("'", "\\'")
    return f"{line} -d '{told}'"


def _options(of: ArgumentParser) -> list[str]:
    return [option for action in actions(of) for option in action.option_strings]


def _is_told(action: Action) -> bool:
    return bool(action.option_strings) and action.dest != "help"
