#!/usr/bin/env python3
"""Writes reports and compares the pages with their JSON.  Prints TAP.

usage: run.py CKDA

Every number on the page stands in an element that names its place in report.json (data-at, a
JSON pointer): the two must agree, and outside of such elements the page has no digit at all.
Pictures are compared through the data files that were drawn.  Nothing is loaded from outside.
"""
import hashlib
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as tree

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "docs"))
import json_schema  # noqa: E402

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
NARROW = "\u202f"  # between groups of three digits


# ---- reading the page -----------------------------------------------------------------------

def at(document, pointer):
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        document = document[int(step) if isinstance(document, list) else step]
    return document


def shown(value, how):
    """The text that stands for a value."""
    if how == "hundredths":
        return f"{value:.2f}"
    if value is None:
        return "\u2013"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}".replace(",", NARROW) if abs(value) >= 10000 else str(value)
    return f"{value:.3g}" if isinstance(value, float) else value


def plain_number(text):
    """%.3g of C and of Python agree but for nothing; a value is compared as a number anyway."""
    try:
        return float(text)
    except ValueError:
        return text


class Page:
    def __init__(self, folder):
        self.folder = folder
        self.text = (folder / "index.html").read_text(encoding="utf-8")
        self.json = json.loads((folder / "report.json").read_text(encoding="utf-8"))
        self.root = tree.fromstring(self.text)

    def elements(self, name=None):
        return self.root.iter(HTML + name if name else None)


def loose_digits(element):
    """Texts with digits that no data-at vouches for."""
    if element.tag.startswith(SVG) or element.tag == HTML + "style":
        return
    own = element.get("data-at") is not None or element.get("data-key") is not None
    if not own and element.text and re.search(r"\d", element.text):
        yield element.text
    for child in element:
        yield from loose_digits(child)
        if child.tail and re.search(r"\d", child.tail):
            yield child.tail


# ---- what must hold of every page -------------------------------------------------------------

def numbers_equal(page):
    count = 0
    for element in page.elements():
        pointer = element.get("data-at")
        if pointer is None:
            continue
        want = shown(at(page.json, pointer), element.get("data-as"))
        got = element.text or ""
        if got != want and plain_number(got) != plain_number(want):
            yield f"{pointer}: the page says {got!r}, the JSON {want!r}"
        if len(element) > 0:
            yield f"{pointer}: an element in a value"
        count += 1
    for element in page.elements("dt"):
        key = element.get("data-key")
        if key is not None and key.rsplit("/", 1)[1].replace("~1", "/").replace("~0", "~") != element.text:
            yield f"{key}: called {element.text!r}"
        if key is not None:
            at(page.json, key)
    if count < 50:
        yield f"only {count} values on the page"


def no_loose_digits(page):
    yield from (f"a number of its own: {text.strip()!r}" for text in loose_digits(page.root))


def nothing_from_outside(page):
    for element in page.elements():
        name = element.tag.split("}")[-1]
        if name in ("script", "link", "img", "iframe", "object", "embed", "base", "form", "video", "audio"):
            yield f"<{name}>"
        for key, value in element.attrib.items():
            if key.split("}")[-1] in ("src", "href", "srcset", "poster", "action"):
                if value.startswith("#"):
                    continue
                if re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//|/", value):
                    yield f"{key}={value!r}"
                elif not (page.folder / value).is_file():
                    yield f"{key}={value!r} is not there"
    for match in re.finditer(r"url\(|@import|https?://(?!www\.w3\.org/)", page.text):
        yield f"found {match.group()!r}"


def links_lead_somewhere(page):
    ids = [e.get("id") for e in page.elements() if e.get("id") is not None]
    if len(ids) != len(set(ids)):
        yield f"twice the same id: {sorted(i for i in set(ids) if ids.count(i) > 1)}"
    for element in page.elements():
        for key in ("href", LINK):
            value = element.get(key)
            if value is not None and value.startswith("#") and value[1:] not in ids:
                yield f"no {value}"


def empty_elements_are_html(page):
    """HTML knows <br/>-like forms only for void elements and inside SVG."""
    outside = re.sub(r"<svg.*?</svg>", "", page.text, flags=re.S)
    for match in re.finditer(r"<(\w+)[^<>]*/>", outside):
        if match.group(1) not in ("meta", "br", "hr"):
            yield match.group()


def all_claims_are_there(page):
    articles = {a.get("id"): "".join(a.itertext()) for a in page.elements("article")}
    for claim in page.json["claims"]:
        text = articles.get(claim["anchor"])
        if text is None:
            yield f"no article for {claim['id']}"
            continue
        wanted = [claim["id"], claim["title"], claim["statement"], claim["verdict"], claim["source"]["where"],
                  claim["scope"], claim["strength"], claim["reason"], claim["problem"], claim["why"],
                  claim["not_shown"]]
        wanted += claim["human_steps"] + claim["errata"]
        for mutant in claim["mutants"]:
            wanted += [mutant["id"], mutant["note"], mutant["at"], *(mutant["counterexample"] or {}).values()]
        yield from (f"{claim['id']}: the page lacks {w!r}" for w in wanted if w and w not in text)
    if len(articles) != len(page.json["claims"]):
        yield f"{len(articles)} articles, {len(page.json['claims'])} claims"


