#!/usr/bin/env python3
"""The functions and data that the public headers declare.

    tools/public_symbols.py names HEADER...              one name a line
    tools/public_symbols.py script NODE OUT HEADER...    linker version script: these and no others
    tools/public_symbols.py calls OUT HEADER...          a table for tests/headers/symbols.cc

Inline functions are no symbols of the library and are left out.
"""
import pathlib
import re
import sys


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def without_directives(text):
    """No preprocessor lines, nothing of the branches for C++ alone."""
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"^#\s*if(?:def\s+|\s+defined\()__cplusplus\b.*?^#\s*endif[^\n]*$", "", text, flags=re.S | re.M)
    return re.sub(r"^\s*#[^\n]*$", "", text, flags=re.M)


def declarations(text):
    """The texts between semicolons outside braces, with the bodies taken out."""
    found, statement, depth = [], "", 0
    for c in text:
        if c == "{":
            depth += 1
            statement += "{}" if depth == 1 else ""
        elif c == "}":
            depth -= 1
            if depth == 0 and re.search(r"\)\s*\{\}$", statement):  # a function body ends here
                found.append(statement)
                statement = ""
        elif depth == 0 and c == ";":
            found.append(statement)
            statement = ""
        elif depth == 0:
            statement += c
    return [" ".join(s.split()) for s in found]


def name_of(declaration):
    """The symbol that a declaration promises, or None."""
    if re.match(r"(typedef|static)\b", declaration) or re.search(r"\bstatic inline\b", declaration):
        return None
    function = re.search(r"\b(ckda_\w+) ?\(", declaration)
    if function:
        return function[1]
    data = re.match(r"extern .*?\b(ckda_\w+) ?(\[[^\]]*\])*$", declaration)
    return data[1] if data else None


def names(header):
    text = without_directives(without_comments(pathlib.Path(header).read_text(encoding="utf-8")))
    return sorted({name for name in map(name_of, declarations(text)) if name})


def all_names(headers):
    return sorted({name for header in headers for name in names(header)})


def write_script(node, out, headers):
    lines = "".join(f"        {name};\n" for name in all_names(headers))
    pathlib.Path(out).write_text(f"{node} {{\n    global:\n{lines}    local:\n        *;\n}};\n", encoding="utf-8")


def write_calls(out, headers):
    includes = "".join(f'#include "ckda/{pathlib.Path(header).name}"\n' for header in headers)
    rows = "".join(f'ENTRY("{pathlib.Path(header).name}", {name})\n' for header in headers for name in names(header))
    pathlib.Path(out).write_text(f"#ifndef ENTRY\n{includes}#else\n{rows}#endif\n", encoding="utf-8")


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "names":
        print("\n".join(all_names(sys.argv[2:])))
    elif len(sys.argv) > 4 and sys.argv[1] == "script":
        write_script(sys.argv[2], sys.argv[3], sys.argv[4:])
    elif len(sys.argv) > 3 and sys.argv[1] == "calls":
        write_calls(sys.argv[2], sys.argv[3:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
