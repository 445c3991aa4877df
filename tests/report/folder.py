#!/usr/bin/env python3
"""Is the folder of a report always whole, and does it keep what is not the report's?  Prints TAP.

usage: folder.py CKDA KILL_AT.so

A new report goes over an earlier one and is ended before each of its steps (kill_at.c).  What
lies there must be the earlier report or the new one.  Whole means: the files that report.json
lists and no other, and each number of the page is that of the JSON (the times of two runs
differ, so that a page and a JSON of two runs are told apart).
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import run as pages  # noqa: E402
import taplines  # noqa: E402

CKDA, PRELOAD = (str(pathlib.Path(a).resolve()) for a in sys.argv[1:3])
EARLIER = ["sec3*", "C-15n", "--certificates", "--no-pictures"]  # data and scripts of pictures are there
NEW = ["sec3.eq2", "--claims-only"]
MOST = 200  # steps of one run


def report(to, args, preload=None, **more):
    env = dict(os.environ, **({"LD_PRELOAD": PRELOAD, **preload} if preload else {}))
    return subprocess.run([CKDA, "report", "-o", str(to), *args], env=env, stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=120, **more)


def files(folder):
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if not p.is_dir()}


def listed(folder):
    report_json = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    found = {"index.html", "report.json"}
    for picture in report_json["pictures"]:
        found |= {picture["data"], picture["script"]} - {None}
        found |= {f"pictures/{picture['name']}.svg"} if picture["drawn"] else set()
    found |= {f["file"] for f in report_json["certificates"]["files"]}
    return found | ({"certificates/index.json"} if "--certificates" in report_json["command"] else set())


def which(folder):
    """"earlier" or "new", with what is wrong with it."""
    page = pages.Page(folder)
    faults = list(pages.numbers_equal(page))
    return ("new" if len(page.json["claims"]) == 1 else "earlier"), faults


def whole(folder, own=frozenset()):
    """Complaints, and which report it is."""
    kind, faults = which(folder)
    if files(folder) - own != listed(folder):
        faults.append(f"{kind}: {sorted((files(folder) - own) ^ listed(folder))}")
    if (kind == "earlier") != (folder / "pictures").is_dir():
        faults.append(f"{kind}: a folder too many or too few")
    return kind, faults


def leftovers(folder):
    """Only what says by its name that it is one."""
    return [p for p in folder.iterdir() if re.fullmatch(r"r\.\w{6}", p.name)]


class Place:
    """A folder with an earlier report r, made once."""

    def __init__(self, top):
        self.model = top / "model"
        self.number = 0
        self.steps = MOST  # of a run that nobody ends, once that is known
        self.top = top
        done = report(self.model, EARLIER)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)

    def fresh(self):
        self.number += 1
        folder = self.top / f"place{self.number}"
        folder.mkdir()
        shutil.copytree(self.model, folder / "r")
        return folder


def ended_everywhere(place, look, **preload):
    """Runs that end before their first, second, ... step, and one that does not end."""
    for step in range(1, MOST):
        folder = place.fresh()
        done = report(folder / "r", NEW, {"KILL_AT": str(step), **preload})
        yield from (f"step {step}: {fault}" for fault in look(folder, done))
        shutil.rmtree(folder)
        if done.returncode == 0 and "KILL_BY" not in preload:
            place.steps = step
            return
        if step >= place.steps:
            return
    yield f"more than {MOST} steps"


def killed_anywhere(place):
    seen = set()

    def look(folder, done):
        kind, faults = whole(folder / "r")
        seen.add(kind)
        yield from faults
        rest = [p for p in folder.iterdir() if p.name != "r"]
        if rest != leftovers(folder) or (done.returncode == 0 and rest):
            yield f"exit {done.returncode}, beside it: {rest}"
    yield from ended_everywhere(place, look)
    if seen != {"earlier", "new"}:
        yield f"seen {seen}"


def killed_where_nothing_can_be_exchanged(place):
    """Between the two renames none is in its place, but both are there."""
    away = []

    def look(folder, done):
        if (folder / "r").exists():
            yield from whole(folder / "r")[1]
        else:
            away.append(sorted(whole(p) for p in leftovers(folder)))
        if done.returncode == 0 and [p.name for p in folder.iterdir()] != ["r"]:
            yield f"beside it: {list(folder.iterdir())}"
    yield from ended_everywhere(place, look, KILL_NO_EXCHANGE="1")
    if away != [[("earlier", []), ("new", [])]]:
        yield f"{away}"


def ctrl_c_anywhere(place):
    """Nothing is left beside it, whichever signal came."""
    for number in (signal.SIGINT, signal.SIGHUP):
        def look(folder, done):
            yield from whole(folder / "r")[1]
            if [p.name for p in folder.iterdir()] != ["r"] or done.returncode not in (0, 3, -number):
                yield f"exit {done.returncode}: {list(folder.iterdir())}"
        yield from ended_everywhere(place, look, KILL_BY=str(int(number)))


def own_files_stay(place):
    """With files of one's own the report goes in file by file; they are not even moved."""
    own = {"notes.txt": "mine", "pictures/mine.png": "my picture", "certificates/mine.cert": "my certificate"}
    seen = set()

    def look(folder, done):
        here = folder / "r"
        for name, text in own.items():
            if (here / name).read_text(encoding="utf-8") != text:
                yield f"{name} is another"
        if done.returncode != 0:
            page = (here / "index.html").read_bytes()
            seen.add(page == (place.model / "index.html").read_bytes())
            if not page.rstrip().endswith(b"</html>"):
                yield "half a page"
            return
        if files(here) - set(own) != listed(here) or which(here) != ("new", []):
            yield f"{files(here)}"
        if [p.name for p in folder.iterdir()] != ["r"] or before[0] != here.stat().st_ino:
            yield "another folder"
    before = [None]
    plain_fresh = place.fresh

    def fresh():
        folder = plain_fresh()
        for name, text in own.items():
            (folder / "r" / name).write_text(text, encoding="utf-8")
        before[0] = (folder / "r").stat().st_ino
        return folder
    place.fresh = fresh
    try:
        yield from ended_everywhere(place, look)
    finally:
        place.fresh = plain_fresh
    if seen != {True, False}:
        yield f"seen {seen}"


