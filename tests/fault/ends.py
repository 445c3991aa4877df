#!/usr/bin/env python3
"""Sudden ends and bad surroundings, through the doors that a user has.

usage: ends.py CKDA

Signals at random moments (the seed is fixed), a full disk, a pipe that nobody reads, a folder
that cannot be written to, a link, a folder where a file should be, saved searches cut short at
many places.  Prints TAP.
"""
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
CKDA = str(pathlib.Path(sys.argv[1]).resolve())
IN = ROOT / "tests" / "golden" / "in"
MOMENTS = 6


def run(folder, *args, **more):
    return subprocess.run([CKDA, *map(str, args)], cwd=folder, check=False, timeout=120,
                          stdin=subprocess.DEVNULL, **{"stdout": subprocess.PIPE,
                                                       "stderr": subprocess.PIPE, **more})


def names(folder):
    return sorted(f.name for f in folder.iterdir())


def killed(folder, number, after, *args):
    """Starts a command, sends a signal after so many seconds."""
    process = subprocess.Popen([CKDA, *map(str, args)], cwd=folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    time.sleep(after)
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err.decode()


def stopped_search(folder, rng):
    """SIGINT, SIGTERM: one whole document, undecided, and a saved search to go on from."""
    for number in (signal.SIGINT, signal.SIGTERM):
        for _ in range(MOMENTS // 2):
            code, out, err = killed(folder, number, 0.1 + 0.4 * rng.random(), "reach",
                                    ROOT / "data/reach/we7.json", "--max-states", 10**8, "--json",
                                    "--checkpoint", "s.ckpt")
            if code == -number:  # before the search began: nothing is there
                assert not out and names(folder) in ([], ["s.ckpt"]), (out, names(folder))
                continue
            got = json.loads(out)
            assert code == 3 and got["limit"] == "interrupted", (code, got["limit"], err)
            assert names(folder) == ["s.ckpt"], names(folder)
            assert "--resume s.ckpt" in err, err
            more = run(folder, "reach", ROOT / "data/reach/we7.json", "--max-states",
                       got["states"] + 1000, "--json", "--resume", "s.ckpt")
            assert more.returncode == 3 and json.loads(more.stdout)["states"] > got["states"]


def stopped_audit(folder, rng):
    for number in (signal.SIGINT, signal.SIGTERM):
        for _ in range(MOMENTS // 2):
            code, out, err = killed(folder, number, 0.1 + 0.3 * rng.random(), "audit", "A5",
                                    "--all-words", "--state", "bf16", "--max-states", 10**8,
                                    "--json", "--checkpoint", "w.ckpt")
            if code == -number:
                assert not out, out
                continue
            assert code == 3 and json.loads(out)["verdict"] == "undecided", (code, out[:300], err)
            assert names(folder) == ["w.ckpt"], names(folder)
            assert "--resume w.ckpt" in err, err


def stopped_verify(folder, rng):
    """What was checked is reported; no verdict on the rest."""
    for number in (signal.SIGINT, signal.SIGTERM):
        code, out, err = killed(folder, number, 0.4 + 0.5 * rng.random(), "verify", "--json")
        if code == -number:
            assert not out
            continue
        got = json.loads(out)
        assert code == 3 and "interrupted after" in err, (code, err)
        assert all(c["verdict"] != "undecided" or c["seconds"] >= 0 for c in got["claims"])


def no_half_report(folder, rng):
    """Killed twice, or by SIGHUP, in the middle of its folder: nothing is left."""
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
        process = subprocess.Popen([CKDA, "report", "-o", "page", "C-BUF2", "-q"], cwd=folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        end = time.monotonic() + 30
        while not names(folder) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.005)
        process.send_signal(number)
        time.sleep(0.02 * rng.random())
        process.send_signal(number)
        process.communicate(timeout=60)
        assert names(folder) in ([], ["page"]), names(folder)
        if names(folder):  # it was faster
            assert (folder / "page" / "index.html").exists()
            break


WRITERS = [
    ("reach", "S3", "--certificate", "FILE"), ("reach", "S3", "--dot", "FILE"),
    ("reach", "S3", "--npy", "FILE"), ("reach", "S3", "--gap", "FILE"),
    ("reach", "S3", "--graphml", "FILE"),
    ("reach", IN / "octahedron.json", "--max-states", "10", "--checkpoint", "FILE"),
    ("audit", "Z5", "--all-words", "--state", "bf16", "--max-states", "200", "--checkpoint",
     "FILE"),
    ("audit", "Z5", "--all-words", "--grid", "3", "--certificate", "FILE"),
    ("compile", IN / "flip-flop.json", "-o", "FILE"), ("construct", IN / "q8.json", "-o", "FILE"),
    ("factor", IN / "rho.json", "--certificate", "FILE"),
    ("decompose", IN / "dpr1.json", "--certificate", "FILE"),
    ("sweep", "--figure", "2", "--cells", "3", "--csv", "FILE"),
    ("verify", "C-COST", "--junit", "FILE"),
]


def writers(name):
    for args in WRITERS:
        yield [name if a == "FILE" else a for a in args]


def full_disk(folder, _rng):
    """A device without room: exit code 4 and the system's words; stdout likewise."""
    if not os.path.exists("/dev/full"):
        return
    (folder / "full").symlink_to("/dev/full")
    for args in writers("full"):
        if "--checkpoint" in args:
            continue  # a saved search replaces what stands there
        done = run(folder, *args)
        assert done.returncode == 4 and b"No space left" in done.stderr, (args, done)
        assert names(folder) == ["full"], names(folder)
    with open("/dev/full", "wb") as full:
        for args in (["list"], ["reach", "A5", "--json"], ["verify", "C-COST", "--tap"]):
            done = run(folder, *args, stdout=full)
            assert done.returncode == 4, (args, done)
            assert b"standard output" in done.stderr, done.stderr


def full_folder(folder, _rng):
    """A file system that fills up, where one may be mounted: the earlier file stays."""
    place = folder / "small"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", place], check=False,
                      stderr=subprocess.DEVNULL).returncode != 0:
        return
    try:
        before = b"x" * 8000  # two pages of four, the folder itself takes none
        (place / "file").write_bytes(before)
        (place / "rest").write_bytes(before)
        for args in writers("small/file"):
            done = run(folder, *args)
            assert done.returncode == 4 and b"No space left" in done.stderr, (args, done)
            assert names(place) == ["file", "rest"], (args, names(place))
            assert (place / "file").read_bytes() == before, args
    finally:
        subprocess.run(["umount", place], check=True)


def closed_pipe(folder, _rng):
    """`| head -1`: quiet, exit code 4, at once."""
    for args in (["list", "--json"], ["verify", "cor19", "--tap"], ["reach", "A5"]):
        reading, writing = os.pipe()
        os.close(reading)
        done = run(folder, *args, stdout=writing)
        os.close(writing)
        assert done.returncode == 4 and done.stderr == b"", (args, done)


def no_permission(folder, _rng):
    place = folder / "closed"
    place.mkdir()
    (place / "file").write_bytes(b"earlier")
    place.chmod(0o555)
    user = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
    if user:
        folder.chmod(0o755)
        if any(not os.stat(p).st_mode & 0o001 for p in [*folder.parents, *IN.parents]) or not (
                os.stat(CKDA).st_mode & 0o005):
            place.chmod(0o755)
            return  # nobody cannot come here
    for args in writers("closed/file"):
        done = run(folder, *args, **user)
        assert done.returncode == 4 and b"Permission denied" in done.stderr, (args, done)
        assert names(place) == ["file"], names(place)
        assert (place / "file").read_bytes() == b"earlier"
    done = run(folder, "report", "-o", "closed/page", "C-COST", **user)
    assert done.returncode == 4 and b"Permission denied" in done.stderr, done
    place.chmod(0o755)


def folder_for_a_file(folder, _rng):
    (folder / "file").mkdir()
    for args in writers("file"):
        done = run(folder, *args)
        assert done.returncode == 4 and b"file" in done.stderr, (args, done)
        assert names(folder) == ["file"] and not names(folder / "file"), args
    (folder / "file").rmdir()
    (folder / "page").write_bytes(b"earlier")
    done = run(folder, "report", "-o", "page", "C-COST")
    assert done.returncode == 4, done
    assert (folder / "page").read_bytes() == b"earlier"


def links(folder, _rng):
    """A link stays one, what it leads to is replaced; one to nothing is refused."""
    for args in writers("link"):
        if "--checkpoint" in args:
            continue
        (folder / "target").write_bytes(b"earlier")
        (folder / "link").symlink_to("target")
        done = run(folder, *args)
        assert done.returncode in (0, 1), (args, done)
        assert (folder / "link").is_symlink(), args
        assert (folder / "target").read_bytes() != b"earlier", args
        (folder / "target").unlink()
        (folder / "link").unlink()


def cut_searches(folder, _rng):
    """A saved search of every length below its own, or with one byte changed, is refused."""
    for args in (["reach", IN / "octahedron.json", "--max-states", "10"],
                 ["audit", "Z5", "--all-words", "--state", "bf16", "--max-states", "100"]):
        run(folder, *args, "--checkpoint", "s.ckpt")
        whole = (folder / "s.ckpt").read_bytes()
        step = max(1, len(whole) // 40)
        for length in [*range(0, len(whole), step), len(whole) - 1]:
            (folder / "cut").write_bytes(whole[:length])
            done = run(folder, *args, "--resume", "cut")
            assert done.returncode == 4 and done.stdout == b"", (args, length, done)
            assert b"cut: expected" in done.stderr, (length, done.stderr)
        for at in range(0, len(whole), step):
            (folder / "cut").write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
            done = run(folder, *args, "--resume", "cut")
            assert done.returncode == 4 and done.stdout == b"", (args, at, done)


CHECKS = [stopped_search, stopped_audit, stopped_verify, no_half_report, full_disk, full_folder,
          closed_pipe, no_permission, folder_for_a_file, links, cut_searches]


def main():
    chosen = [c for c in CHECKS if not sys.argv[2:] or c.__name__ in sys.argv[2:]]
    failed = 0
    print(f"1..{len(chosen)}")
    for number, check in enumerate(chosen, 1):
        with tempfile.TemporaryDirectory() as name:
            try:
                check(pathlib.Path(name), random.Random(1))
                print(f"ok {number} - {check.__name__}")
            except (AssertionError, subprocess.TimeoutExpired, OSError) as fault:
                failed += 1
                print(f"not ok {number} - {check.__name__}\n  # {fault!r}"[:1500])
        sys.stdout.flush()
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