def counts_add_up(page):
    s, claims = page.json["summary"], page.json["claims"]
    verdicts = [c["verdict"] for c in claims]
    for key, verdict in (("holds",) * 2, ("refuted",) * 2, ("undecided",) * 2, ("not_run",) * 2, ("reported",) * 2):
        if s[key] != verdicts.count(verdict):
            yield f"summary.{key} is {s[key]}, counted {verdicts.count(verdict)}"
    if s["claims"] != len(claims):
        yield "summary.claims"
    mutants = [m for c in claims for m in c["mutants"]]
    if (s["mutants"], s["mutants_refuted"]) != (len(mutants), sum(m["refuted"] for m in mutants)):
        yield "summary.mutants"
    if s["modulo"] != sum(c["verdict"] == "holds" and bool(c["human_steps"]) for c in claims):
        yield "summary.modulo"
    for level in page.json["levels"]:
        own = [c for c in claims if c["level"] == level["level"]]
        if level["claims"] != len(own) or level["holds"] != sum(c["verdict"] == "holds" for c in own):
            yield f"level {level['level']}"
    if sum(level["claims"] for level in page.json["levels"]) != len(claims):
        yield "a claim without a level"


def xmllint_accepts(page):
    if shutil.which("xmllint") is None:
        return
    done = subprocess.run(["xmllint", "--noout", "--nonet", str(page.folder / "index.html")], capture_output=True,
                          text=True)
    if done.returncode != 0 or done.stderr:
        yield done.stderr


def schemas_describe_it(page):
    def faults(document, name, more=()):
        schema = json.loads((ROOT / "docs" / "schemas" / f"{name}.json").read_text(encoding="utf-8"))
        document = {key: value for key, value in document.items() if key not in more}
        return json_schema.problems(document, schema, schema)
    yield from faults(page.json, "report")
    for sweep in page.json["sweeps"]:
        yield from faults(sweep, "sweep")
    for reach in page.json["reach"]:
        yield from faults(reach, "reach")
    for audit in page.json["drift"] + page.json["rounded"]:
        yield from faults(audit, "audit", ("note", "command"))


GENERAL = [numbers_equal, no_loose_digits, nothing_from_outside, links_lead_somewhere, empty_elements_are_html,
           all_claims_are_there, counts_add_up, schemas_describe_it, xmllint_accepts]


# ---- pictures ---------------------------------------------------------------------------------

def blocks(folder, name):
    """The data that was drawn: lists of rows, without comments."""
    text = (folder / "pictures" / f"{name}.dat").read_text()
    rows = [[line.split() for line in block.splitlines() if line and not line.startswith("#")]
            for block in re.split(r"\n\n\n", text)]
    return [block for block in rows if block]


def close(a, b):
    return abs(a - b) <= 1e-5 * max(abs(a), abs(b))


def drawn_numbers_equal(page):
    levels = [int(row[1]) for row in blocks(page.folder, "levels")[0]]
    if levels != page.json["reach"][0]["levels"]:
        yield f"levels {levels}"
    bits = [[int(row[1]) for row in block] for block in blocks(page.folder, "bits")]
    if bits != [b["bits"] for b in page.json["bits"]]:
        yield "bits"
    for block, d in zip(blocks(page.folder, "drift"), page.json["drift"], strict=True):
        for row, want in zip(block, d["drift"], strict=True):
            if int(row[0]) != want["t"] or (row[1] != "?" and not close(float(row[1]), want["median"])):
                yield f"drift {row} {want}"
    for name, sweep in zip(("window", "anykey"), page.json["sweeps"], strict=True):
        boxes = blocks(page.folder, name)[0]
        kinds = {int(row[6]) for row in boxes}
        if kinds != {k for k, kind in enumerate(sweep["kinds"]) if sweep["counts"][kind] > 0}:
            yield f"kinds of {name}: {kinds}"


def drawings(page):
    svg = list(page.root.iter(SVG + "svg"))
    if shutil.which("gnuplot"):
        if len(svg) != 5 or not all(p["drawn"] and p["missing"] is None for p in page.json["pictures"]):
            yield f"{len(svg)} drawings"
        yield from (f"{p['script']} names a folder" for p in page.json["pictures"]
                    if "/" in re.search(r"data = '\./([^']*)'", (page.folder / p["script"]).read_text())[1])
    elif svg or any(p["drawn"] or "gnuplot" not in p["missing"] for p in page.json["pictures"]):
        yield "drawn without gnuplot"


