#!/usr/bin/env python3
"""What the program writes, the checker verifies.  usage: chain.py CKDA CKDA-RECHECK

Each row: the exit code of ckda, its arguments (OUT is the certificate, in/ the inputs of the golden
tests), what the checker says.  Each start: a document (or the name of one), what
the checker says of its certificate, a change of one entry of the start, the reason of the refusal.  Prints TAP."""
import json
import pathlib
import subprocess
import sys
import tempfile

INPUTS = pathlib.Path(__file__).resolve().parents[2] / "golden" / "in"
ROWS = [
    (0, "reach D3 --construction quaternion --certificate OUT", "every label read out; letters are products of steps"),
    (0, "reach S4 --certificate OUT", "24 states, all different; 576 edges multiplied again; every label right; letters"),
    # conjugates of the generator that agree in 45 digits
    (0, "reach in/crowded-swap.json --certificate OUT", "8 states, all different; 16 edges multiplied again"),
    (1, "reach in/halve.json --certificate OUT", "infinite"),
    (0, "factor in/cycle5.json --certificate OUT", "products: 1 matrices from 4 factors, beta from 0 to 2"),
    (0, "factor in/rho.json --certificate OUT", "beta from 0 to 3"),
    (0, "factor in/constant3.json --factoriser short --certificate OUT", "products: 1 matrices from 2 factors, beta from 0 to 67/28"),
    (0, "factor in/rational2.json --certificate OUT", "products: 1 matrices from"),
    (0, "factor in/rotation.json --kind orthogonal --certificate OUT", "beta from 0 to 2"),
    (0, "decompose in/dpr1.json --certificate OUT", "from 1 factors, beta from 2 to 2, gates 1 and -1"),
    (0, "decompose in/ckda.json --certificate OUT", "gates 1 and -1"),
    (1, "decompose in/not-orthogonal.json --certificate OUT", None),
    (0, "run S5 -c small --close --certificate OUT", "network, closed: 240 states, all different; 28800 edges run again; every label right"),
    (0, "run in/flip-flop.json --close --certificate OUT", "network, closed: 436 states"),
    (0, "compile Z3 --layers 2 --certificate OUT", "network, closed: "),
    (1, "run in/broken-net.json --close --certificate OUT", None),
    (0, "audit Z3 --all-words --grid 22 --certificate OUT", "rounded, closed"),
    (1, "audit Z5 --all-words --grid 1 --certificate OUT", "fails after a word of length"),
    (1, "audit Z12 --all-words --grid 1 --certificate OUT", "another word of another product leads to the same bits"),
]

