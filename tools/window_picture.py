#!/usr/bin/env python3
"""Draws docs/img/window.svg: where one CKDA step has a complex pair, cell by cell.

    tools/window_picture.py BUILD/ckda [CELLS]

Each cell is the transition (I - 2kk^T) Diag(alpha, 1) with a rational key (1 - t^2, 2t), so
theta = 2 atan t, and is decided exactly by `ckda spectrum`; only the picture is made of
doubles.  The curve is the exact boundary sqrt|alpha| = |tan(45 degrees - theta)|.  Needs gnuplot.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

OUT = pathlib.Path(__file__).resolve().parent.parent / "docs/img/window.svg"


def decide(ckda, folder, alpha, t):
    p, q = t
    document = {"family": "ckda", "beta": "2", "gate": [alpha, "1"],
                "key": [str(q * q - p * p), str(2 * p * q)]}
    path = folder / "cell.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    done = subprocess.run([ckda, "spectrum", str(path), "--json"], check=True, capture_output=True, text=True)
    counts = json.loads(done.stdout)
    return counts["nonreal_pairs"] + counts["unit_circle_pairs"]


def main():
    ckda = sys.argv[1]
    cells = int(sys.argv[2]) if len(sys.argv) > 2 else 48
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data = folder / "cells.dat"
        with open(data, "w", encoding="utf-8") as out:
            for i in range(cells + 1):
                low, theta, high = (2 * math.degrees(math.atan(max(0, min(cells, i + half)) / cells))
                                    for half in (-0.5, 0, 0.5))
                for j in range(-cells, cells + 1):
                    kind = decide(ckda, folder, f"{j}/{cells}", (i, cells))
                    out.write(f"{theta} {j / cells} {low} {high} {(j - 0.5) / cells} {(j + 0.5) / cells} {kind}\n")
                out.write("\n")
        script = f"""
set terminal svg size 760,430 font 'sans-serif,13' background '#ffffff'
set output '{OUT}'
set title 'Eigenvalues of (I - 2kk^T) Diag({{/Symbol a}}, 1), each cell decided exactly'
set xlabel 'angle of the key, degrees'
set ylabel 'gate {{/Symbol a}}'; set style fill solid
set xrange [0:90]; set yrange [-1.02:1.02]; set xtics 15; set key outside right top
plot '{data}' using ($7==0?$1:NaN):2:3:4:5:6 with boxxy fs solid noborder lc rgb '#d5dee7' title 'real', \\
     '{data}' using ($7==1?$1:NaN):2:3:4:5:6 with boxxy fs solid noborder lc rgb '#5b9bd0' title 'complex pair', \\
     '{data}' using ($7==2?$1:NaN):2:3:4:5:6 with boxxy fs solid noborder lc rgb '#d1495b' title 'pair on |z| = 1', \\
     -tan((45-x)*pi/180)**2 with lines lw 2 lc rgb '#222222' title 'exact boundary'
"""
        subprocess.run(["gnuplot"], input=script, text=True, check=True)


if __name__ == "__main__":
    main()