def no_drawings(page):
    if list(page.root.iter(SVG + "svg")) or any(p["drawn"] for p in page.json["pictures"]):
        yield "a drawing"
    if not all(p["missing"] for p in page.json["pictures"]) or len(page.json["pictures"]) != 5:
        yield "does not say why"


def rows_have_verdicts(page):
    verdicts = {row["verdict"] for row in page.json["rounded"]}
    if verdicts != {"tracks-forever", "fails", "undecided"}:
        yield f"verdicts {verdicts}"
    a5 = [row["states"] for row in page.json["rounded"] if row["system"] == "A5"]
    if a5 != [7200]:
        yield f"A5: {a5}"


def hashes_are_of_the_files(page):
    files = page.json["certificates"]["files"]
    if not files:
        yield "no certificate"
    for f in files:
        data = (page.folder / f["file"]).read_bytes()
        if hashlib.sha256(data).hexdigest() != f["sha256"] or len(data) != f["bytes"]:
            yield f"{f['file']}"


def only_claims(page):
    lists = ("pictures", "sweeps", "reach", "bits", "drift", "rounded")
    if any(page.json[key] for key in lists) or not page.json["no_results"]:
        yield "more than claims"


# ---- the folder, terminals, Ctrl-C --------------------------------------------------------------

def call(*args, **more):
    return subprocess.run(args, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, **more)


def an_earlier_report_is_replaced(ckda, folder):
    here = str(folder / "r")
    one = call(ckda, "report", "-o", here, "--claims-only", "sec3.eq2")
    two = call(ckda, "report", "-o", here, "--claims-only", "sec3*")
    if (one.returncode, two.returncode) != (0, 0) or two.stderr:
        yield f"exits {one.returncode}, {two.returncode}: {two.stderr}"
    elif len(json.loads((folder / "r/report.json").read_text())["claims"]) < 2:
        yield "the old report is still there"
    if [p.name for p in folder.iterdir()] != ["r"]:
        yield f"left behind: {list(folder.iterdir())}"


def files_of_others_stay(ckda, folder):
    (folder / "notes.txt").write_text("mine")
    refused = call(ckda, "report", "-o", str(folder), "--claims-only", "sec3.eq2")
    if refused.returncode != 4 or [p.name for p in folder.iterdir()] != ["notes.txt"]:
        yield f"exit {refused.returncode}, {list(folder.iterdir())}"
    forced = call(ckda, "report", "-o", str(folder), "--claims-only", "--force", "sec3.eq2")
    if forced.returncode != 0 or (folder / "notes.txt").read_text() != "mine":
        yield f"exit {forced.returncode}: {forced.stderr}"
    if sorted(p.name for p in folder.iterdir()) != ["index.html", "notes.txt", "report.json"]:
        yield f"{sorted(folder.iterdir())}"


def a_folder_may_be_where_one_stands(ckda, folder):
    done = call(ckda, "report", "-o", ".", "--no-pictures", "sec3.eq2", cwd=folder)
    if done.returncode != 0 or not (folder / "pictures" / "levels.gp").is_file():
        yield f"exit {done.returncode}: {done.stderr} {list(folder.iterdir())}"


def two_reports_are_equal(ckda, folder):
    """But for times."""
    env = {**os.environ, "SOURCE_DATE_EPOCH": "86400"}
    texts = []
    for name in ("a", "b"):
        call(ckda, "report", "-o", str(folder / name), "--no-pictures", "sec3*", env=env)
        texts.append(re.sub(r'"seconds": [-+.e0-9]+', "", (folder / name / "report.json").read_text()))
    if texts[0] != texts[1] or '"date": "1970-01-02"' not in texts[0]:
        yield "they differ"


