#!/usr/bin/env python3
"""Completions for bash, zsh and fish, from what the commands say of themselves.

    completions.py SHELL OUT PROGRAM...        SHELL: bash, zsh or fish

Options, commands and the kind of each argument come from --help.  Only the choices of a few
options, which --help tells in a sentence, stand here; tests/install/drift.py compares
them with the sentences.
"""
import pathlib
import re
import sys

import command_help

SYSTEMS = "Z2 Z3 Z4 Z5 Z6 Z12 D3 D4 D5 D6 S3 S4 S5 A4 A5".split()
FORMATS = "bf16 fp16 fp32 fp64".split()
# (command, option) -> choices; a command "" is every command of ckda that has the option
CHOICES = {
    ("", "effort"): ["quick", "full", "deep"],
    ("list", "status"): ["checked", "open", "reported"],
    ("reach", "construction"): ["planar", "cube", "cube-standard", "quaternion", "householder"],
    ("run", "construction"): ["planar", "cube", "quaternion", "householder", "two-layer", "series", "small", "window",
                              "three-layer"],
    ("construct", "construction"): ["planar", "cube", "cube-standard", "quaternion", "dyadic"],
    ("compile", "construction"): ["series", "small", "window"],
    ("compile", "layers"): ["2", "3"],
    ("audit", "construction"): ["planar", "cube", "cube-standard", "quaternion", "dyadic", "householder"],
    ("audit", "arithmetic"): ["recurrent-fp32", "recurrent-bf16-state", "grid", "chunk-wy"],
    ("audit", "split"): ["FLA", "T32", "pair", "fp16", "fp16-T32", "k32", "k32-pair", "all-pair"],
    ("", "factoriser"): ["paper", "short"],
    ("factor", "kind"): ["permutation", "map", "rational", "orthogonal", "contraction"],
    ("sweep", "angles"): ["tangent", "cosine"],
    ("sweep", "figure"): ["2", "11"],
    ("sweep", "x"): ["theta", "alpha", "beta"],
    ("sweep", "y"): ["theta", "alpha", "beta"],
    ("ckda-gpu dump", "kind"): ["decay", "signed", "reflect"],
    ("ckda-gpu chunk", "part"): ["shapes", "lengths", "regimes"],
}


def listed(program, command, name):
    """The row of CHOICES, or None."""
    if program != "ckda":
        return CHOICES.get((f"{program} {command}", name))
    return CHOICES.get((command, name)) or CHOICES.get(("", name))


def choices(program, command, option):
    """What may follow --option=; None where that is no closed set."""
    if option.value and "|" in option.value:
        return option.value.split("|")
    if option.value == "F":
        return FORMATS
    return listed(program, command, option.name)


def kind_of_value(option):
    return {"FILE": "file", "DIR": "folder"}.get(option.value, "word") if option.value else None


def kind_of_argument(usage):
    if "SYSTEM" in usage:
        return "system"
    if "PATTERN" in usage or re.match(r"ID\b", usage):
        return "claim"
    return "file" if re.search(r"FILE|CERT", usage) else "none"


class Command:
    def __init__(self, program, name):
        help_ = command_help.read(program, name)
        self.name, self.options = name, help_.options()
        self.argument = kind_of_argument(help_.usage[0] if help_.usage else "")
        self.subcommands = help_.commands


class Program:
    def __init__(self, path):
        self.name = pathlib.Path(path).name
        if self.name == "ckda-recheck":  # no commands and no argp
            self.main, self.commands = None, []
            return
        self.main = Command(path, "")
        self.commands = [Command(path, name) for name, _, _ in self.main.subcommands]


def plain(text):
    """One line without characters that mean something to a shell."""
    return re.sub(r"[`'\"\\$\[\]:]", "", text.split(". ")[0]).strip()


# ---- bash ------------------------------------------------------------------------------