SIGNED = {"swap": {"matrix": [[0, 1, 0], [1, 0, 0], [0, 0, 1]]}, "turn": {"matrix": [[0, 0, 1], [1, 0, 0], [0, 1, 0]]},
          "sign": {"matrix": [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}}
FIFTH = {"third": {"matrix": [["0", "1", "0"], ["0", "0", "1"], ["1", "0", "0"]]},
         "fifth": {"matrix": [["(1-sqrt(5))/4", "(1+sqrt(5))/4", "1/2"], ["(1+sqrt(5))/4", "1/2", "(1-sqrt(5))/4"],
                              ["-1/2", "(sqrt(5)-1)/4", "-(1+sqrt(5))/4"]]}}
# Two heads of dimension 1: the signs of the two transpositions.
SIGNS = {"group": {"generators": {"a": "(1,2)", "b": "(3,4)"}, "letters": "all", "tracker": {"field": "Q", "heads": [
    {"transitions": {g: {"family": "ckda", "beta": 2 if turned in g else 0, "key": [1], "gate": [1]}
                     for g in ("()", "(1,2)", "(3,4)", "(1,2)(3,4)")}} for turned in ("(1,2)", "(3,4)")]}}}
# Another start is another system, so the change must be one that the stated graph does not fit: a start with fewer
# symmetries has more states, one with more has fewer.  The change: number of an integer of the line "initial", its new value.
STARTS = [
    ("a matrix", {"affine": {"initial": [[1, 0], [0, 1], [0, 0]], "letters": SIGNED}}, "finite: 24 states", (5, 1),
     "the exact successor is not state"),
    ("a vector over Q(sqrt(5))", {"affine": {"initial": [["0"], ["1"], ["(1+sqrt(5))/2"]], "letters": FIFTH}}, "finite: 12 states", (0, 1),
     "the exact successor is not state"),
    ("two heads", SIGNS, "finite: 4 states, all different; 16 edges multiplied again; every label right", (0, 0), "are the same"),
    ("a vector with an infinite orbit", "halve.json", "infinite", (0, 2), "word: its powers may repeat a state"),
]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def fault(ckda, recheck, row, folder):
    code, words, said = row
    out = folder / "some.cert"
    out.unlink(missing_ok=True)
    words = [str(out) if w == "OUT" else w.replace("in/", f"{INPUTS}/") for w in words.split()]
    done = run(ckda, *words)
    if done.returncode != code:
        return f"exit {done.returncode}: {done.stderr}"
    if said is None:
        return f"a certificate was written: {done.stdout}" if out.exists() else None
    if not out.exists():
        return f"no certificate: {done.stderr}"
    done = run(recheck, out)
    return None if done.returncode == 0 and said in done.stdout else done.stdout + done.stderr


def claims(ckda, recheck, folder):
    names = ["t1.ckda.zn-dn", "thm1.forward", "C-25.5", "C-25.2", "c.F2.program", "c.F1"]
    done = run(ckda, "verify", *names, "--certificates", folder / "claims")
    if done.returncode != 0:
        return f"exit {done.returncode}: {done.stderr}"
    files = sorted((folder / "claims").glob("*.cert"))
    if len(files) != len(names):
        return f"{len(files)} certificates of {len(names)} claims"
    done = run(recheck, *files)
    return None if done.returncode == 0 and done.stdout.count("s VERIFIED") == len(names) else done.stdout + done.stderr


def start_fault(ckda, recheck, start, folder):
    """The certificate of the document is verified, and refused with one entry of the start changed."""
    _, document, said, (entry, value), reason = start
    source, out = folder / "system.json", folder / "start.cert"
    text = (INPUTS / document).read_text(encoding="utf-8") if isinstance(document, str) else json.dumps(document)
    source.write_text(text, encoding="utf-8")
    done = run(ckda, "reach", source, "--certificate", out)
    if done.returncode != (1 if said == "infinite" else 0):
        return f"exit {done.returncode}: {done.stderr}"
    done = run(recheck, out)
    if done.returncode != 0 or said not in done.stdout:
        return done.stdout + done.stderr
    lines = out.read_text(encoding="utf-8").splitlines()
    at = next(i for i, line in enumerate(lines) if "initial" in json.loads(line))
    initial = json.loads(lines[at])
    if initial["initial"]["num"][entry] == value:
        return f"the entry is {value} already"
    initial["initial"]["num"][entry] = value
    lines[at] = json.dumps(initial)
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = run(recheck, out)
    return None if done.returncode == 1 and "s REFUSED" in done.stdout and reason in done.stdout else done.stdout + done.stderr


def main():
    ckda, recheck = sys.argv[1:3]
    print(f"1..{len(ROWS) + len(STARTS) + 1}")
    bad = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        results = [(row[1], fault(ckda, recheck, row, folder)) for row in ROWS]
        results += [(f"another start refused: {start[0]}", start_fault(ckda, recheck, start, folder)) for start in STARTS]
        results.append(("certificates of claims", claims(ckda, recheck, folder)))
    for number, (name, why) in enumerate(results, 1):
        print(f"{'not ok' if why else 'ok'} {number} - {name}")
        if why:
            print("# " + why.replace("\n", "\n# "))
            bad += 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
