#!/usr/bin/env python3
"""Recomputes the figures of the golden files, the examples and the data with PARI, GAP and Python.

usage: golden.py [--all] [--program CKDA] [--only WORD] [--verbose]
       golden.py --self-test

Nothing of this project computes the expected side: questions are made from the inputs alone, and
what PARI/GP, GAP or Python's fractions answer is compared with what is stated.  --program adds
what CKDA prints today; --all adds the slow cases.  Exit code 77 if gp or gap is not installed.
"""
import argparse
import collections
import sys
import tempfile

import cases
import numbers_text
import system
import small_groups
import table


FAULTS = (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError)


def plan(all_cases, slow, complaints, faulty):
    """(case, generator, first question) of what can be recomputed; reasons for the rest."""
    running, answers, reasons = [], {}, {}
    for case in all_cases:
        try:
            work = table.oracle_of(case, slow)
            question = next(work)
            running.append((case, work, question))
        except StopIteration as done:
            answers[case] = done.value
        except table.Skip as skip:
            reasons[case] = str(skip)
        except FAULTS as fault:
            answers[case] = {}
            complaints.append(f"{case.source}: {case.name}: no question that fits ({fault!r})")
            faulty.add(case)
    return running, answers, reasons


def recompute(all_cases, slow):
    """case -> {path: value}, case -> system, case -> reason, complaints, and the cases that they are about."""
    complaints, faulty = [], set()
    running, answers, reasons = plan(all_cases, slow, complaints, faulty)
    by = {case: "Python" for case in answers}
    while running:
        asked = {question: number for number, (_, _, question) in enumerate(running)}  # each question once
        found = {}
        for name in ("gp", "gap"):
            part, rest = system.ask(name, {asked[q]: q[1] for q in asked if q[0] == name})
            found.update(part)
            if rest:
                complaints.append(f"{name}: {rest}")
        following = []
        for case, work, question in running:
            by[case] = {"gp": "PARI", "gap": "GAP"}[question[0]]
            answer = dict(found[asked[question]])
            try:
                following.append((case, work, work.send(answer)))
            except StopIteration as done:
                answers[case] = done.value
            except FAULTS as fault:
                complaints.append(f"{case.source}: {case.name}: no answer that fits ({fault!r}): {answer}")
                answers[case] = {}
                faulty.add(case)
        running = following
    return answers, by, reasons, complaints, faulty


def compare(case, answer):
    """Paths that agree, (path, stated, recomputed) that do not."""
    stated = dict(case.stated)
    if case.code is not None:
        stated["exit"] = case.code
    agree, wrong = [], []
    for path, value in stated.items():
        if path in answer:
            if numbers_text.same(value, answer[path]):
                agree.append(path)
            else:
                wrong.append((path, value, answer[path]))
    return agree, wrong


def classes(reasons):
    """The reasons for not recomputing, largest class first."""
    count = collections.Counter(reasons.values())
    return [f"  {number:4}  {reason}" for reason, number in sorted(count.items(), key=lambda c: -c[1])]


def report(all_cases, results, by, reasons, verbose):
    """Coverage by file and system; the number of disagreements."""
    total = collections.Counter(case.source.split("/")[-1] if case.source.startswith("golden") else
                                case.source.partition("/")[0] for case in all_cases)
    done, figures, wrong = collections.Counter(), collections.Counter(), 0
    for case, (agree, bad) in results.items():
        if not agree and not bad:
            reasons[case] = "nothing stated that the recomputation yields"
            continue
        done[(case.source.split("/")[-1] if case.source.startswith("golden") else case.source.partition("/")[0],
              by[case])] += 1
        figures[by[case]] += len(agree)
        wrong += len(bad)
        for path, stated, found in bad:
            print(f"DISAGREE {case.source}: {case.name}: {path}: stated {stated!r}, {by[case]} finds {found!r}")
        if verbose:
            print(f"{case.source}: {case.name}: {by[case]}: {len(agree)} figures: {' '.join(agree[:12])}")
    print("file                 cases   PARI    GAP Python   not")
    for file, number in total.items():
        parts = [done[(file, name)] for name in ("PARI", "GAP", "Python")]
        print(f"{file:20} {number:5}  {parts[0]:5}  {parts[1]:5}  {parts[2]:5} {number - sum(parts):5}")
    print("figures compared: " + ", ".join(f"{name} {figures[name]}" for name in ("PARI", "GAP", "Python")))
    print("not recomputed:")
    print("\n".join(classes(reasons)))
    if verbose:
        for case, reason in reasons.items():
            print(f"  not: {case.source}: {case.name}: {reason}")
    return wrong


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
        import selftest  # noqa: PLC0415 - it needs this file
        return selftest.main()
    all_cases = [c for c in [*cases.golden(), *cases.examples()] if options.only in f"{c.source}: {c.name}: {c.command}"]
    extra = []
    if options.program:
        with tempfile.TemporaryDirectory() as folder:
            cases.read_documents(options.program, [c for c in all_cases if table.has_document(c)], folder)
            if not options.only or options.only == "groups":
                groups, rest = small_groups.documents(60 if options.all else 15, folder)
                extra = [f"groups: {rest}"] if rest else []
                for group in groups:
                    small_groups.stated(options.program, group)
                all_cases += groups
    answers, by, reasons, complaints, _ = recompute(all_cases, options.all)
    results = {case: compare(case, answer) for case, answer in answers.items()}
    wrong = report(all_cases, results, by, reasons, options.verbose)
    complaints += extra
    for complaint in complaints:
        print("COMPLAINT", complaint)
    print(f"{sum(len(a) for a, _ in results.values())} figures agree, {wrong} disagree, {len(complaints)} complaints")
    return 1 if wrong or complaints else 0


if __name__ == "__main__":
    sys.exit(main())
