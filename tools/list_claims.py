#!/usr/bin/env python3
"""What meson.build must know of the ledger before anything is compiled.

usage: list_claims.py files FOLDER SUFFIX     the files of a folder, theorem 8 before 17
       list_claims.py tests DOCUMENT...       one line a checked claim (target, id) and one
                                              a mutant (target, id, name), tab-separated

Arguments of `tests` that do not end in .json are only watched by meson.  A document that
cannot be read yields no tests here; the ledger's own loader names the fault.
"""
import json
import pathlib
import re
import sys


def natural(name):
    return [(int(part), "") if part.isdigit() else (-1, part)
            for part in re.split(r"(\d+)", name) if part]


def files(folder, suffix):
    names = [path.name for path in pathlib.Path(folder).glob("*" + suffix)]
    return sorted(names, key=natural)


def tests(documents):
    lines = []
    for name in (name for name in documents if name.endswith(".json")):
        try:
            document = json.loads(pathlib.Path(name).read_text())
            claims = [claim for claim in document["claims"] if claim["status"] == "checked"]
            target = document["target"]
            for claim in claims:
                lines.append([target, claim["id"]])
                lines += [[target, claim["id"], mutant["name"]]
                          for mutant in claim.get("mutants", [])]
        except (ValueError, KeyError, TypeError) as fault:
            print(f"{name}: not a ledger document: {fault!r}", file=sys.stderr)
    return ["\t".join(line) for line in lines]


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "files":
        print("\n".join(files(sys.argv[2], sys.argv[3])))
    elif len(sys.argv) >= 2 and sys.argv[1] == "tests":
        print("\n".join(tests(sys.argv[2:])))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