def bash_function(program):
    name = "_" + program.name.replace("-", "_")
    if not program.commands:
        return f'{name}()\n{{\n    COMPREPLY=($(compgen -W "--help" -f -- "$2"))\n}}\ncomplete -o filenames -F {name} {program.name}\n'
    names = " ".join(c.name for c in program.commands)
    flags = " ".join("--" + o.name for o in program.main.options)
    out = f'''{name}()
{{
    local cur=$2 command= option= i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${{COMP_WORDS[i]}} in
            -*) ;;
            *) command=${{COMP_WORDS[i]}}; break ;;
        esac
    done
    if [ -z "$command" ]; then
        COMPREPLY=($(compgen -W "{names} {flags}" -- "$cur"))
        return
    fi
    # --option=value is three words to bash, --option value two
    if [ "$cur" = "=" ]; then
        cur=
        option=${{COMP_WORDS[COMP_CWORD - 1]}}
    elif [ "${{COMP_WORDS[COMP_CWORD - 1]}}" = "=" ]; then
        option=${{COMP_WORDS[COMP_CWORD - 2]}}
    else
        option=${{COMP_WORDS[COMP_CWORD - 1]}}
    fi
    case "$command $option" in
'''
    for c in program.commands:
        for o in c.options:
            if not o.value:
                continue
            names_of = f'"{c.name} --{o.name}"' + (f' | "{c.name} -{o.short}"' if o.short else "")
            known, kind = choices(program.name, c.name, o), kind_of_value(o)
            if known:
                out += f'        {names_of}) COMPREPLY=($(compgen -W "{" ".join(known)}" -- "$cur")); return ;;\n'
            elif kind == "file":
                out += f'        {names_of}) COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames; return ;;\n'
            elif kind == "folder":
                out += f'        {names_of}) COMPREPLY=($(compgen -d -- "$cur")); compopt -o filenames; return ;;\n'
            else:
                out += f'        {names_of}) COMPREPLY=(); return ;;\n'
    out += '    esac\n    case "$command" in\n'
    for c in program.commands:
        options = " ".join("--" + o.name + ("=" if o.value else "") for o in c.options)
        out += f'        {c.name}) option="{options}"; i={c.argument} ;;\n'
    out += f'''        *) return ;;
    esac
    case "$cur" in
        -*)
            COMPREPLY=($(compgen -W "$option" -- "$cur"))
            [[ ${{COMPREPLY[0]-}} == *= ]] && compopt -o nospace
            return
            ;;
    esac
    case "$i" in
        system) COMPREPLY=($(compgen -W "{" ".join(SYSTEMS)}" -f -- "$cur")); compopt -o filenames ;;
        file) COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames ;;
        claim) COMPREPLY=($(compgen -W "$(ckda list 2>/dev/null | sed -n 's/^  [a-z]*  *\\([^ ]*\\).*/\\1/p')" -- "$cur")) ;;
    esac
}}
complete -F {name} {program.name}
'''
    return out


def bash(programs):
    return "# bash completion, made from --help\n" + "\n".join(map(bash_function, programs))


# ---- zsh -------------------------------------------------------------------------------

def zsh_option(program, command, option):
    names = [f"--{option.name}{'=' if option.value else ''}"] + ([f"-{option.short}{'+' if option.value else ''}"]
                                                                   if option.short and option.short != "?" else [])
    end = ""
    if option.value:
        known, kind = choices(program, command, option), kind_of_value(option)
        action = f"({' '.join(known)})" if known else {"file": "_files", "folder": "_files -/"}.get(kind, " ")
        end = f":{plain(option.value)}:{action}"
    many = "*" if "repeated" in option.text else ""
    return "".join(f"            '{many}{n}[{plain(option.text)}]{end}' \\\n" for n in names)


ZSH_ARGUMENT = {"system": "'1:system:_ckda_systems' '*:word: '", "file": "'*:file:_files'",
                "claim": "'*:claim:_ckda_claims'", "none": "'*: : '"}


