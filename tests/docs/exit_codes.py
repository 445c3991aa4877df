#!/usr/bin/env python3
"""Exit codes of every command in the same situations; one TAP line each.

    exit_codes.py CKDA CKDA_RECHECK

Situations: good, refuted or undecided where a command can be, wrong usage, bad input, a file that
is not there, an output that cannot be written, standard output that is full.  Whatever fails says
why on stderr in one place, and leaves no file and nothing on stdout.  That every command of
--help is in the table is a check of its own.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HOLDS, REFUTED, USAGE, UNDECIDED, BAD = 0, 1, 2, 3, 4
EXAMPLES = "docs/examples"
NOWHERE = "OUT/no-such-folder/file"
BAD_JSON = "OUT/bad.json"
ABSENT = "OUT/absent.json"

# command: situation: (exit code, arguments) or a list of them
TABLE = {
    "list": {"good": (HOLDS, "thm1"), "usage": [(USAGE, "--nothing"), (USAGE, "--status what"), (USAGE, "thm99")]},
    "explain": {"good": (HOLDS, "thm1.forward"), "usage": [(USAGE, ""), (USAGE, "thm1.forwrd")]},
    "verify": {"good": (HOLDS, "thm1.forward"), "usage": [
        (USAGE, "--effort huge"), (USAGE, "thm99"), (USAGE, "--json --tap"), (USAGE, "--seed x")],
        "unwritable": [(BAD, f"thm1.forward --junit {NOWHERE}"), (BAD, f"thm1.forward --certificates {NOWHERE}")]},
    "reach": {"good": (HOLDS, "D3"), "refuted": (REFUTED, f"{EXAMPLES}/turn.json --max-states 100"),
              "undecided": (UNDECIDED, "A5 --max-states 100"),
              "usage": [(USAGE, ""), (USAGE, "A5 S4"), (USAGE, "D3 --max-states 0"), (USAGE, "D3 --construction what"),
                        (USAGE, "Q9")],
              "bad": (BAD, BAD_JSON), "absent": (BAD, ABSENT),
              "unwritable": [(BAD, f"D3 --{o} {NOWHERE}") for o in ("certificate", "dot", "graphml", "gap", "npy")]},
    "reduce": {"good": (HOLDS, "S3"), "usage": [(USAGE, ""), (USAGE, "S3 --max-time x")], "bad": (BAD, BAD_JSON),
               "absent": (BAD, ABSENT)},
    "decompose": {"good": (HOLDS, f"{EXAMPLES}/plus_rank_one.json"), "refuted": (REFUTED, "OUT/shear.json"),
                  "usage": [(USAGE, ""), (USAGE, f"{EXAMPLES}/step.json --nothing")], "bad": (BAD, BAD_JSON),
                  "absent": (BAD, ABSENT), "unwritable": (BAD, f"{EXAMPLES}/plus_rank_one.json --certificate {NOWHERE}")},
    "spectrum": {"good": (HOLDS, f"{EXAMPLES}/step.json"), "usage": (USAGE, ""), "bad": (BAD, BAD_JSON),
                 "absent": (BAD, ABSENT)},
    "factor": {"good": (HOLDS, "OUT/permutation.json"), "usage": [(USAGE, ""), (USAGE, "OUT/permutation.json --kind what")],
               "bad": (BAD, BAD_JSON), "absent": (BAD, ABSENT),
               "unwritable": (BAD, f"OUT/permutation.json --certificate {NOWHERE}")},
    "sweep": {"good": (HOLDS, "--figure 2 --cells 2"), "usage": [(USAGE, "--figure 3"), (USAGE, "--figure 2 word")],
              "unwritable": [(BAD, f"--figure 2 --cells 2 --{o} {NOWHERE}") for o in ("csv", "svg")]},
    "compile": {"good": (HOLDS, f"{EXAMPLES}/odd.att"), "usage": [(USAGE, ""), (USAGE, f"{EXAMPLES}/odd.att --layers 9")],
                "bad": (BAD, BAD_JSON), "absent": (BAD, ABSENT),
                "unwritable": [(BAD, f"{EXAMPLES}/odd.att -o {NOWHERE}"),
                               (BAD, f"{EXAMPLES}/odd.att -o OUT/n.json --certificate {NOWHERE}")]},
    "construct": {"good": (HOLDS, "S4"), "usage": [(USAGE, ""), (USAGE, "S4 --max-order x")], "bad": (BAD, BAD_JSON),
                  "absent": (BAD, ABSENT), "unwritable": (BAD, f"S4 -o {NOWHERE}")},
    "run": {"good": (HOLDS, "S3 (1,2)"), "usage": [(USAGE, ""), (USAGE, "S3"), (USAGE, "S3 (1,2) --seed x")],
            "bad": [(BAD, f"{BAD_JSON} a"), (BAD, f"{EXAMPLES}/odd.att z")],
            "absent": [(BAD, f"{ABSENT} a"), (BAD, "S3 @OUT/absent.txt")],
            "undecided": (UNDECIDED, f"{EXAMPLES}/odd.att --close --max-states 5"),
            "unwritable": (BAD, f"{EXAMPLES}/odd.att --close --certificate {NOWHERE}")},
    "audit": {"good": (HOLDS, "Z3 --grid 22 --keys fp32 --all-words"),
              "refuted": (REFUTED, "Z5 --grid 5 --keys fp32 --all-words"),
              "undecided": (UNDECIDED, "Z5 --state fp32 --keys fp32 --all-words --max-states 100"),
              "usage": [(USAGE, ""), (USAGE, "Z3 --state what"), (USAGE, "Z3 --grid x")], "bad": (BAD, BAD_JSON),
              "absent": [(BAD, ABSENT), (BAD, f"--trace {ABSENT}")],
              "unwritable": (BAD, f"Z3 --grid 22 --keys fp32 --all-words --certificate {NOWHERE}")},
    "range": {"good": (HOLDS, f"{EXAMPLES}/chunk16.json"), "refuted": (REFUTED, f"{EXAMPLES}/chunk64.json"),
              "usage": (USAGE, ""), "bad": (BAD, BAD_JSON), "absent": (BAD, ABSENT)},
    "report": {"good": (HOLDS, "-o OUT/page --claims-only thm1.forward"), "usage": [(USAGE, ""), (USAGE, "-o OUT/p thm99")],
               "unwritable": [(BAD, "-o OUT/no-such-folder/page --claims-only thm1.forward"),
                              (BAD, "-o OUT/bad.json --claims-only thm1.forward")]},
}


def prepare(folder):
    files = {"bad.json": '{"matrix": [["1", "0.5"], ["0", "1"]]}\n', "permutation.json": '{"permutation": [1, 2, 0]}\n',
             "shear.json": '{"diagonal": ["1", "1"], "u": ["1", "0"], "v": ["0", "1"]}\n'}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def run(program, words, stdout=subprocess.PIPE):
    done = subprocess.run([program] + words, cwd=ROOT, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False,
                          stdin=subprocess.DEVNULL, env=dict(os.environ, LC_ALL="C"))
    return done.returncode, done.stdout or "", done.stderr


class Tap:
    def __init__(self):
        self.count, self.wrong = 0, 0

    def line(self, complaints, name):
        self.count += 1
        self.wrong += bool(complaints)
        print(f"{'not ok' if complaints else 'ok'} {self.count} - {name}", flush=True)
        print("".join(f"# {c}\n" for c in complaints), end="")


def complaints(folder, before, want, got, out, err):
    """What is wrong with one run."""
    found = [] if got == want else [f"exit code {got}, expected {want}", f"stderr: {err[:300]}"]
    if want in (USAGE, BAD):
        if not re.match(r"ckda[a-z -]*: |ckda ", err):
            found.append(f"stderr does not say why: {err[:200]!r}")
        made = sorted(p.name for p in folder.iterdir() if p.name not in before)
        if made and want == USAGE:
            found.append(f"left behind: {made}")
        if any(".tmp" in name or ".new" in name for name in made):
            found.append(f"half a file: {made}")
    if want == USAGE and out and '"ckda.error/1"' not in out:
        found.append(f"stdout after wrong usage: {out[:80]!r}")
    return found


def json_complaints(out, want, situation):
    """One document whatever happens; where no answer is possible, one that says so."""
    try:
        document = json.loads(out)
    except ValueError as why:
        return [f"--json: {why}"]
    if not isinstance(document, dict):
        return ["no JSON object"]
    is_error = document.get("schema") == "ckda.error/1"
    found = ["an error instead of an answer"] if is_error and want == HOLDS else []
    found += ["an answer to wrong usage or bad input"] if not is_error and situation in ("usage", "bad", "absent") else []
    found += [f"exit in it: {document.get('exit')}"] if is_error and document.get("exit") != want else []
    return found + (["no message"] if is_error and not document.get("message") else [])


def check(tap, ckda, command, situation, want, arguments):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder)
        before = {p.name for p in folder.iterdir()}
        words = [word.replace("OUT/", f"{name}/") for word in arguments.split()]
        got, out, err = run(ckda, [command] + words)
        tap.line(complaints(folder, before, want, got, out, err), f"{situation}: ckda {command} {arguments} gives {want}")
        check_quiet(tap, ckda, command, words, want, out)
        if situation == "good" and (command == "report" or "--close" in words):
            return
        got, out, err = run(ckda, [command] + words + ["--json"])
        found = json_complaints(out, want, situation)
        tap.line(found + ([] if got == want else [f"exit code {got}: {err[:300]}"]), f"{situation}: the same with --json")


def check_quiet(tap, ckda, command, words, want, loud):
    """--quiet: the same exit code, nothing that was not there before, and all of what does not hold."""
    if want not in (HOLDS, REFUTED, UNDECIDED) or command == "report":
        return
    got, out, _ = run(ckda, [command] + words + ["--quiet"])
    plain = re.compile(r"\d+\.\d+ s")
    now, before = plain.sub("T s", out).splitlines(), plain.sub("T s", loud).splitlines()
    found = [] if got == want else [f"exit code {got}"]
    found += [f"new: {line!r}" for line in now if line not in before]
    found += [] if now else ["nothing at all"]
    if want != HOLDS and command not in ("verify", "audit") and len(now) != len(before):
        found.append(f"{len(now)} lines of {len(before)}")
    tap.line(found, f"the same with --quiet: {len(now)} of {len(before)} lines")


def check_full(tap, ckda, command, arguments):
    """Standard output that takes nothing."""
    if not os.path.exists("/dev/full"):
        return
    with tempfile.TemporaryDirectory() as name, open("/dev/full", "w", encoding="utf-8") as full:
        prepare(pathlib.Path(name))
        got, _, err = run(ckda, [command] + [w.replace("OUT/", f"{name}/") for w in arguments.split()], stdout=full)
        found = [] if got == BAD else [f"exit code {got}"]
        tap.line(found + ([] if "cannot write to standard output" in err else [f"stderr: {err[:200]}"]),
                 f"full: ckda {command} {arguments} gives {BAD} when nobody can take its answer")


def check_top(tap, ckda):
    for want, words in ((USAGE, []), (USAGE, ["verfy"]), (USAGE, ["--nothing"]), (HOLDS, ["--help"]), (HOLDS, ["--version"])):
        got, out, err = run(ckda, words)
        tap.line([] if got == want and bool(out if want == HOLDS else err) else [f"exit code {got}, {out[:80]!r}, {err[:80]!r}"],
                 f"ckda {' '.join(words)} gives {want}")


def check_recheck(tap, ckda, recheck):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(ckda, ["reach", "D3", "--certificate", f"{name}/d3.cert"])
        text = (folder / "d3.cert").read_text(encoding="utf-8")
        (folder / "wrong.cert").write_text(text.replace('"label":1', '"label":2', 1), encoding="utf-8")
        for situation, want, words in (("good", HOLDS, [f"{name}/d3.cert"]), ("refuted", REFUTED, [f"{name}/wrong.cert"]),
                                       ("usage", USAGE, []), ("absent", BAD, [f"{name}/absent.cert"])):
            got, out, err = run(recheck, words)
            tap.line([] if got == want else [f"exit code {got}, {out[:80]!r}, {err[:200]!r}"],
                     f"{situation}: ckda-recheck gives {want}")


def main():
    ckda, recheck = (str(pathlib.Path(program).resolve()) for program in sys.argv[1:3])
    tap = Tap()
    listed = re.findall(r"^  ([a-z]+) ", run(ckda, ["--help"])[1].partition("Commands:")[2], re.M)
    tap.line([] if sorted(listed) == sorted(TABLE) else [f"{sorted(listed)}", f"{sorted(TABLE)}"],
             "every command of --help is in the table")
    for command, situations in TABLE.items():
        for situation, cases in situations.items():
            for want, arguments in cases if isinstance(cases, list) else [cases]:
                check(tap, ckda, command, situation, want, arguments)
        check_full(tap, ckda, command, situations["good"][1])
    check_top(tap, ckda)
    check_recheck(tap, ckda, recheck)
    print(f"1..{tap.count}")
    return 1 if tap.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