def interrupted(ckda, args):
    """Ctrl-C a little later; later still where the program had not even begun to listen."""
    for seconds in (1, 4, 16):
        with subprocess.Popen([ckda, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            time.sleep(seconds)
            run.send_signal(signal.SIGINT)
            out, err = run.communicate(timeout=120)
        if run.returncode != -signal.SIGINT:
            break
    return run.returncode, out, err


def ctrl_c_leaves_no_report(ckda, folder):
    code, out, err = interrupted(ckda, ["report", "-o", str(folder / "r"), "--effort", "full"])
    if code != 3 or out or "interrupted" not in err or list(folder.iterdir()):
        yield f"exit {code}: {out} {err} {list(folder.iterdir())}"


def ctrl_c_shows_what_is_known(ckda, folder):
    code, out, err = interrupted(ckda, ["verify", "--effort", "full"])
    if code != 3 or " claims: " not in out or " 0 refuted" not in out or "interrupted after" not in err:
        yield f"exit {code}: {out[-300:]} {err}"


class Skipped(Exception):
    """This system lacks what the check needs."""


def on_a_terminal(ckda, *args, **more):
    """What a terminal gets, from both streams."""
    try:
        master, slave = pty.openpty()
    except OSError as why:  # a folder without /dev/pts
        raise Skipped(why) from why
    env = {**os.environ, "TERM": "xterm", **more}
    with subprocess.Popen([ckda, *args], stdout=slave, stderr=slave, stdin=subprocess.DEVNULL, env=env):
        os.close(slave)
        text = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:  # Linux's way to say that nobody writes any more
                break
            if not part:
                break
            text += part
    os.close(master)
    return text.decode(errors="replace")


def verdicts_are_coloured_on_a_terminal(ckda, folder):
    text = on_a_terminal(ckda, "verify", "sec3*", NO_COLOR="")
    if "\033[32mholds" not in text:
        yield repr(text[:300])
    for word, *command in (("32mfinite", "reach", "D3"), ("1;31mfails", "audit", "Z5", "--grid", "5", "--keys", "fp32", "--all-words"),
                           ("32mequal", "run", "S3", "(1,2)"), ("32mtracks forever", "audit", "Z3", "--grid", "22", "--keys", "fp32",
                                                                "--all-words")):
        text = on_a_terminal(ckda, *command)
        if f"\033[{word}\033[0m" not in text:
            yield f"{command}: {text[:200]!r}"


def no_color_is_respected(ckda, folder):
    for more in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        if "\033[32m" in on_a_terminal(ckda, "verify", "sec3*", **more):
            yield f"coloured with {more}"


def progress_is_for_terminals(ckda, folder):
    if not re.search(r"\r\d+ of \d+[:,]", on_a_terminal(ckda, "verify", "sec3*")):
        yield "no line of progress"
    if re.search(r"\d+ of \d+[:,]", on_a_terminal(ckda, "verify", "sec3*", "--quiet")):
        yield "progress in spite of --quiet"
    if call(ckda, "verify", "sec3*").stderr:
        yield "progress in a pipe"


BEHAVIOUR = [an_earlier_report_is_replaced, files_of_others_stay, a_folder_may_be_where_one_stands,
             two_reports_are_equal, ctrl_c_leaves_no_report, ctrl_c_shows_what_is_known,
             verdicts_are_coloured_on_a_terminal, no_color_is_respected, progress_is_for_terminals]


# ---- the reports ------------------------------------------------------------------------------

REPORTS = [
    ("everything", ["thm8*", "sec3*", "C-15n", "R.fig5", "--certificates"], {},
     GENERAL + [drawn_numbers_equal, drawings, rows_have_verdicts, hashes_are_of_the_files]),
    ("without gnuplot", ["sec3*", "--no-pictures"], {}, GENERAL + [no_drawings, drawn_numbers_equal]),
    ("gnuplot is missing", ["sec3.eq2"], {"PATH": "/nowhere"}, [numbers_equal, no_loose_digits, no_drawings]),
    ("claims only", ["--claims-only", "t1*", "C-E*"], {}, GENERAL + [only_claims]),
]


class Tap:
    def __init__(self, count):
        self.number = 0
        print(f"1..{count}")

    def line(self, name, found):
        self.number += 1
        print(f"{'not ok' if found else 'ok'} {self.number} - {name}", flush=True)
        for fault in found[:20]:
            print("  # " + str(fault).replace("\n", "\n  # "))

    def skip(self, name, why):
        self.number += 1
        print(f"ok {self.number} - {name} # SKIP {why}", flush=True)


def report(tap, program, title, args, env, checks):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "report"
        done = subprocess.run([program, "report", "-o", str(folder), "--json", *args], capture_output=True,
                              stdin=subprocess.DEVNULL, env={**os.environ, **env}, check=False)
        right = (done.returncode == 0 and (folder / "report.json").read_bytes() == done.stdout
                 and sorted(p.name for p in folder.parent.iterdir()) == ["report"])
        tap.line(f"{title}: written, and --json prints report.json",
                 [] if right else [f"exit {done.returncode}: {done.stderr.decode(errors='replace')}"])
        page = Page(folder) if right else None
        for check in checks:
            tap.line(f"{title}: {check.__name__.replace('_', ' ')}",
                     ["there is no page"] if page is None else list(check(page)))


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    tap = Tap(sum(len(checks) + 1 for *_, checks in REPORTS) + len(BEHAVIOUR))
    for title, args, env, checks in REPORTS:
        report(tap, program, title, args, env, checks)
    for check in BEHAVIOUR:
        with tempfile.TemporaryDirectory() as name:
            title = check.__name__.replace("_", " ")
            try:
                tap.line(title, list(check(program, pathlib.Path(name))))
            except Skipped as why:
                tap.skip(title, why)


if __name__ == "__main__":
    main()
