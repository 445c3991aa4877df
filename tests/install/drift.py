#!/usr/bin/env python3
"""Do manual pages and completions say what the commands say?  One TAP line a check.

    drift.py MANUALS BASH ZSH FISH PROGRAM...

The pages and completions are read as text here, with patterns of their own languages, and
the options of --help with a plain search, so this does not share the generator's reading.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools"))
import command_help  # noqa: E402
import completions  # noqa: E402
import taplines  # noqa: E402


class Tap(taplines.Tap):
    def equal(self, got, want, name):
        self.line(got == want, name, f"only there: {sorted(got - want)}\nonly in --help: {sorted(want - got)}")


def long_options(text):
    """Of a help text: what stands behind the indentation, not what a sentence mentions."""
    return set(re.findall(r"^ {2,6}(?:-\S, )?--([a-z][a-z0-9-]*)", text, re.M))


def commands_of(program):
    text = subprocess.run([program, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return [""] + re.findall(r"^  ([a-z]+) ", text.partition("Commands:")[2], re.M)


def manual_section(page, command, program):
    """The whole page, or for ckda-gpu the part of one command."""
    if pathlib.Path(program).name != "ckda-gpu":
        return page
    parts = re.split(r"^\.Ss ckda-gpu (\w+)$|^\.Sh EXIT STATUS$", page, flags=re.M)
    return parts[0] if command == "" else parts[parts.index(command) + 1]


def check_manuals(tap, folder, program, options):
    name = pathlib.Path(program).name
    for command, wanted in options.items():
        file = folder / (f"{name}-{command}.1" if command and name == "ckda" else f"{name}.1")
        if not file.exists():
            tap.line(False, f"{name} {command}: has a manual page", f"{file.name} is missing")
            continue
        found = set(re.findall(r"^\.It (?:Fl \S+ , )?Fl -([a-z][a-z0-9-]*)",
                               manual_section(file.read_text(encoding="utf-8"), command, program), re.M))
        tap.equal(found, wanted, f"{file.name}: options of {name} {command}".rstrip())


def in_bash(text, command):
    main = re.search(r"if \[ -z \"\$command\" \].*?-W \"([^\"]*)\"", text, re.S)[1]
    line = main if command == "" else re.search(rf"^        {command}\) option=\"([^\"]*)\"", text, re.M)[1]
    return set(re.findall(r"--([a-z][a-z0-9-]*)", line))


def in_zsh(text, command):
    part = text.partition("case $state in")[0] if command == "" else \
        re.search(rf"^        {command}\)\n(.*?);;$", text, re.M | re.S)[1]
    return set(re.findall(r"'\*?--([a-z][a-z0-9-]*)", part))


def in_fish(text, program, command):
    where = "__fish_use_subcommand" if command == "" else f"'__fish_seen_subcommand_from {command}'"
    return set(re.findall(rf"^complete -c {program} -n {where} -l ([a-z0-9-]+)", text, re.M))


def check_completions(tap, files, program, options):
    name = pathlib.Path(program).name
    texts = {shell: file.read_text(encoding="utf-8") for shell, file in files.items()}
    own = {"bash": re.search(rf"^_{name.replace('-', '_')}\(\)\n(.*?)^\}}", texts["bash"], re.M | re.S)[1],
           "zsh": re.search(rf"^_{name}\(\) \{{\n(.*?)^\}}", texts["zsh"], re.M | re.S)[1], "fish": texts["fish"]}
    for command, wanted in options.items():
        for shell in ("bash", "zsh", "fish"):
            found = {"bash": lambda: in_bash(own["bash"], command), "zsh": lambda: in_zsh(own["zsh"], command),
                     "fish": lambda: in_fish(own["fish"], name, command)}[shell]()
            tap.equal(found, wanted, f"{shell}: options of {name} {command}".rstrip())


def check_choices(tap, program):
    """Every choice that a completion offers is a word of the command's help."""
    name = pathlib.Path(program).name
    for command in commands_of(program)[1:]:
        words = set(re.findall(r"[\w-]+", command_help.text_of(program, command)))
        for option in command_help.read(program, command).options():
            offered = set(completions.listed(name, command, option.name) or [])
            if offered:
                tap.line(offered <= words, f"choices of {name} {command} --{option.name} stand in --help",
                         f"not in the text: {sorted(offered - words)}")


def check_shells(tap, files, folder):
    for shell, file in files.items():
        if not shutil.which(shell):
            tap.skip(f"{shell} reads its completion", f"{shell} is not installed")
            continue
        done = subprocess.run([shell, "-n", str(file)], stderr=subprocess.PIPE, text=True, check=False)
        tap.line(done.returncode == 0, f"{shell} reads its completion", done.stderr)
    for page in sorted(folder.glob("*.1")):
        if not shutil.which("mandoc"):
            tap.skip(f"mandoc: {page.name}", "mandoc is not installed")
            continue
        done = subprocess.run(["mandoc", "-T", "lint", str(page)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        complaints = [line for line in done.stdout.splitlines() if "referenced manual not found" not in line]
        tap.line(not complaints, f"mandoc: {page.name}", "\n".join(complaints))


def main():
    folder = pathlib.Path(sys.argv[1])
    files = dict(zip(("bash", "zsh", "fish"), map(pathlib.Path, sys.argv[2:5])))
    tap = Tap()
    for program in sys.argv[5:]:
        options = {}
        for command in commands_of(program):
            done = subprocess.run([program] + ([command] if command else []) + ["--help"], stdout=subprocess.PIPE,
                                  text=True, check=True, env=dict(os.environ, LC_ALL="C"))
            options[command] = long_options(done.stdout)
        tap.line(len(options) > 4 and all("help" in o for o in options.values()), f"{program} lists its commands")
        check_manuals(tap, folder, program, options)
        check_completions(tap, files, program, options)
        check_choices(tap, program)
    check_shells(tap, files, folder)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
