#!/usr/bin/env python3
"""Draws docs/img/bits.svg: how the exact states of two WFA networks grow with the word.

    tools/bits_picture.py BUILD/ckda

The network of a two-state WFA is run on random words to length 600 by both factorisers; the bits are those that
`ckda run --json` reports after each prefix.  Needs gnuplot.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

OUT = pathlib.Path(__file__).resolve().parent.parent / "docs/img/bits.svg"
WFA = {"wfa": {"initial": ["1", "-1"], "final": ["1", "2/7"],
               "matrices": {"a": [["2/3", "-5"], ["0", "1/2"]], "b": [["1", "1/3"], ["-2", "0"]]}}}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "w.json").write_text(json.dumps(WFA), encoding="utf-8")
        curves = []
        for scheme in ("paper", "short"):
            done = subprocess.run([sys.argv[1], "run", str(folder / "w.json"), "random:600", "--construction",
                                   "three-layer", "--factoriser", scheme, "--json"],
                                  check=True, capture_output=True, text=True)
            data = folder / f"{scheme}.dat"
            data.write_text("".join(f"{p['t']} {p['bits']}\n" for p in json.loads(done.stdout)["prefixes"]),
                            encoding="utf-8")
            curves.append(f"'{data}' with lines lw 2 title '{scheme} factoriser'")
        script = f"""
set terminal svg size 700,380 font 'sans-serif,13' background '#ffffff'
set output '{OUT}'
set xlabel 'letters read'
set ylabel 'bits'
set key left top
plot {', '.join(curves)}
"""
        subprocess.run(["gnuplot"], input=script, text=True, check=True)


if __name__ == "__main__":
    main()
