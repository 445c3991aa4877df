#!/usr/bin/env python3
"""One, two and three processes give the same answer, certificate and graph.

usage: ranks.py PROGRAM        (built with -Dmpi=enabled; needs mpirun)

Signed permutations of 7 and the A5 tracker, limits, a killed search that goes on, and the
memory of each process.  Prints TAP.
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
B7 = str(ROOT / "data/reach/b7.json")
E7 = str(ROOT / "data/reach/we7.json")
WANT = ("verdict", "states", "edges", "levels", "exactness", "limit", "decoded",
        "states_per_element", "decoder_consistent")
# many processes on few cores must not wait by spinning
ENV = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1", OMP_WAIT_POLICY="passive")


def command(ranks, *args):
    start = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks)]
    return start + [PROGRAM, "reach", *map(str, args)]


def run(ranks, *args, codes=(0,)):
    done = subprocess.run(command(ranks, *args), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=ENV, timeout=600, check=False)
    assert done.returncode in codes, (done.returncode, done.stderr.decode())
    return done.stdout.decode()


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


def peak(folder, ranks):
    """The largest resident set of a process, in bytes."""
    script = folder / "peak.sh"
    script.write_text('#!/bin/sh\n"$@" >/dev/null & pid=$!\nm=0\n'
                      'while r=$(awk \'/VmHWM/ {print $2}\' /proc/$pid/status 2>/dev/null)'
                      ' && [ -n "$r" ]; do m=$r; sleep 0.05; done\necho "peak $m"\n')
    script.chmod(0o755)
    words = command(ranks, E7, "--max-states", "1500000")
    words.insert(words.index(PROGRAM), str(script))
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          env=ENV, timeout=600, check=False)
    return 1024 * max(int(n) for n in re.findall(rb"peak (\d+)", done.stdout))


def memory_falls_with_the_processes(folder):
    sizes = [peak(folder, ranks) for ranks in (1, 2, 3)]
    print("  # bytes of the largest process:", *sizes)
    assert sizes[1] < 0.8 * sizes[0] and sizes[2] < 0.85 * sizes[1]


def main():
    checks = [signed_permutations, certificate_and_graph_of_a5, limits, killed_and_resumed,
              other_number_of_processes_is_refused, memory_falls_with_the_processes]
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
