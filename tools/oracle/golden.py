#!/usr/bin/env python3
"""Recomputes the figures of the golden files, the examples and the data with PARI, GAP and Python.

usage: golden.py [--all] [--program CKDA] [--only WORD] [--verbose]
       golden.py --self-test

Nothing of this project computes the expected side: questions are made from the inputs alone, and
what PARI/GP, GAP or Python's fractions answer is compared with what is stated.  --program adds
what CKDA prints today; --all adds the slow cases.  Exit code 1 also when a system or a command was
left without any figure, 77 if gp or gap is not installed.
"""
import argparse
import collections
import sys
import tempfile

import cases
import networks
import selftest
import small_groups
import system
import table
from recompute import SYSTEMS, compare, recompute


def gather(options):
    """The cases that --only lets through, and complaints about what --program printed."""
    found = [case for case in [*cases.golden(), *cases.examples()]
             if options.only in f"{case.source}: {case.name}: {case.command}"]
    if not options.program:
        return found, []
    with tempfile.TemporaryDirectory() as folder:
        complaints = cases.read_documents(options.program, [case for case in found if table.has_document(case)], folder)
        if options.only in ("", "groups"):
            groups, more = small_groups.documents(60 if options.all else 15, folder)
            for group in groups:
                small_groups.state(options.program, group)
            found, complaints = found + groups, complaints + more
        if options.only in ("", "networks"):
            compiled, more = networks.documents(options.program, folder)
            found, complaints = found + compiled, complaints + more
    return found, complaints


def print_results(results, by, verbose):
    for case, result in results.items():
        for path, stated, answer in result.wrong:
            print(f"DISAGREE {case.source}: {case.name}: {path}: stated {stated!r}, {by[case]} finds {answer!r}")
        if verbose and (result.agree or result.wrong):
            print(f"{case.source}: {case.name}: {by[case]}: {len(result.agree)} figures: {' '.join(result.agree[:12])}")


def print_coverage(all_cases, done, by):
    """How many cases of each file each system worked out."""
    total = collections.Counter(case.family() for case in all_cases)
    count = collections.Counter((case.family(), by[case]) for case in done)
    print("file                 cases   PARI    GAP Python   not")
    for family, number in total.items():
        parts = [count[family, name] for name in SYSTEMS]
        print(f"{family:20} {number:5}  {parts[0]:5}  {parts[1]:5}  {parts[2]:5} {number - sum(parts):5}")


def print_reasons(reasons, verbose):
    """Why cases were not recomputed, the largest class first."""
    print("not recomputed:")
    for reason, number in collections.Counter(reasons.values()).most_common():
        print(f"  {number:4}  {reason}")
    for case, reason in reasons.items() if verbose else ():
        print(f"  not: {case.source}: {case.name}: {reason}")


def left_out(options, results, figures):
    """A run in which nothing was compared must not pass."""
    if options.only:
        return [] if any(figures.values()) else [f"no figure was compared for --only {options.only}"]
    commands = {case.command for case, result in results.items() if result.agree}
    return [f"{name} worked out no figure" for name in SYSTEMS if not figures[name]] + \
           [f"no figure of the command {name} was worked out" for name in table.ORACLES if name not in commands]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--program")
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if system.missing():
        print(f"skipped: {', '.join(system.missing())} not installed")
        return 77
    if options.self_test:
        return selftest.main()
    all_cases, complaints = gather(options)
    outcome = recompute(all_cases, options.all)
    results = {case: compare(case, answer) for case, answer in outcome.answers.items()}
    done = [case for case, result in results.items() if result.agree or result.wrong]
    reasons = {**outcome.reasons, **{case: "nothing stated that the recomputation yields" for case in results if case not in done}}
    figures = collections.Counter()
    for case, result in results.items():
        figures[outcome.by[case]] += len(result.agree)
    print_results(results, outcome.by, options.verbose)
    print_coverage(all_cases, done, outcome.by)
    print("figures compared: " + ", ".join(f"{name} {figures[name]}" for name in SYSTEMS))
    print_reasons(reasons, options.verbose)
    complaints += outcome.complaints + left_out(options, results, figures)
    for complaint in complaints:
        print("COMPLAINT", complaint)
    wrong = sum(len(result.wrong) for result in results.values())
    print(f"{figures.total()} figures agree, {wrong} disagree, {len(complaints)} complaints")
    return 1 if wrong or complaints else 0


if __name__ == "__main__":
    sys.exit(main())
