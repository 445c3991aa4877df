#!/usr/bin/env python3
"""Checks the ledger as a whole: nothing is missing, nothing hangs in the air.

- every id of data/source_ids.txt stands in exactly one proofs/*.json, no id stands twice;
- a checked claim names a check, has an input, a `why` and at least one mutant;
- an open or reported claim gives its reason;
- every check of proofs/claims.def is used and defined exactly once, and the other way round;
- every proofs/*.c opens with Statement / Why the check suffices / Not shown here.
"""
import json
import pathlib
import re
import sys
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROOFS = ROOT / "proofs"
HEADINGS = ["Statement.", "Why the check suffices.", "Not shown here"]


def claims():
    for path in sorted(PROOFS.glob("*.json")):
        for claim in json.loads(path.read_text(encoding="utf-8"))["claims"]:
            yield path, claim


def lint_claim(path, claim, complain):
    where = f"{path.name}: {claim.get('id')}"
    status = claim.get("status")
    if status == "checked":
        for key in ("check", "input", "why", "strength"):
            if not claim.get(key):
                complain(f"{where}: a checked claim needs {key!r}")
        if not claim.get("mutants"):
            complain(f"{where}: a checked claim needs a mutant that its check refutes")
    elif status in ("open", "reported"):
        if not claim.get("reason"):
            complain(f"{where}: needs a reason why it is {status}")
    else:
        complain(f"{where}: status {status!r} is none of checked, open, reported")


def lint_ids(complain):
    lines = (ROOT / "data/source_ids.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    have = Counter(claim["id"] for _, claim in claims())
    for name in wanted:
        if name not in have:
            complain(f"the ledger misses {name} of data/source_ids.txt")
    for name, times in have.items():
        if times > 1:
            complain(f"{name} stands {times} times in proofs/*.json")
    return len(have)


def lint_checks(complain):
    table = re.findall(r"^CKDA_CHECK\((\w+)\)",
                       (PROOFS / "claims.def").read_text(encoding="utf-8"), re.M)
    used = {claim["check"] for _, claim in claims() if claim.get("status") == "checked"}
    code = "\n".join(p.read_text(encoding="utf-8") for p in sorted(PROOFS.glob("*.c")))
    for name, times in Counter(table).items():
        if times > 1:
            complain(f"claims.def lists {name} {times} times")
        if name not in used:
            complain(f"claims.def lists {name}, which no claim uses")
        if not re.search(rf"^ckda_check_{name}\(", code, re.M):
            complain(f"claims.def lists {name}, which no proofs/*.c defines")
    for name in used - set(table):
        complain(f"check {name!r} is used but not in claims.def")


def lint_headers(complain):
    for path in sorted(PROOFS.glob("*.c")):
        text = path.read_text(encoding="utf-8")
        if not re.search(r"^ckda_check_\w+\(", text, re.M):
            continue  # helpers and the table define no check
        opening = text.split("*/", 1)[0]
        for heading in HEADINGS:
            if heading not in opening:
                complain(f"{path.name}: its opening comment has no part {heading!r}")


def main():
    problems = []
    for path, claim in claims():
        lint_claim(path, claim, problems.append)
    total = lint_ids(problems.append)
    lint_checks(problems.append)
    lint_headers(problems.append)
    print("\n".join(problems) if problems else f"claims: {total} claims, no complaint")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
