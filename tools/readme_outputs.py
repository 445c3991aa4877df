#!/usr/bin/env python3
"""Keeps the outputs in README.md, docs/audit.md, docs/construct.md and docs/tutorial-*.md true.

    tools/readme_outputs.py BUILD/ckda           compare (exit 1 and a diff if they differ)
    tools/readme_outputs.py BUILD/ckda --write   write them anew

Each block after a line `<!-- run: build/ckda ARGS -->` holds a command line and its output, after
`<!-- run last N: ... -->` only the last N lines of it.  Commands run in the top folder.  Times and
version numbers differ between machines and are compared as placeholders.  A block that shows a
command (`$ ...`) without such a line is an error: nothing here is typed by hand, but SET_UP.
"""
import difflib
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "docs" / "audit.md", ROOT / "docs" / "construct.md"] + sorted((ROOT / "docs").glob("tutorial-*.md"))
BLOCK = re.compile(r"(<!-- run(?: last (\d+))?: build/(ckda [^\n]*?) -->\n```\n\$ [^\n]*\n)(.*?)(```\n)", re.S)


SHOWN = re.compile(r"^```\n\$ ([^\n]*)\n", re.M)
SET_UP = "./setup.sh test"  # what runs this


def not_run(text):
    """Commands that are shown and not run."""
    run = {m[1].partition("-->\n")[2] for m in BLOCK.finditer(text)}
    return [m[1] for m in SHOWN.finditer(text) if m[0] not in run and not m[1].startswith(SET_UP)]


def output_of(ckda, last, command):
    done = subprocess.run([ckda] + shlex.split(command)[1:], capture_output=True, text=True, check=False,
                          cwd=ROOT)
    if last is None:
        return done.stdout
    return "...\n" + "".join(done.stdout.splitlines(keepends=True)[-int(last):])


def neutral(text):
    text = re.sub(r"\s+\d+\.\d\d s\b", " TIME", text)
    return re.sub(r"\((FLINT|GMP|MPFR)[^)]*\)", "(VERSIONS)", text)


def check(document, ckda, write):
    """Is every output in the document what its command prints?"""
    text = document.read_text(encoding="utf-8")
    fresh = BLOCK.sub(lambda m: m[1] + output_of(ckda, m[2], m[3]) + m[5], text)
    if write:
        document.write_text(fresh, encoding="utf-8")
        return True
    if not BLOCK.search(text):
        print(f"{document.name} has no block to run")
        return False
    missed = not_run(text)
    print("".join(f"{document.name}: shown and not run: {command}\n" for command in missed), end="")
    old, new = neutral(text).splitlines(), neutral(fresh).splitlines()
    diff = list(difflib.unified_diff(old, new, document.name, "what the commands print", lineterm=""))
    print("\n".join(diff) if diff else f"{document.name}: outputs are what the commands print")
    return not diff and not missed


def main():
    ckda, write = str(pathlib.Path(sys.argv[1]).resolve()), "--write" in sys.argv[2:]
    return 0 if all([check(document, ckda, write) for document in DOCUMENTS]) else 1


if __name__ == "__main__":
    sys.exit(main())
