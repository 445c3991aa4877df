#!/usr/bin/env python3
"""--tap and --junit, read by readers that are not ours; one TAP line a check.

    ci.py CKDA_MINI CKDA

TAP is read by Perl's TAP::Parser and by prove; JUnit XML by xmllint, against junit.rng, and by
python3-junitparser.  A reader that is not installed is skipped and named.  What they count is
compared with the JSON of the same run, and each reader is shown to refuse what is spoilt.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import taplines  # noqa: E402

try:
    import junitparser
except ImportError:
    junitparser = None

HERE = pathlib.Path(__file__).resolve().parent
# which program, patterns: good ones, refuted, undecided, with mutants, claims without a check
RUNS = [("mini", "g*"), ("mini", "refuted"), ("mini", "undecided"), ("mini", "g* bad --mutants"), ("mini", "*ed nothing weak"),
        ("ckda", "thm1 --mutants"), ("ckda", "cor19 partd")]


def run(command, text=None):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, input=text, check=False)


def ends_of(document):
    """Of a verification in JSON: how each claim and each mutant ended, by name."""
    ends = {c["id"]: {"holds": "passed", "refuted": "failed", "undecided": "error"}.get(c["verdict"], "skipped")
            for c in document["claims"]}
    return ends | {m["id"]: {"refuted": "passed", "holds": "failed"}.get(m["verdict"], "error")
                   for m in document.get("mutants", [])}


# ---- TAP ---------------------------------------------------------------------------------------------

def perl_reads(text):
    done = run(["perl", str(HERE / "tap.pl")], text)
    return done.stdout.splitlines() + [f"stderr: {line}" for line in done.stderr.splitlines()]


def perl_expected(ends):
    """An undecided claim is "not ok"."""
    lines = [f"{'failed' if end == 'error' else end} {name}" for name, end in ends.items()]
    return lines + ["version 13", f"planned {len(ends)}", f"run {len(ends)}", "bail 0"]


def difference(got, want):
    return [] if sorted(got) == sorted(want) else [f"only read: {sorted(set(got) - set(want))}", f"only expected: {sorted(set(want) - set(got))}"]


def has_perl():
    return shutil.which("perl") and run(["perl", "-MTAP::Parser", "-e1"]).returncode == 0


def check_tap(tap, name, text, ends):
    if not has_perl():
        tap.skip(f"{name}: TAP::Parser", "Perl has no TAP::Parser")
    else:
        tap.complaints(difference(perl_reads(text), perl_expected(ends)), f"{name}: TAP::Parser reads {len(ends)} tests")
    if not shutil.which("prove"):
        tap.skip(f"{name}: prove", "there is no prove")
        return
    with tempfile.NamedTemporaryFile("w", suffix=".tap", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        done = run(["prove", "--exec", "cat", file.name])
    bad = sum(end in ("failed", "error") for end in ends.values())
    found = [] if (done.returncode == 0) == (bad == 0) else [f"prove exits with {done.returncode}"]
    failed = re.search(r"Failed (\d+)/(\d+) subtests", done.stdout)
    if bad and (failed is None or failed.groups() != (str(bad), str(len(ends)))):
        found.append(f"prove says: {done.stdout[-300:]!r}")
    found += ["Parse errors"] if "Parse errors" in done.stdout else []
    tap.complaints(found, f"{name}: prove counts {bad} of {len(ends)} as failed")


def check_tap_refusals(tap, text):
    """A line less, a number twice, a plan too high."""
    if not has_perl():
        tap.skip("TAP::Parser refuses spoilt TAP", "Perl has no TAP::Parser")
        return
    lines = text.splitlines(keepends=True)
    tests = [i for i, line in enumerate(lines) if re.match(r"(not )?ok \d", line)]
    spoilt = {"a line less": lines[:tests[-1]], "a line twice": lines + [lines[tests[-1]]], "no plan": lines[:1] + lines[2:]}
    accepted = [what for what, now in spoilt.items() if not any("parse error" in line for line in perl_reads("".join(now)))]
    tap.complaints([f"accepted: {what}" for what in accepted], "TAP::Parser refuses spoilt TAP")


# ---- JUnit -------------------------------------------------------------------------------------------

def xmllint(file):
    done = run(["xmllint", "--noout", "--nonet", "--relaxng", str(HERE / "junit.rng"), str(file)])
    return [] if done.returncode == 0 else done.stderr.splitlines()[:8]


def junit_expected(ends):
    return [len(ends)] + [list(ends.values()).count(end) for end in ("failed", "error", "skipped")]


def of_attributes(element):
    return [int(element.get(key, "0")) for key in ("tests", "failures", "errors", "skipped")]


def of_cases(element):
    cases = list(element.iter("testcase"))
    return [len(cases)] + [sum(c.find(kind) is not None for c in cases) for kind in ("failure", "error", "skipped")]


def check_counts(root, ends):
    """The counts of attributes, of cases and of the JSON; names that tell cases apart."""
    found = [f"{e.get('name')}: attributes {of_attributes(e)}, cases {of_cases(e)}" for e in [root] + list(root)
             if of_attributes(e) != of_cases(e)]
    if of_cases(root) != junit_expected(ends):
        found.append(f"cases {of_cases(root)}, JSON {junit_expected(ends)}")
    names = [(c.get("classname"), c.get("name")) for c in root.iter("testcase")]
    return found + ([] if len(set(names)) == len(names) else ["two cases of one name"])


def of_junitparser(file):
    xml = junitparser.JUnitXml.fromfile(str(file))
    xml.update_statistics()  # counts anew
    return [xml.tests, xml.failures, xml.errors, xml.skipped]


def check_junit(tap, name, file, ends):
    if shutil.which("xmllint"):
        tap.complaints(xmllint(file), f"{name}: xmllint accepts the JUnit XML")
    else:
        tap.skip(f"{name}: xmllint", "there is no xmllint (Debian: libxml2-utils)")
    tap.complaints(check_counts(ET.parse(file).getroot(), ends), f"{name}: JUnit counts {junit_expected(ends)}")
    if junitparser is None:
        tap.skip(f"{name}: junitparser", "there is no junitparser (Debian: python3-junitparser)")
    else:
        got = of_junitparser(file)
        tap.complaints([] if got == junit_expected(ends) else [f"{got}"], f"{name}: junitparser counts the same")


def spoilt_junit(text):
    yield "no classname", re.sub(r' classname="[^"]*"', "", text, count=1)
    yield "no suite name", re.sub(r'<testsuite name="[^"]*"', "<testsuite", text, count=1)
    yield "a count that is none", re.sub(r'tests="\d+"', 'tests="-1"', text, count=1)
    yield "a time with exponent", re.sub(r'time="[^"]*"', 'time="1e-3"', text, count=1)
    yield "another element", text.replace("<testcase", "<test", 1).replace("</testsuite>", "</testsuite>", 1)
    yield "cut short", text[:len(text) // 2]


def check_junit_refusals(tap, file):
    if not shutil.which("xmllint"):
        tap.skip("junit.rng refuses spoilt XML", "there is no xmllint (Debian: libxml2-utils)")
        return
    text, found = file.read_text(encoding="utf-8"), []
    for what, now in spoilt_junit(text):
        worse = file.with_name("spoilt.xml")
        worse.write_text(now, encoding="utf-8")
        if now == text or not xmllint(worse):
            found.append(f"accepted: {what}")
    tap.complaints(found, "junit.rng refuses spoilt XML")


def check_crash(tap, mini):
    """A check that crashes: the stream is ended, with no file half written."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "x.xml"
        done = run([mini, "verify", "good", "broken", "--tap", "--junit", str(file)])
        found = ["a JUnit file"] if file.exists() else []
    if not has_perl():
        tap.skip("a crash ends the TAP stream", "Perl has no TAP::Parser")
        return
    found += [] if "bail 1" in perl_reads(done.stdout) else ["TAP::Parser sees no end"]
    tap.complaints(found, "a crash ends the TAP stream")


def main():
    programs = dict(zip(("mini", "ckda"), (str(pathlib.Path(p).resolve()) for p in sys.argv[1:3])))
    tap = taplines.Tap()
    with tempfile.TemporaryDirectory() as folder:
        for number, (program, arguments) in enumerate(RUNS):
            file = pathlib.Path(folder) / f"{number}.xml"
            command = [programs[program], "verify"] + arguments.split()
            document = json.loads(run(command + ["--json"]).stdout)
            text = run(command + ["--tap", "--junit", str(file)]).stdout
            name = f"{pathlib.Path(program).name} verify {arguments}"
            check_tap(tap, name, text, ends_of(document))
            check_junit(tap, name, file, ends_of(document))
            if number == 3:
                check_tap_refusals(tap, text)
                check_junit_refusals(tap, file)
    check_crash(tap, programs["mini"])
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
