#!/usr/bin/env python3
"""Runs Doxygen from the top folder; fails on any warning, and unless every public function
has its place in the pages.

    api.py SOURCE DOXYGEN DOXYFILE        ($CKDA_API: where the pages go)
"""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools"))
import public_symbols  # noqa: E402


def main():
    source, doxygen, doxyfile = sys.argv[1:4]
    folder = pathlib.Path(os.environ["CKDA_API"])
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([doxygen, doxyfile], cwd=source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    print(done.stdout, end="")
    index = "".join(p.read_text(encoding="utf-8") for p in (folder / "html").glob("*_8h.html"))
    headers = sorted((pathlib.Path(source) / "include" / "ckda").glob("*.h"))
    missing = [name for name in public_symbols.all_names(headers) if name not in index]
    print(f"{len(headers)} headers; without a page: {missing}")
    return 1 if done.returncode or done.stdout.strip() or missing else 0


if __name__ == "__main__":
    sys.exit(main())