def one_may_stand_in_it(place):
    """A shell that stands there finds the new report."""
    for below in (".", "pictures"):
        folder = place.fresh()
        before = (folder / "r").stat().st_ino
        done = report("." if below == "." else "..", NEW, cwd=folder / "r" / below)
        kind, faults = whole(folder / "r") if below == "." else which(folder / "r")
        if done.returncode != 0 or kind != "new" or faults or (folder / "r").stat().st_ino != before:
            yield f"{below}: exit {done.returncode}: {done.stderr} {kind} {faults}"
        if [p.name for p in folder.iterdir()] != ["r"]:
            yield f"beside it: {list(folder.iterdir())}"


def a_link_stays_one(place):
    folder = place.fresh()
    (folder / "link").symlink_to("r")
    done = report(folder / "link", NEW)
    if done.returncode != 0 or not (folder / "link").is_symlink() or whole(folder / "r") != ("new", []):
        yield f"exit {done.returncode}: {done.stderr}"


def permissions_stay(place):
    folder = place.fresh()
    (folder / "r").chmod(0o750)
    done = report(folder / "r", NEW)
    mode = (folder / "r").stat().st_mode & 0o7777
    if done.returncode != 0 or mode != 0o750 or whole(folder / "r") != ("new", []):
        yield f"exit {done.returncode}: {done.stderr}, mode {mode:o}"


def by_another(folder):
    """Arguments that run a program without the rights of root; None: this cannot be tried here."""
    if os.geteuid() != 0:
        return {}
    path = [pathlib.Path(CKDA), *pathlib.Path(CKDA).parents, *folder.parents]
    if any(not p.stat().st_mode & 0o001 for p in path):
        return None
    for p in [folder / "r", *(folder / "r").rglob("*")]:
        os.chown(p, 65534, 65534)
    return {"user": 65534, "group": 65534}


