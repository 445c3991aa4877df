#!/usr/bin/env python3
"""Let every allocation and every call to the system fail, one after the other.

usage: run.py CKDA CKDA-RECHECK FAIL_ALLOC.SO FAIL_CALL [--all] [--only REGEX] [--table FILE]
              [--kind memory|calls] [--jobs N]

Each command of cases.py is run undisturbed first.  Then, point by point, a run in which the
n-th allocation fails (or that and all later ones; fail_alloc.c), or the n-th call to the
system (fail_call.c: no space left, an error of the device, half of what was asked for).

What may happen, at every point:
  same      exit code, stdout and files are those of the undisturbed run
  verdict   exit code and verdict are, by a method that takes less memory
  told      for memory: exit code 3 and one line "... out of memory ...; undecided" or exit
            code 4 and the system's "Cannot allocate memory", or an answer in which a search
            is undecided for want of memory, by name; for calls: exit code 4 and a
            message; and: stdout holds nothing but a beginning of what it should have held, or
            with --json the document ckda.error/1 with the same exit code; a
            file is the old one, untouched, or the new one, whole, and no other file is there
Anything else is a fault: a signal, exit code 5, a hang, another verdict, half of a file, a
temporary file left behind.

--all: every allocation, or of a command with many every k-th, in a copy of the process
(fail_alloc.c); where that is not clear by itself, and once a file is open, in a run of its
own.  Without: a sample (every place that allocates has the same chance; the seed is fixed)
that takes half a minute.  Prints TAP.  Calls are left out where
processes cannot be traced.
"""
import argparse
import collections
import concurrent.futures
import errno
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from cases import CASES

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CANNOT = 77
TIMEOUT, COPIES_TIMEOUT = 120, 3600
EARLIER = b"what stood here before\n"
SAMPLE_MEMORY, SAMPLE_CALLS = 12, 8
FORKED = 7000  # --all: so many allocations of a command fail in copies of its process
EXECUTED = 600  # ... and so many more in runs of their own, once it has a file open
TIMES = [(rb'"seconds":\s*[-+.e0-9]+', b'"seconds":0'),
         (rb'\b(time(stamp)?)="[^"]*"', b'time=""'),
         (rb'"hundredths">[0-9.]+<', b'"hundredths">0<'),
         (rb"[0-9.]+ (ms|s|seconds)\b", b"0 s"), (rb"# seconds [0-9.]+", b"# seconds")]
TOLD = re.compile(rb"^ckda(-recheck)?: (out of memory.*; undecided|ended by a library.*; undecided|memory: .*|"
                  rb"the \d+ states of the saved search are beyond the limit on memory)$", re.M)

# a search, or the part of an answer that is one, which says that memory ended it
NAMED = re.compile(rb'stopped by the limit on memory|"limit":\s*"memory"|undecided \(memory\)|'
                   rb'^ *columns +open: .*\(memory\)$', re.M)

Run = collections.namedtuple("Run", "code out err files")


def plain(text):
    for pattern, to in TIMES:
        text = re.sub(pattern, to, text)
    return text


def words(case_args):
    """Inputs get their whole path."""
    for word in case_args.split():
        at = word.startswith("@")
        if word[at:].startswith("in/"):
            word = "@" * at + str(HERE.parent / "golden" / word[at:])
        elif word.startswith(("data/", "docs/")):
            word = str(ROOT / word)
        yield word


def contents(folder):
    """Name -> bytes of every file below the folder."""
    return {str(f.relative_to(folder)): f.read_bytes() if f.is_file() else b"a folder"
            for f in sorted(folder.rglob("*"))}