def zsh_function(program):
    name = "_" + program.name
    if not program.commands:
        return f"{name}() {{\n    _arguments '--help[give a short usage message]' '*:certificate:_files'\n}}\n"
    out = f"{name}() {{\n    local -a commands\n    local curcontext=$curcontext state line\n    commands=(\n"
    out += "".join(f"        '{n}:{plain(t)}'\n" for n, _, t in program.main.subcommands)
    out += "    )\n    _arguments -C \\\n"
    out += "".join(f"        '--{o.name}[{plain(o.text)}]' \\\n" for o in program.main.options)
    out += "        '1:command:->command' '*::argument:->argument'\n    case $state in\n"
    out += "    command) _describe command commands ;;\n    argument)\n        case $line[1] in\n"
    for c in program.commands:
        out += f"        {c.name})\n            _arguments \\\n"
        out += "".join(zsh_option(program.name, c.name, o) for o in c.options)
        out += f"            {ZSH_ARGUMENT[c.argument]} ;;\n"
    return out + "        esac ;;\n    esac\n}\n"


def zsh(programs):
    names = " ".join(p.name for p in programs)
    out = f"#compdef {names}\n# zsh completion, made from --help\n\n"
    out += f"_ckda_systems() {{\n    compadd -- {' '.join(SYSTEMS)}\n    _files\n}}\n"
    out += ("_ckda_claims() {\n    compadd -- ${(f)\"$(ckda list 2>/dev/null | sed -n "
            "'s/^  [a-z]*  *\\([^ ]*\\).*/\\1/p')\"}\n}\n")
    out += "\n".join(map(zsh_function, programs))
    return out + "\ncase $service in\n" + "".join(f"{p.name}) _{p.name} \"$@\" ;;\n" for p in programs) + "esac\n"


# ---- fish ------------------------------------------------------------------------------

def fish_option(program, command, option):
    line = f"complete -c {program} -n '__fish_seen_subcommand_from {command}' -l {option.name}"
    if option.short and option.short != "?":
        line += f" -s {option.short}"
    known = choices(program, command, option)
    if known:
        line += f" -x -a '{' '.join(known)}'"
    elif option.value:
        line += {"file": " -r -F", "folder": " -x -a '(__fish_complete_directories)'"}.get(kind_of_value(option), " -x")
    return line + f" -d '{plain(option.text)}'\n"


FISH_ARGUMENT = {"system": f"-a '{' '.join(SYSTEMS)}'", "file": "-F",
                 "claim": "-a \"(ckda list 2>/dev/null | string match -rg '^  [a-z]+ +(\\S+)')\""}


def fish_program(program):
    if not program.commands:
        return f"complete -c {program.name} -l help -d 'Give a short usage message'\n"
    out = "".join(f"complete -c {program.name} -n __fish_use_subcommand -l {o.name} -d '{plain(o.text)}'\n"
                  for o in program.main.options)
    for name, _, text in program.main.subcommands:
        out += f"complete -c {program.name} -f -n __fish_use_subcommand -a {name} -d '{plain(text)}'\n"
    for c in program.commands:
        out += "".join(fish_option(program.name, c.name, o) for o in c.options)
        if c.argument in FISH_ARGUMENT:
            out += f"complete -c {program.name} -n '__fish_seen_subcommand_from {c.name}' {FISH_ARGUMENT[c.argument]}\n"
    return out


def fish(programs):
    return "# fish completion, made from --help\n" + "".join(map(fish_program, programs))


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ("bash", "zsh", "fish"):
        sys.exit(__doc__)
    write = {"bash": bash, "zsh": zsh, "fish": fish}[sys.argv[1]]
    pathlib.Path(sys.argv[2]).write_text(write([Program(path) for path in sys.argv[3:]]), encoding="utf-8")


if __name__ == "__main__":
    main()
