#!/usr/bin/env python3
"""Checks the architecture: who includes whom, who prints, who knows FLINT, how long things are.

The table below is the picture of docs/architecture.md as data.  A room may include its own
private headers, its own public headers, and public headers of the rooms it may use.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# room -> (folder, public headers, rooms it may use directly or through others)
ROOMS = {
    "base": ("src/base", ["status", "rand", "ranks", "limits", "memstream", "temporary"], []),
    "field": ("src/field", ["field", "flint_compat"], ["base"]),
    "fpfmt": ("src/fpfmt", ["fpfmt", "fpfast"], ["field"]),  # for flint_compat only
    "poly": ("src/poly", ["poly"], ["field"]),
    "mat": ("src/mat", ["mat", "matden", "matmod"], ["poly"]),
    "sym": ("src/sym", ["sym"], ["field"]),
    "io": ("src/io", ["doc", "file", "att", "gap", "tensor", "save"], ["base"]),
    "trans": ("src/trans", ["trans"], ["mat"]),
    "sweep": ("src/sweep", ["sweep"], ["field"]),
    "spectrum": ("src/spectrum", ["spectrum"], ["trans"]),
    "group": ("src/group", ["group", "subgroup", "automaton"], ["base"]),
    "factor": ("src/factor", ["factor", "factorise", "factor_norm"], ["trans", "spectrum"]),
    "groups": ("groups", ["construct"], ["trans", "group"]),
    "reach": ("src/reach", ["reach"], ["io", "groups", "mat"]),
    "reduce": ("src/reduce", ["reduce"], ["factor", "reach"]),
    "recheck": ("src/recheck", [], []),  # the checker: nothing of this project
    "net": ("src/net", ["net", "wfa"], ["io", "factor", "groups", "reach"]),
    "realize": ("src/realize", ["realize"], ["group", "groups", "reach", "factor"]),
    "rounded": ("src/rounded", ["arith", "tracker", "rounded"], ["fpfmt", "groups", "reach"]),
    "snap": ("src/snap", ["snap", "chunk"], ["rounded"]),
    "audit": ("src/audit", ["allwords", "drift"], ["rounded", "snap", "io"]),
    "cert": ("src/cert", ["cert"], ["audit", "factor", "net"]),
    "trace": ("src/trace", ["trace"], ["io", "fpfmt", "field"]),
    "input": ("src/input", ["input", "input_heads"], ["io", "trans", "group", "groups", "reach", "net"]),
    "range": ("src/range", ["range", "gates"], ["io", "fpfmt", "input"]),
    "claim": ("src/claim", ["evidence", "claim", "ledger_net"],
              ["io", "sym", "mat", "spectrum", "factor", "reach", "reduce", "input", "rounded", "snap", "audit"]),
    "proofs": ("proofs", ["proofs"], ["claim"]),
    "report": ("src/report", ["report", "report_allwords", "report_construct", "report_drift", "report_snap",
                               "report_trace", "report_range", "report_reduce", "report_sweep", "report_page"],
               ["claim", "realize", "audit", "snap", "trace", "range", "reduce", "sweep"]),
    "cli": ("src/cli", [], ["report", "proofs", "cert"]),
}
PRINTING_ROOMS = {"report", "cli", "recheck"}
MAX_FUNCTION, MAX_FILE = 120, 500

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)
PRINTS = re.compile(r"\b(?:printf|vprintf|puts|putchar|perror)\s*\(|"
                    r"\b(?:fprintf|vfprintf)\s*\(\s*(?:stdout|stderr)|"
                    r"\b(?:fputs|fputc|putc|fwrite)\s*\([^;]*\b(?:stdout|stderr)\s*\)")
FLINT_HEADER = re.compile(r"^(flint/|antic/|calcium/|arb|acb|arf|qqbar|ca\.h|nf)")
HEADER_ROOM = {h: room for room, (_, headers, _) in ROOMS.items() for h in headers}


def reachable(room, seen=None):
    seen = set() if seen is None else seen
    for below in ROOMS[room][2]:
        if below not in seen:
            seen.add(below)
            reachable(below, seen)
    return seen


def strip_comments(text):
    blank = lambda m: re.sub(r"[^\n]", " ", m.group(0))
    return re.sub(r"/\*.*?\*/|//[^\n]*", blank, text, flags=re.S)


def lint_includes(room, path, text, complain):
    allowed = reachable(room) | {room}
    for kind, name in INCLUDE.findall(text):
        line = text[: text.find(name)].count("\n") + 1
        stem = pathlib.PurePath(name).stem
        if kind == '"' and name.startswith("ckda/"):
            owner = HEADER_ROOM.get(stem)
            if owner is None:
                if name != "ckda/ckda.h":
                    complain(path, line, f"no room owns {name}; add it to tools/lint_rooms.py")
            elif owner not in allowed:
                complain(path, line, f"room {room} must not include {name} of room {owner}")
        elif kind == '"' and not (path.parent / name).exists() and not name.endswith(".def"):
            complain(path, line, f"{name} is not in this room; use a public header")
        if FLINT_HEADER.match(name) and path.name != "flint_compat.h":
            complain(path, line, f"{name}: FLINT comes through ckda/flint_compat.h")


def lint_prints(room, path, text, complain):
    if room in PRINTING_ROOMS or path.name == "status.c":
        return
    for m in PRINTS.finditer(strip_comments(text)):
        line = text[: m.start()].count("\n") + 1
        complain(path, line, f"room {room} must not print ({m.group(0).strip()})")


def lint_sizes(path, text, complain):
    lines = text.split("\n")
    if len(lines) - 1 > MAX_FILE:
        complain(path, 1, f"{len(lines) - 1} lines; a file has at most {MAX_FILE}")
    start = None
    for i, line in enumerate(lines, 1):
        if line == "{":
            start = i
        elif line == "}" and start is not None:
            if i - start > MAX_FUNCTION:
                complain(path, start, f"a function of {i - start} lines; at most {MAX_FUNCTION}")
            start = None


def main():
    problems = []

    def complain(path, line, what):
        problems.append(f"{path.relative_to(ROOT)}:{line}: {what}")

    for room, (folder, headers, _) in ROOMS.items():
        files = sorted((ROOT / folder).glob("*.[ch]"))
        files += [p for h in headers if (p := ROOT / "include/ckda" / f"{h}.h").exists()]
        for path in files:
            text = path.read_text(encoding="utf-8")
            lint_includes(room, path, text, complain)
            lint_prints(room, path, text, complain)
            lint_sizes(path, text, complain)
    for header in sorted((ROOT / "include/ckda").glob("*.h")):
        if header.stem not in HEADER_ROOM and header.stem != "ckda":
            complain(header, 1, "no room owns this header")
    print("\n".join(problems) if problems else f"rooms: {len(ROOMS)} rooms, no complaint")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
