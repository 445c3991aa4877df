"""What a command says of itself: `PROGRAM COMMAND --help` as data.

The help texts are the one place where options are written down; manual pages and
completions are made from them.  import command_help; not a program.
"""
import os
import re
import subprocess

# No line breaks inside an option's text.
UNBROKEN = {"ARGP_HELP_FMT": "rmargin=10000", "LC_ALL": "C"}


class Option:
    def __init__(self, short, name, value, text):
        self.short, self.name, self.value, self.text = short, name, value, text


class Help:
    """usage: argument texts; about: paragraphs before the options; groups: (title, options);
    after: paragraphs after them; commands: (name, arguments, text) of a program of commands."""

    def __init__(self):
        self.usage, self.about, self.groups, self.after, self.commands = [], [], [], [], []

    def options(self):
        return [option for _, options in self.groups for option in options]


def text_of(program, command):
    words = [program] + ([command] if command else []) + ["--help"]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, env=dict(os.environ, **UNBROKEN), check=True)
    return done.stdout


def read_option(line):
    """An Option, or None for a line that is none.  "-c, --construction=NAME    text"."""
    m = re.match(r"^ {2,6}(?:-(\S), )?--([a-z][a-z0-9-]*)(=.*?)?(?:   *(.*))?$", line)
    if m:
        value = m[3][1:] if m[3] else None
        return Option(m[1], m[2], value, m[4] or "")
    return None


def is_start_of_after(line, seen_options):
    return seen_options and line != "" and not line.startswith(" ")


def parse(text):
    """A Help.  argp writes usage, about, groups of options (a line " Title:" before some, an empty
    line between them) and what follows them; `title` is the next group's, None inside one."""
    h, title, seen, after = Help(), "", False, False
    lines = text.splitlines()
    i = 0
    while i < len(lines):
        line = lines[i]
        usage = re.match(r"(?:Usage:|  or: ) (\S+(?: [a-z]\S*)?)(?: \[OPTION\.\.\.\])? ?(.*)", line)
        option = read_option(line)
        if usage and not seen:
            h.usage.append(usage[2].strip())
        elif option and not after:
            if not seen or title is not None:
                h.groups.append((title or "", []))
                title = None
            seen = True
            if option.text == "" and i + 1 < len(lines) and lines[i + 1].startswith(" " * 20):
                i += 1
                option.text = lines[i].strip()
            h.groups[-1][1].append(option)
        elif re.match(r"^ \S.*:$", line) and not after:
            title = line.strip()[:-1]
            seen = True
        elif line == "" and seen and not after and title is None:
            title = ""
        elif is_start_of_after(line, seen):
            after = True
            h.after.append(line)
        elif after and re.match(r"^  [a-z]", line):
            m = re.match(r"^  ([a-z]+)((?: \S+)*?)  +(\S.*)$", line)
            if m:
                h.commands.append((m[1], m[2].strip(), m[3]))
        elif after and line:
            h.after.append(line)
        elif line and not seen:
            h.about.append(line)
        i += 1
    h.after = [p for p in h.after if not p.startswith(("Mandatory or optional", "Commands:", "`"))]
    return h


def read(program, command):
    return parse(text_of(program, command))
