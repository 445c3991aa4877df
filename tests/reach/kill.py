#!/usr/bin/env python3
"""Searches that are killed, interrupted and resumed answer as if nothing had happened.

usage: kill.py PROGRAM [DOCUMENT]        (default: data/reach/we7.json, stopped early)

Kills (SIGKILL) a search that saves itself often, more than once, going on from the last
file each time; interrupts one (SIGINT); and compares with an undisturbed run: states,
edges, levels, exactness, and the certificate byte for byte.  Prints TAP.
"""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = sys.argv[1]
LARGE = len(sys.argv) > 2
DOCUMENT = sys.argv[2] if LARGE else str(ROOT / "data/reach/we7.json")
MOST = "100000000" if LARGE else "300000"
KILLS = 3
WANT = ("verdict", "states", "edges", "levels", "exactness", "limit")


def command(*more):
    return [PROGRAM, "reach", DOCUMENT, "--max-states", MOST, "--max-memory", "16G",
            "--json", *map(str, more)]


def answer(*more):
    done = subprocess.run(command(*more), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    assert done.returncode in (0, 3), done.stderr.decode()
    got = json.loads(done.stdout)
    return {key: got[key] for key in WANT}


def wait_for_newer(file, old, process):
    """A new file, or the end of the process."""
    while process.poll() is None:
        if file.exists() and file.stat().st_mtime_ns != old:
            return
        time.sleep(0.002)


def killed_again_and_again(folder, whole):
    file = folder / "k.ckpt"
    resume = []
    for _ in range(KILLS):
        old = file.stat().st_mtime_ns if file.exists() else 0
        process = subprocess.Popen(
            command("--checkpoint", file, "--checkpoint-every", "0.02", *resume),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for_newer(file, old, process)
        time.sleep(0.01)  # into the middle of something
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert file.exists(), "no saved search"
        resume = ["--resume", file]
    assert answer(*resume) == whole
    assert answer("--threads", "2", *resume) == whole


def interrupted(folder, whole):
    file = folder / "i.ckpt"
    process = subprocess.Popen(
        command("--checkpoint", file, "--checkpoint-every", "1000"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.15)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    got = json.loads(out)
    if got["limit"] == "interrupted":
        assert process.returncode == 3, err
        assert got["verdict"] == "undecided" and got["states"] > 0
        assert sum(got["levels"]) == got["states"]
    assert answer("--resume", file) == whole


def half_of_a_file(folder, whole):
    file = folder / "k.ckpt"
    broken = folder / "h.ckpt"
    broken.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    done = subprocess.run(command("--resume", broken), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)
    assert done.returncode == 4 and json.loads(done.stdout)["exit"] == 4, done
    assert b"h.ckpt: expected the sum that closes the file" in done.stderr, done.stderr
    assert whole


def certificate_is_the_same(folder, whole):
    """A5 with its graph: stopped, resumed, certificates compared."""
    run = [PROGRAM, "reach", "A5", "--certificate"]
    file, plain, resumed = folder / "c.ckpt", folder / "plain", folder / "resumed"
    first = subprocess.run(run + [str(resumed), "--max-states", "2000", "--checkpoint",
                                  str(file)], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=False)
    assert first.returncode == 3
    subprocess.run(run + [str(resumed), "--resume", str(file), "--threads", "2"],
                   stdout=subprocess.DEVNULL, check=True)
    subprocess.run(run + [str(plain)], stdout=subprocess.DEVNULL, check=True)
    assert plain.read_bytes() == resumed.read_bytes()
    assert whole


def main():
    checks = [killed_again_and_again, half_of_a_file, interrupted]
    if not LARGE:
        checks.append(certificate_is_the_same)
    failed = 0
    print(f"1..{len(checks)}")
    with tempfile.TemporaryDirectory() as name:
        whole = answer()
        for number, check in enumerate(checks, 1):
            try:
                check(pathlib.Path(name), whole)
                print(f"ok {number} - {check.__name__}")
            except AssertionError as fault:
                failed += 1
                print(f"not ok {number} - {check.__name__}\n  # {fault!r}")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