def beside_nothing_can_be_made(place):
    """The parent cannot be written to: it is made inside."""
    folder = place.fresh()
    who = by_another(folder)
    folder.chmod(0o555)
    if who is None:
        return
    done = report(folder / "r", NEW, **who)
    folder.chmod(0o755)
    if done.returncode != 0 or whole(folder / "r") != ("new", []):
        yield f"exit {done.returncode}: {done.stderr}"


def it_cannot_be_written_to(place):
    """Told with its name, and nothing is changed."""
    folder = place.fresh()
    who = by_another(folder)
    (folder / "r").chmod(0o555)
    if who is None:
        return
    done = report(folder / "r", NEW, **who)
    if done.returncode != 4 or "r: cannot be written to: Permission denied" not in done.stderr:
        yield f"exit {done.returncode}: {done.stderr}"
    if whole(folder / "r") != ("earlier", []) or [p.name for p in folder.iterdir()] != ["r"]:
        yield f"{files(folder)}"


def it_is_a_mounted_disk(place):
    """Where one may be mounted; nothing can be moved there from beside it."""
    folder = place.fresh()
    if subprocess.run(["mount", "-t", "tmpfs", "none", str(folder / "r")], check=False,
                      stderr=subprocess.DEVNULL).returncode != 0:
        return
    try:
        for args, kind in ((EARLIER, "earlier"), (NEW, "new")):
            done = report(folder / "r", args)
            if done.returncode != 0 or whole(folder / "r") != (kind, []):
                yield f"exit {done.returncode}: {done.stderr}, {kind}"
    finally:
        subprocess.run(["umount", str(folder / "r")], check=True)


def report_json_is_not_believed_outside(place):
    """A list that leads out of the folder removes nothing there."""
    folder = place.fresh()
    (folder / "victim").write_text("mine", encoding="utf-8")
    (folder / "r" / "notes.txt").write_text("mine", encoding="utf-8")
    file = folder / "r" / "report.json"
    claimed = json.loads(file.read_text(encoding="utf-8"))
    claimed["pictures"] = [{"name": "../../victim", "data": "../victim", "script": "pictures/../../victim"},
                           {"name": "..", "data": str(folder / "victim"), "script": "notes.txt"},
                           {"name": 1, "data": None, "script": ["victim"]}]
    claimed["certificates"] = {"files": [{"file": "certificates/../notes.txt"}, {"file": "certificates/"}, 7]}
    file.write_text(json.dumps(claimed), encoding="utf-8")
    done = report(folder / "r", NEW)
    if done.returncode != 0 or not (folder / "victim").exists() or not (folder / "r" / "notes.txt").exists():
        yield f"exit {done.returncode}: {done.stderr} {files(folder)}"


def nothing_of_the_earlier_one_is_left(place):
    """An index of certificates that no report listed is somebody's own."""
    folder = place.fresh()
    shutil.rmtree(folder / "r")
    report(folder / "r", NEW)
    (folder / "r" / "certificates").mkdir()
    (folder / "r" / "certificates" / "index.json").write_text("mine", encoding="utf-8")
    done = report(folder / "r", NEW)
    if done.returncode != 0 or (folder / "r" / "certificates" / "index.json").read_text(encoding="utf-8") != "mine":
        yield f"exit {done.returncode}: {done.stderr}"
    done = report(folder / "r", EARLIER)  # has one itself, and the third has none
    more = report(folder / "r", NEW)
    if (done.returncode, more.returncode) != (0, 0) or whole(folder / "r") != ("new", []):
        yield f"{files(folder / 'r')}"


CHECKS = [killed_anywhere, killed_where_nothing_can_be_exchanged, ctrl_c_anywhere, own_files_stay, one_may_stand_in_it,
          a_link_stays_one, permissions_stay, beside_nothing_can_be_made, it_cannot_be_written_to,
          it_is_a_mounted_disk, report_json_is_not_believed_outside, nothing_of_the_earlier_one_is_left]


def main():
    tap = taplines.Tap()
    with tempfile.TemporaryDirectory() as name:
        pathlib.Path(name).chmod(0o755)
        place = Place(pathlib.Path(name))
        for check in CHECKS:
            tap.complaints(list(check(place)), check.__name__.replace("_", " "))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
