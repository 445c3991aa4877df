#!/usr/bin/env python3
"""One, two and three processes give the same answer, certificate and graph.

usage: ranks.py PROGRAM [RECHECK]      (built with -Dmpi=enabled; needs mpirun)

Exact closures (signed permutations of 7, the A5 tracker) and rounded ones (all words of a
tracker): answers, limits, killed searches that go on, files that are refused, certificates
byte for byte (and by RECHECK), and the memory of each process.  Prints TAP.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = sys.argv[1]
RECHECK = sys.argv[2:]
B7 = str(ROOT / "data/reach/b7.json")
E7 = str(ROOT / "data/reach/we7.json")
# closed; closed over 278 levels; a word that fails; open at a limit
GRID16 = ("A5", "--grid", "16", "--keys", "bf16")
DEEP = ("Z4", "--construction", "planar", "--state", "bf16", "--keys", "bf16")
FAILING = ("Z5", "--grid", "5", "--keys", "fp32")
OPEN = ("Z5", "--construction", "planar", "--state", "bf16", "--keys", "fp32")
HALF = ("S4", "--construction", "quaternion", "--state", "bf16", "--keys", "bf16")
LARGE = ("A5", "--state", "bf16", "--keys", "fp32")
WANT = ("verdict", "states", "edges", "levels", "exactness", "limit", "decoded",
        "states_per_element", "decoder_consistent")
# many processes on few cores must not wait by spinning
ENV = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1", OMP_WAIT_POLICY="passive")


def mpirun(ranks, *args):
    start = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks)]
    return start + [PROGRAM, *map(str, args)]


def command(ranks, *args):
    return mpirun(ranks, "reach", *args)


def words(ranks, *args):
    return mpirun(ranks, "audit", "--all-words", *args)


def finish(line, codes):
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV,
                          timeout=600, check=False)
    assert done.returncode in codes, (done.returncode, done.stderr.decode())
    return done


def run(ranks, *args, codes=(0,)):
    return finish(command(ranks, *args), codes).stdout.decode()


def rounded(ranks, *args, codes=(0,)):
    """The whole answer but for the clock."""
    got = json.loads(finish(words(ranks, *args, "--json"), codes).stdout.decode())
    text = json.dumps(got, sort_keys=True)
    return re.sub(r'"seconds": [^,}]*', '"seconds": 0', text)


def answer(ranks, *args, codes=(0,)):
    got = json.loads(run(ranks, *args, "--json", codes=codes))
    return {key: got.get(key) for key in WANT}


def signed_permutations(_folder):
    one = answer(1, B7)
    assert one["states"] == 645120
    for ranks in (2, 3):
        assert answer(ranks, B7) == one


def certificate_and_graph_of_a5(folder):
    for ranks in (1, 2, 3):
        run(ranks, "A5", "--certificate", folder / f"c{ranks}", "--npy",
            folder / f"n{ranks}")
    for kind in "cn":
        files = [(folder / f"{kind}{ranks}").read_bytes() for ranks in (1, 2, 3)]
        assert files[0] == files[1] == files[2]
    assert answer(1, "A5") == answer(3, "A5")


def limits(_folder):
    for limit in (["--max-states", "12345"], ["--max-states", "1"]):
        one = answer(1, B7, *limit, codes=(3,))
        for ranks in (2, 3):
            assert answer(ranks, B7, *limit, codes=(3,)) == one
    for ranks in (2, 3):
        got = answer(ranks, B7, "--max-memory", "4M", codes=(3,))
        assert got["limit"] == "memory" and got["states"] > 40000, got


def wait_for_all(folder, ranks, process):
    while process.poll() is None:
        if all(list(folder.glob(f"k.{rank}-of-{ranks}.*")) for rank in range(ranks)):
            return
        time.sleep(0.01)


def killed_and_resumed(folder):
    one = answer(1, B7)
    for ranks in (2, 3):
        process = subprocess.Popen(
            command(ranks, B7, "--checkpoint", folder / "k", "--checkpoint-every", "0.2"),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENV,
            start_new_session=True)
        wait_for_all(folder, ranks, process)
        time.sleep(0.3)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert answer(ranks, B7, "--resume", folder / "k") == one


def other_number_of_processes_is_refused(folder):
    run(2, B7, "--max-states", "5000", "--checkpoint", folder / "o", codes=(3,))
    run(3, B7, "--resume", folder / "o", codes=(4,))


def rounded_closures_are_the_same(folder):
    for number, (question, code) in enumerate(((GRID16, 0), (DEEP, 0), (FAILING, 1))):
        answers, files = set(), []
        for ranks in (1, 2, 3):
            file = folder / f"w{number}-{ranks}"
            answers.add(rounded(ranks, *question, "--certificate", file, codes=(code,)))
            files.append(file.read_bytes())
        assert len(answers) == 1, answers
        assert files[0] == files[1] == files[2]
        if RECHECK:
            done = subprocess.run([*RECHECK, str(folder / f"w{number}-3")],
                                  stdout=subprocess.PIPE, check=False)
            assert b"s VERIFIED" in done.stdout, done.stdout


def rounded_by_columns(_folder):
    one = rounded(1, "S4", "--state", "bf16", "--columns")
    assert rounded(3, "S4", "--state", "bf16", "--columns") == one


def rounded_limits(_folder):
    one = rounded(1, *OPEN, "--max-states", "50000", codes=(1, 3))
    for ranks in (2, 3):
        assert rounded(ranks, *OPEN, "--max-states", "50000", codes=(1, 3)) == one
        for limit, value in (("memory", "5M"), ("time", "0.8")):
            done = finish(words(ranks, *HALF, f"--max-{limit}", value, "--json"), (3,))
            got = json.loads(done.stdout)
            assert got["limit"] == limit and got["states"] > 1000, got


def rounded_killed_and_resumed(folder):
    one = rounded(1, *OPEN, "--max-states", "400000", codes=(1, 3))
    for ranks in (2, 3):
        process = subprocess.Popen(
            words(ranks, *OPEN, "--max-states", "400000", "--checkpoint", folder / "k",
                  "--checkpoint-every", "0.1"),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENV,
            start_new_session=True)
        wait_for_all(folder, ranks, process)
        time.sleep(0.2)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert rounded(ranks, *OPEN, "--max-states", "400000", "--resume", folder / "k",
                       codes=(1, 3)) == one


def rounded_files_of_others_are_refused(folder):
    finish(words(2, *OPEN, "--max-states", "5000", "--checkpoint", folder / "o"), (1, 3))
    for ranks, question, said in ((3, OPEN, b"saved by 3 processes, found one saved by 2"),
                                  (1, OPEN, b"saved by 1 process, found one saved by 2"),
                                  (2, DEEP, b"found Z5 by planar")):
        done = finish(words(ranks, *question, "--resume", folder / "o"), (4,))
        assert done.stderr.count(said) == 1 and not done.stdout, done.stderr


def rounded_memory_falls_with_the_processes(folder):
    falls(folder, words(1, *LARGE, "--max-states", "2000000"))


def peak(folder, line, ranks):
    """The largest resident set of a process, in bytes."""
    script = folder / "peak.sh"
    script.write_text('#!/bin/sh\n"$@" >/dev/null & pid=$!\nm=0\n'
                      'while r=$(awk \'/VmHWM/ {print $2}\' /proc/$pid/status 2>/dev/null)'
                      ' && [ -n "$r" ]; do m=$r; sleep 0.05; done\necho "peak $m"\n')
    script.chmod(0o755)
    line = list(line)
    line[line.index("-n") + 1] = str(ranks)
    line.insert(line.index(PROGRAM), str(script))
    done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          env=ENV, timeout=600, check=False)
    return 1024 * max(int(n) for n in re.findall(rb"peak (\d+)", done.stdout))


def falls(folder, line):
    """25 MB of each process are the program and MPI."""
    sizes = [peak(folder, line, ranks) for ranks in (1, 2, 3)]
    print("  # bytes of the largest process:", *sizes)
    assert sizes[1] < 0.85 * sizes[0] and sizes[2] < 0.85 * sizes[1]


def memory_falls_with_the_processes(folder):
    falls(folder, command(1, E7, "--max-states", "1500000"))


def main():
    checks = [signed_permutations, certificate_and_graph_of_a5, limits, killed_and_resumed,
              other_number_of_processes_is_refused, memory_falls_with_the_processes,
              rounded_closures_are_the_same, rounded_by_columns, rounded_limits,
              rounded_killed_and_resumed, rounded_files_of_others_are_refused,
              rounded_memory_falls_with_the_processes]
    failed = 0
    print(f"1..{len(checks)}")
    for number, check in enumerate(checks, 1):
        with tempfile.TemporaryDirectory() as name:
            try:
                check(pathlib.Path(name))
                print(f"ok {number} - {check.__name__}")
            except AssertionError as fault:
                failed += 1
                print(f"not ok {number} - {check.__name__}\n  # {fault!r}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
