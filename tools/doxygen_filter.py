#!/usr/bin/env python3
"""Shows a public header to Doxygen: its plain comments become documentation.

    doxygen_filter.py HEADER        (docs/api/Doxyfile calls it)

The headers are written for people who read them, without marks.  The first comment is the
file's; a comment behind code belongs to that code, any other to what follows; a ruled line
(---- name ----) is a heading and no documentation.  Line numbers stay as they are.
"""
import pathlib
import re
import sys


def escape(text):
    """Nothing in a comment is a Doxygen command."""
    text = re.sub(r"([\\@<>#&$%])", r"\\\1", text)
    text = re.sub(r"(?<![^\s.])\.", "&#46;", text)  # a point by itself would end a list
    return text.replace("::", "\\::")


def shown(match, text, first):
    """The comment as Doxygen wants it."""
    body = match[0][2:-2]
    if re.match(r"\s*----", body) or "clang-format" in body or "twice" in body:
        return match[0]
    if first:
        head = re.match(r"\s*ckda/(\S+)\s+--\s+", body)
        if head:
            return f"/** \\file {head[1]}\n\\brief " + escape(body[head.end():]) + "*/"
    line_start = text.rfind("\n", 0, match.start()) + 1
    before = text[line_start:match.start()].strip()
    behind = before != "" and not before.endswith(("(", "{"))
    return ("/**< " if behind else "/** ") + escape(body.strip(" ")) + "*/"


def filtered(text):
    out, at, first = "", 0, True
    for match in re.finditer(r"/\*.*?\*/", text, re.S):
        new = shown(match, text, first)
        out += text[at:match.start()] + new
        at, first = match.end(), False
    return out + text[at:]


def main():
    sys.stdout.write(filtered(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