class Disturber:
    def __init__(self, options):
        self.o = options
        self.env = dict(os.environ, OMP_NUM_THREADS="1", LC_ALL="C")
        for name in ("CKDA_TEST_SEED", "LD_PRELOAD"):
            self.env.pop(name, None)

    def program(self, case):
        return self.o.recheck if case.program == "ckda-recheck" else self.o.ckda

    def start(self, argv, folder, env):
        process = subprocess.Popen(argv, cwd=folder, env=env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            patience = COPIES_TIMEOUT if "FAULT_FORK" in env else TIMEOUT
            out, err = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            return Run("hangs", out, err, {})
        return Run(process.returncode, plain(out), err, contents(folder))

    def prepared(self, case, folder, earlier):
        for args in case.before:
            subprocess.run([self.o.ckda, *words(args)], cwd=folder, check=False,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.env)
        for name in case.writes if earlier else ():
            if "." in name:
                (folder / name).write_bytes(EARLIER)

    def once(self, case, how, earlier, kept=None):
        """how: {} undisturbed, {"FAULT_AT": n} for memory, [--at n ...] for calls."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name) / "work"
            if kept is not None:
                shutil.copytree(kept, folder)
            else:
                folder.mkdir()
            if earlier:
                self.prepared(case._replace(before=()), folder, True)
            argv = [self.program(case), *words(case.args)]
            env = self.env
            if isinstance(how, dict):
                env = dict(env, LD_PRELOAD=self.o.alloc, **how)
            else:
                argv = [self.o.call, "--preload", self.o.alloc, *how, *argv]
            run = self.start(argv, folder, env)
            if case.accepts and run.code != "hangs":
                self.check_accepted(case, folder, run)
            return run

    def check_accepted(self, case, folder, run):
        """Files whose bytes differ from run to run: instead, are they good?"""
        for name in case.writes:
            if run.files.get(name) in (None, EARLIER):
                continue
            done = subprocess.run([self.o.ckda, *words(case.accepts)], cwd=folder, check=False,
                                  env=self.env, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
            run.files[name] = b"good" if done.returncode in (0, 1, 3) else b"damaged"


def not_drawn(name, run):
    """gnuplot is another program: without it the picture is missing, and a line says so."""
    return name.endswith(".svg") and name.encode() + b" was not drawn" in run.err


def difference(case, run, want, before, told):
    """What is wrong with the files; None if nothing is."""
    for name, found in run.files.items():
        inside = any(name == w or name.startswith(w + "/") for w in case.writes)
        if name in before and found == before[name]:
            continue
        if inside and name in want.files and plain(found) == plain(want.files[name]):
            continue
        return f"{name}: {'changed' if name in want.files else 'left behind'}"
    missing = {name for name in set(before if told else want.files) - set(run.files)
               if not not_drawn(name, run)}
    return f"{min(missing)} is missing" if missing else None


def verdict(out):
    """Of a whole JSON document."""
    try:
        return json.loads(out).get("verdict")
    except (ValueError, AttributeError):
        return None


def says_why(run):
    """Is stdout the one document that stands for a lost answer, with --json?"""
    try:
        document = json.loads(run.out)
    except ValueError:
        return False
    return (isinstance(document, dict) and document.get("schema") == "ckda.error/1"
            and document.get("exit") == run.code and document.get("message", "") != "")


def outcome(case, run, want, before, memory):
    if run.code == "hangs":
        return "hangs", None
    if run.code == want.code and run.out == want.out:
        wrong = difference(case, run, want, before, False)
        return ("same", None) if wrong is None else ("FAULT", wrong)
    if run.code == want.code and memory and verdict(run.out) == verdict(want.out) is not None:
        wrong = difference(case, run, want, before, True)
        return ("verdict", None) if wrong is None else ("FAULT", wrong)
    out = b"" if says_why(run) else run.out.replace(b"Bail out! out of memory\n", b"")
    if memory and NAMED.search(run.out) and run.code in (3, want.code):
        wrong = difference(case, run, want, before, True)
        return ("told", None) if wrong is None else ("FAULT", wrong)
    if not want.out.startswith(out) and run.code != 4:
        return "FAULT", "stdout says something else"
    nomem = b"Cannot allocate memory" in run.err
    if memory:
        good = (run.code == 3 and TOLD.search(run.err)) or (run.code == 4 and nomem)
    else:
        good = run.code == 4
    if not good:
        return "FAULT", f"exit code {run.code}"
    if not run.err.strip() and run.out == want.out:
        return "FAULT", "no message"
    wrong = difference(case, run, want, before, True)
    return ("told", None) if wrong is None else ("FAULT", wrong)


# ---- points ---------------------------------------------------------------------------------

def memory_points(disturber, case, kept, everything, rng):
    with tempfile.TemporaryDirectory() as name:
        file = pathlib.Path(name) / "list"
        disturber.once(case, {"FAULT_LIST": str(file)}, False, kept)
        count, *places = map(int, file.read_text().split())
        forked, end, unclear = 0, 0, []
        if everything and not case.threads:
            step = count // FORKED + 1
            file.unlink()
            disturber.once(case, {"FAULT_FORK": str(file), "FAULT_STEP": str(step)}, False, kept)
            forked, end, *unclear = map(int, file.read_text().split())
    if case.threads and everything:
        chosen, sticky = places, rng.sample(places, min(150, len(places)))
    elif everything:
        later = range(end, count + 1) if end > 0 else []
        chosen = unclear + sorted(rng.sample(later, min(EXECUTED, len(later))))
        sticky = rng.sample(places, min(150, len(places)))
    else:
        chosen = rng.sample(places, min(SAMPLE_MEMORY, len(places)))
        sticky = rng.sample(places, min(SAMPLE_MEMORY // 4, len(places)))
    points = [({"FAULT_AT": str(n)}, f"allocation {n}") for n in chosen] + [
        ({"FAULT_FROM": str(n)}, f"allocations from {n} on") for n in sticky]
    return count, len(places), forked - len(unclear), points


def call_points(disturber, case, kept, everything, rng):
    with tempfile.TemporaryDirectory() as name:
        file = pathlib.Path(name) / "list"
        disturber.once(case, ["--list", str(file)], False, kept)
        calls = file.read_text().split()
    points = []
    for n, call in enumerate(calls, 1):
        for error in (errno.ENOSPC, errno.EIO):
            at = ["--error", str(error)]
            points.append((["--at", str(n), *at], f"{call} {n}, {errno.errorcode[error]}"))
            if call in ("write", "fsync") and error == errno.ENOSPC:
                points.append((["--from", str(n), *at],
                               f"all from {call} {n} on, {errno.errorcode[error]}"))
        if call in ("write", "read"):
            points.append((["--at", str(n), "--short"], f"{call} {n}, short"))
    count = len(calls)
    if not everything:
        points = rng.sample(points, min(SAMPLE_CALLS, len(points)))
    return count, None, 0, points


def disturbed(disturber, case, kind, options, pool):
    """One row of the table, and what was found wrong."""
    rng = random.Random(f"{case.name}/{kind}/1")
    with tempfile.TemporaryDirectory() as name:
        kept = pathlib.Path(name) / "kept"
        kept.mkdir()
        disturber.prepared(case, kept, False)
        start = contents(kept)
        want = disturber.once(case, {}, False, kept)
        again = disturber.once(case, {}, True, kept)
        if want.code not in (0, 1, 3) or again.out != want.out:
            return None, [f"undisturbed: exit code {want.code}, {want.err.decode()[:200]}"]
        find = memory_points if kind == "memory" else call_points
        count, places, forked, points = find(disturber, case, kept, options.all, rng)
        tally, faults = collections.Counter(), []

        def one(numbered):
            number, (how, words_of_it) = numbered
            earlier = number % 2 == 1
            before = dict(start)
            if earlier:
                before.update({w: EARLIER for w in case.writes if "." in w})
            run = disturber.once(case, how, earlier, kept)
            result, why = outcome(case, run, want, before, kind == "memory")
            return result, why, words_of_it, run

        for result, why, what, run in pool.map(one, enumerate(points)):
            tally[result] += 1
            if result not in ("same", "verdict", "told"):
                last = run.err.decode(errors="replace").strip().splitlines()[-1:]
                faults.append(f"{what}: {result} {why or ''}; exit {run.code}; {last}")
    row = {"command": case.name, "kind": kind, "reached": count, "places": places,
           "points": len(points) + forked, "told": tally["told"] + forked, "same": tally["same"],
           "verdict": tally["verdict"], "faults": len(faults), "exit": want.code}
    return row, faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ckda")
    parser.add_argument("recheck")
    parser.add_argument("alloc")
    parser.add_argument("call")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--kind", choices=("memory", "calls"))
    parser.add_argument("--table")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    for name in ("ckda", "recheck", "alloc", "call"):
        setattr(options, name, str(pathlib.Path(getattr(options, name)).resolve()))
    disturber = Disturber(options)
    kinds = [options.kind] if options.kind else ["memory", "calls"]
    traced = subprocess.run([options.call, "--preload", options.alloc, options.ckda, "--version"],
                            check=False, stdout=subprocess.DEVNULL)
    if traced.returncode == CANNOT:
        print("# calls are left out: this system does not let processes be traced")
        kinds = ["memory"]
    chosen = [c for c in CASES if re.search(options.only, c.name)]
    rows, number, failed = [], 0, False
    print(f"1..{len(chosen) * len(kinds)}")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case in chosen:
            for kind in kinds:
                number += 1
                row, faults = disturbed(disturber, case, kind, options, pool)
                good = row is not None and not faults
                failed |= not good
                what = "" if row is None else (f": {row['points']} of {row['reached']} points, "
                                               f"{row['told']} told, {row['same']} the same")
                print(f"{'ok' if good else 'not ok'} {number} - {case.name}, {kind}{what}")
                for fault in faults[:40]:
                    print("  # " + fault)
                sys.stdout.flush()
                rows += [row] if row else []
                if options.table:
                    pathlib.Path(options.table).write_text(json.dumps(rows, indent=1) + "\n")
    return failed


if __name__ == "__main__":
    sys.exit(main())
