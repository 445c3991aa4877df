#!/usr/bin/env python3
"""Counts what a meson test run did and prints one line: N passed, N failed[, N skipped].

A TAP test counts once for each of its subtests, any other test once.  Exit 1 if anything
failed or nothing ran.
"""
import json
import re
import sys

GOOD = {"OK", "EXPECTEDFAIL"}


def tap_counts(text):
    """Passed and failed subtests of a TAP stream (None if there is none)."""
    passed = len(re.findall(r"^ok\b", text, re.M))
    failed = len(re.findall(r"^not ok\b", text, re.M))
    has_plan = re.search(r"^1\.\.\d+", text, re.M)
    return (passed, failed) if has_plan and passed + failed else None


def main(path):
    passed = failed = skipped = 0
    with open(path, encoding="utf-8") as log:
        for line in log:
            test = json.loads(line)
            good = test["result"] in GOOD
            if test["result"] == "SKIP":
                skipped += 1
                continue
            counts = tap_counts(test.get("stdout") or "")
            if counts is None:
                counts = (1, 0) if good else (0, 1)
            elif not good and counts[1] == 0:
                counts = (counts[0], 1)  # crashed after its last subtest
            passed += counts[0]
            failed += counts[1]
    tail = f", {skipped} skipped" if skipped else ""
    print(f"{passed} passed, {failed} failed{tail}")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
