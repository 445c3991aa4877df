#!/usr/bin/env python3
"""One manual page (mdoc) from what a command says of itself and what a person wrote.

    manual_page.py OUT SOURCE PROGRAM [COMMAND]        SOURCE: docs/man/NAME.mdoc, or - for none
    manual_page.py OUT SOURCE ckda-gpu all             one page for all commands of a program

Name, synopsis, options and exit codes come from --help, so they cannot differ from it.  A
SOURCE begins with its one-line description (.Nd); each .Sh section of it is added: DESCRIPTION
goes behind the paragraph of --help, the others follow.
"""
import pathlib
import re
import sys
import textwrap

import command_help

DATE = "November 30, 2026"
COMMON_EXIT = [("0", "everything asked about holds"), ("1", "refuted: a counterexample is printed"),
               ("2", "wrong usage"), ("3", "undecided: a limit was reached, and is named"),
               ("4", "bad input, or an input or output error"), ("5", "internal error")]
ORDER = ["ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES", "DIAGNOSTICS", "SEE ALSO", "STANDARDS", "BUGS"]


def escape(text):
    text = text.replace("\\", "\\e").replace("~", "\\(ti")
    text = re.sub(r"`([^`']*)'", r"\\(oq\1\\(cq", text)
    return re.sub(r"(?<![\w.])--?(?=[A-Za-z])", lambda m: "\\-" * len(m[0]), text)


def prose(text):
    """A paragraph: a new line for each sentence, none longer than 78 columns."""
    lines = []
    for sentence in re.split(r"(?<=[.?!:;])\s+(?=[A-Z(])", " ".join(text.split())):
        lines += textwrap.wrap(escape(sentence), 78, break_long_words=False, break_on_hyphens=False)
    return "".join(("\\&" if line[0] in ".'" else "") + line.rstrip() + "\n" for line in lines)


def argument(text):
    return text.replace("\\", "\\e").replace("?", "\\&?")


def item(option):
    words = [".It"]
    if option.short:
        words += ["Fl", argument(option.short), ","]
    words += ["Fl", f"-{option.name}"]
    if option.value:
        words += ["Ns", "=", "Ns", "Ar", argument(option.value)]
    return " ".join(words) + "\n" + (prose(option.text) if option.text else "")


def option_list(help_):
    out = ""
    for title, options in help_.groups:
        if title:
            out += f".Ss {escape(title)}\n"
        out += ".Bl -tag -width Ds\n" + "".join(map(item, options)) + ".El\n"
    return out


def usage_lines(name, help_, command=""):
    out = ""
    for usage in help_.usage:
        out += f".Nm {name}\n"
        if command:
            out += f".Cm {command}\n"
        out += ".Op Ar option ...\n"
        for word in re.findall(r"\[[^\]]*\]\S*|\S+", usage):
            if word.startswith("-"):
                out += f".Fl {word[1:]}\n"
            elif word.startswith("["):
                inner = word[1:].replace("]", "").replace("...", " ...")
                out += f".Op Ar {inner}\n"
            else:
                out += f".Ar {word.replace('...', ' ...')}\n"
    return out


def exit_status(help_, program):
    said = [p for p in help_.after if re.match(r"Exit code\b", p)]
    out = ".Bl -tag -width Ds\n"
    out += "".join(f".It {code}\n{text}\n" for code, text in COMMON_EXIT if program != "ckda-gpu" or code != "5")
    return out + ".El\n" + "".join(".Pp\n" + prose(p) for p in said)


def read_source(source):
    """(one-line description or None, {section: mdoc text})."""
    if source == "-" or not pathlib.Path(source).exists():
        return None, {}
    text = pathlib.Path(source).read_text(encoding="utf-8")
    head, *sections = re.split(r"^\.Sh (.*)\n", text, flags=re.M)
    about = re.search(r"^\.Nd (.*)$", head, re.M)
    return about and about[1], dict(zip(sections[::2], sections[1::2]))


def shown_argument(word):
    if word.startswith("-"):
        return f" Fl {word[1:]}"
    name = word.strip("[]").replace("]", "").replace("...", " ...")
    return f" Op Ar {name}" if word.startswith("[") else f" Ar {name}"


def command_items(help_, program):
    out = ".Bl -tag -width Ds\n"
    for name, arguments, text in help_.commands:
        shown = "".join(map(shown_argument, arguments.split()))
        out += f".It Cm {name}{shown}\n{prose(text)}"
        if program == "ckda":
            out = out.rstrip("\n") + f";\nsee\n.Xr ckda-{name} 1 .\n"
    return out + ".El\n"


def described(program, command, main):
    """The one-line description of a page that nobody wrote."""
    return next((text for name, _, text in main.commands if name == command), f"part of {program}")


def page(source, program, command):
    name = pathlib.Path(program).name
    about, sections = read_source(source)
    every = command == "all"
    command = "" if every else command
    own = command_help.read(program, command)
    title = f"{name}-{command}" if command else name
    if about is None:
        about = described(name, command, command_help.read(program, ""))
    out = f".Dd {DATE}\n.Dt {title.upper()} 1\n.Os\n.Sh NAME\n.Nm {title}\n.Nd {about}\n.Sh SYNOPSIS\n"
    out += usage_lines(f"{name} {command}".strip(), own)
    out += ".Sh DESCRIPTION\n" + "".join(map(prose, own.about))
    if own.commands:
        out += ".Pp\nThe commands are as follows:\n" + command_items(own, name)
    out += "".join(".Pp\n" + prose(p) for p in own.after if not re.match(r"Exit codes?\b", p))
    out += sections.get("DESCRIPTION", "")
    out += ".Pp\nThe options are as follows:\n" + option_list(own)
    for sub in [c[0] for c in own.commands] if every else []:
        part = command_help.read(program, sub)
        out += f".Ss {name} {sub}\n" + "".join(map(prose, part.about)) + option_list(part)
        out += "".join(".Pp\n" + prose(p) for p in part.after)
    sections["EXIT STATUS"] = exit_status(own, name) + sections.get("EXIT STATUS", "")
    if command and "SEE ALSO" not in sections:
        sections["SEE ALSO"] = ".Xr ckda 1\n"
    return out + "".join(f".Sh {s}\n{sections[s]}" for s in ORDER if s in sections)


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    text = page(sys.argv[2], sys.argv[3], sys.argv[4] if len(sys.argv) == 5 else "")
    pathlib.Path(sys.argv[1]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
