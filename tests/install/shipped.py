#!/usr/bin/env python3
"""Does the Debian package ship what its own documents refer to?  One TAP line a check.

    shipped.py SOURCE CKDA

Reads debian/ckda.docs and debian/ckda.install, lays their files out as the package does, and
follows from there every relative link and every path of data/ and docs/ in README, docs and
examples; then runs commands of the documents in that folder.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import taplines  # noqa: E402

DOC = "usr/share/doc/ckda"
# Pointers into the source: what is built or tested, not read with the program.
SOURCES = ("include/", "src/", "tests/", "tools/", "fuzz/", "groups", "proofs/", "bench/", "gpu_check/", "CONTRIBUTING.md")
COMMANDS = [(0, "reach docs/examples/reflections.json"), (1, "range data/range/neumann_fp16_beta2.json"),
            (0, "spectrum docs/examples/step.json"), (0, "run docs/examples/odd.att 'a a'"),
            (None, "audit --trace data/traces/kda-reflect.safetensors")]  # None: whatever the trace deserves


def entries(source):
    """Pairs: a pattern of the source, the folder it goes to."""
    for line in (source / "debian/ckda.docs").read_text(encoding="utf-8").split():
        yield line, DOC
    for line in (source / "debian/ckda.install").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words and words[-1].startswith(DOC):
            yield from ((word, words[-1]) for word in words[:-1])


def lay_out(source, root):
    """Returns the patterns that name nothing."""
    empty = []
    for pattern, folder in entries(source):
        found = sorted(source.glob(pattern))
        empty += [] if found else [pattern]
        (root / folder).mkdir(parents=True, exist_ok=True)
        for path in found:
            to = root / folder / path.name
            shutil.copytree(path, to) if path.is_dir() else shutil.copy(path, to)
    return empty


def missing_links(root, file):
    text = file.read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if "://" in link:
            continue
        target = (file.parent / link).resolve()
        try:
            name = str(target.relative_to(root.resolve()))
        except ValueError:
            yield f"{link} leads out"
            continue
        if not target.exists() and not name.startswith(SOURCES):
            yield link


def missing_paths(root, file):
    for path in re.findall(r"(?<![\w/.-])(?:data|docs/examples)/[\w.-][\w./-]*", file.read_text(encoding="utf-8")):
        if not (root / path.rstrip("./")).exists():
            yield path


def check_commands(tap, root, ckda):
    for want, command in COMMANDS:
        done = subprocess.run(["/bin/sh", "-c", f'"$0" {command}', ckda], cwd=root, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        good = done.returncode == want if want is not None else done.returncode in (0, 1)
        tap.complaints([] if good and done.stdout else [f"exit code {done.returncode}", done.stderr[:200]], f"ckda {command}")


def main():
    source, ckda = pathlib.Path(sys.argv[1]), str(pathlib.Path(sys.argv[2]).resolve())
    tap = taplines.Tap()
    with tempfile.TemporaryDirectory() as name:
        tap.complaints(lay_out(source, pathlib.Path(name)), "every pattern names something")
        root = pathlib.Path(name) / DOC
        texts = sorted(p for p in root.rglob("*") if p.suffix in (".md", ".sh", ".py") and "data" not in p.parts)
        tap.complaints([] if len(texts) > 30 else [f"{len(texts)} texts"], "there are documents and examples")
        for file in texts:
            found = list(missing_paths(root, file)) + (list(missing_links(root, file)) if file.suffix == ".md" else [])
            tap.complaints(sorted(set(found)), f"what {file.relative_to(root)} refers to")
        check_commands(tap, root, ckda)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
